/** One German text in two spellings: umlauts written out, as where a keyboard has none. */

/** Whether two texts differ in that alone, and in capitals and marks at the ends of words, of which such a writer is sparing as well. */
export function isSpelledOut(a: string, b: string): boolean {
  if (MARKED.test(a) === MARKED.test(b)) return false
  return plainOf(a) === plainOf(b) && !AMBIGUOUS.test(plainOf(a))
}

const MARKED = /[äöüß]/iu

/** "Maße" and "Masse": words of their own without the mark. */
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

/** Without the marks at its end. In linear time for a row of them. */
export function withoutMarks(word: string, marks: string): string {
  let end = word.length
  while (end > 0 && marks.includes(word.charAt(end - 1))) end--
  return word.slice(0, end)
}
