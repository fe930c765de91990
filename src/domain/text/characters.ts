/** Lengths of texts as callers in other languages count them. */

/** Whether a text has more code points than that. Counts no further than it must. */
export function isLongerThan(text: string, lengthMax: number): boolean {
  if (text.length <= lengthMax) return false
  if (text.length > 2 * lengthMax) return true
  let characters = 0
  for (let at = 0; at < text.length && characters <= lengthMax; characters++) at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1
  return characters > lengthMax
}
