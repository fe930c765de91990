/** Words that are names in one text and none in the other. */
import type { Reading } from './words.js'

/** With a capital another word: "ein paar Schuhe", "ein Paar Schuhe"; "turkey", "Turkey". */
const CAPITALS_TELL = new Set(
  (
    'paar arm arme recht weise turkey china polish java apple mark bill rose frank grace hope march chile jordan guinea reading ' +
    'aids ram mac pin cat led sap windows word excel go rust swift python ruby shell dart crystal amazon target oracle teams slack zoom ' +
    'discord signal safari edge chrome opera brave steam switch numbers pages notes access outlook mercury mint pearl ruby jack joy faith ' +
    'dawn lily olive basil daisy ginger amber heather holly'
  ).split(' ')
)

/**
 * Small words and the like that are names otherwise ("US", "IT") must be names in both, unless the other text knows no capitals or begins
 * with the word.
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
