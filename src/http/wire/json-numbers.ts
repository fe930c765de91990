/**
 * The words that some writers of JSON have for numbers which are none: Python's `json.dumps` writes `NaN`, `Infinity` and `-Infinity`. RFC
 * 8259, 6 does not permit them. A body with one is read nevertheless, so that a refusal can name the field.
 */

const WORDS = ['-Infinity', 'Infinity', 'NaN']

/** Texts of JSON that JSON.parse makes an infinity of. Blanks around them: they must not become a part of what stands beside them. */
const numberFor = (word: string): string => (word.startsWith('-') ? ' -1e999 ' : ' 1e999 ')

const QUOTE = '"'

/** The JSON with a number beyond all others in place of each such word that is in no text of it; null when there is none. Linear. */
export function withoutWords(json: string): string | null {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === QUOTE) at = endOfText(json, at)
    if (character !== '-' && character !== 'I' && character !== 'N') continue
    const word = WORDS.find((one) => json.startsWith(one, at))
    if (word === undefined) continue
    parts.push(json.slice(from, at), numberFor(word))
    from = at + word.length
    at = from - 1
  }
  return parts.length === 0 ? null : parts.join('') + json.slice(from)
}

/** The place of its closing quote, or the end of all. */
function endOfText(json: string, from: number): number {
  let at = from + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === '\\' ? 2 : 1
  return at
}
