/** German texts that differ only in spelling: umlauts written out, as on keyboards without them. */

/** Whether two texts differ only in that, and in capitals and punctuation at the ends of words, which such writers often omit too. */
export function isSpelledOut(a: string, b: string): boolean {
  if (MARKED.test(a) === MARKED.test(b)) return false
  return plainOf(a) === plainOf(b) && !AMBIGUOUS.test(plainOf(a))
}

const MARKED = /[äöüß]/iu

/** Words that exist with and without the mark: "Maße" and "Masse". */
const AMBIGUOUS = /(?<!\p{L})(?:masse|busse|flosse|russe)n?(?!\p{L})/u

function plainOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .split(/\s+/u)
    .map((word) => withoutMarks(word, MARKS))
    .join(' ')
    .trim()
}

const MARKS = '?!.,;:…'

/** Removes trailing marks, in linear time even for a long run of them. */
export function withoutMarks(word: string, marks: string): string {
  let end = word.length
  while (end > 0 && marks.includes(word.charAt(end - 1))) end--
  return word.slice(0, end)
}
