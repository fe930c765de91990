/** Words that are names in only one of the texts. */
import type { Reading } from './words.js'

/** Words with another meaning when capitalised: "ein paar Schuhe", "ein Paar Schuhe"; "turkey", "Turkey". */
const CAPITALS_TELL = new Set(
  (
    'paar arm arme recht weise turkey china polish java apple mark bill rose frank grace hope march chile jordan guinea reading ' +
    'aids ram mac pin cat led sap windows word excel go rust swift python ruby shell dart crystal amazon target oracle teams slack zoom ' +
    'discord signal safari edge chrome opera brave steam switch numbers pages notes access outlook mercury mint pearl ruby jack joy faith ' +
    'dawn lily olive basil daisy ginger amber heather holly'
  ).split(' ')
)

/**
 * Whether a function word or the like that is a name in one text ("US", "IT") is none in the other. Ignored if the other text has no
 * capitals or begins with the word.
 */
export function hasOtherName(a: Reading, b: Reading): boolean {
  if (b.isLowerCase) return false
  const [first] = b.words
  const names = a.words.filter(({ text, isStop }) => (isStop || CAPITALS_TELL.has(text)) && text !== 'i' && a.names.has(text))
  return names.some(({ text, isEnglish }) => {
    const isFirst = isEnglish && first?.text === text
    return !isFirst && !b.names.has(text) && b.words.some((word) => word.text === text)
  })
}
