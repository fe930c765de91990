/**
 * Non-numbers that some JSON writers emit: Python's `json.dumps` writes `NaN`, `Infinity` and `-Infinity`, which RFC 8259, 6 does not
 * permit. Such a body is read nevertheless, so that the refusal can name the field.
 */

const WORDS = ['-Infinity', 'Infinity', 'NaN']

/** JSON numbers that JSON.parse reads as infinities. The blanks keep them from merging with their neighbours. */
const numberFor = (word: string): string => (word.startsWith('-') ? ' -1e999 ' : ' 1e999 ')

const QUOTE = '"'

/** Replaces each such word outside of strings by an infinite number; returns null when there is none. Linear. */
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

/** Index of the closing quote, or the end of the JSON. */
function endOfText(json: string, from: number): number {
  let at = from + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === '\\' ? 2 : 1
  return at
}
