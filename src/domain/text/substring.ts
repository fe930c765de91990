/** Substring search in linear time. */
import type { Pieces } from '../pieces.js'

/** UTF-16 units examined per piece: about half a millisecond. */
export const SEARCHED_UNITS_A_PIECE = 65_536

/** Length of the prefix searched with `indexOf`, which is a plain scan for so few units. */
const BEGINNING_UNITS = 6

/**
 * Whether `text` contains the non-empty `phrase` at a position that `isWanted` accepts; it is called for each occurrence in order,
 * including overlapping ones. Takes time linear in both lengths (Knuth, Morris and Pratt, "Fast pattern matching in strings", SIAM Journal
 * on Computing 6, 1977); `indexOf` alone takes time proportional to their product for nearly repetitive texts.
 */
export function* holds(text: string, phrase: string, isWanted: (at: number) => boolean): Pieces<boolean> {
  const borders = bordersOf(phrase)
  const beginning = phrase.slice(0, BEGINNING_UNITS)
  let matched = 0
  let pauseAt = SEARCHED_UNITS_A_PIECE
  for (let at = 0; at < text.length;) {
    if (at >= pauseAt) {
      yield
      pauseAt = at + SEARCHED_UNITS_A_PIECE
    }
    // Stryker disable next-line ConditionalExpression: the same is found without, in more time
    if (matched === 0) {
      const found = text.slice(at, pauseAt + beginning.length - 1).indexOf(beginning)
      at = found < 0 ? pauseAt : at + found + beginning.length
      matched = found < 0 ? 0 : beginning.length
    } else {
      matched = longer(phrase, borders, matched, text.charCodeAt(at))
      at += 1
    }
    if (matched < phrase.length) continue
    if (isWanted(at - matched)) return true
    matched = borders[matched - 1] as number
  }
  return false
}

/** For each prefix of the phrase, the length of its longest proper border: a prefix that is also a suffix. */
function bordersOf(phrase: string): Int32Array {
  const borders = new Int32Array(phrase.length)
  for (let at = 1; at < phrase.length; at++) borders[at] = longer(phrase, borders, borders[at - 1] as number, phrase.charCodeAt(at))
  return borders
}

/** Length of the longest prefix of the phrase that ends at the next unit, given that `matched` units ended before it. */
function longer(phrase: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched
  while (length > 0 && phrase.charCodeAt(length) !== unit) length = borders[length - 1] as number
  return phrase.charCodeAt(length) === unit ? length + 1 : 0
}
