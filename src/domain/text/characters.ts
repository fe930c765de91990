/** Lengths of texts as callers in other languages count them: a character is a code point. */

/** Whether a text has more characters than that. Counts no further than it must. */
export function isLongerThan(text: string, lengthMax: number): boolean {
  if (text.length <= lengthMax) return false
  return text.length > 2 * lengthMax || unitsOf(text, lengthMax) < text.length
}

/** Its first characters, at most so many: the text itself where it has no more. */
export function beginningOf(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : text.slice(0, unitsOf(text, lengthMax))
}

/** UTF-16 units of its first characters. */
function unitsOf(text: string, characters: number): number {
  let at = 0
  for (let counted = 0; at < text.length && counted < characters; counted++) at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1
  return at
}
