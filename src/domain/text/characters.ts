/** Lengths of texts in characters, as callers in other languages count them: one character per code point. */

/** Whether a text has more than `lengthMax` characters. Counts no further than necessary. */
export function isLongerThan(text: string, lengthMax: number): boolean {
  if (text.length <= lengthMax) return false
  return text.length > 2 * lengthMax || unitsOf(text, lengthMax) < text.length
}

/** The first `lengthMax` characters of a text; the text itself if it has no more. */
export function beginningOf(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : text.slice(0, unitsOf(text, lengthMax))
}

/** UTF-16 units of the first `characters` characters. */
function unitsOf(text: string, characters: number): number {
  let at = 0
  for (let counted = 0; at < text.length && counted < characters; counted++) at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1
  return at
}
