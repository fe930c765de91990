/** Finds a text in a longer one. */
import type { Pieces } from '../pieces.js'

/** UTF-16 units that are looked at in one piece: about half a millisecond. */
export const SEARCHED_UNITS_A_PIECE = 65_536

/** Units of the beginning of a text that are looked for natively, which for so few is a plain scan. */
const BEGINNING_UNITS = 6

/**
 * Whether the text holds the phrase, which is not empty, at a place that is wanted: each is asked for, in order, those that overlap as
 * well. In time with the length of both together, whatever they are (Knuth, Morris and Pratt, "Fast pattern matching in strings", SIAM
 * Journal on Computing 6, 1977). `indexOf` takes time with their product where both nearly repeat themselves.
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

/** For each beginning of the phrase how much of it, but not all, it also ends with. */
function bordersOf(phrase: string): Int32Array {
  const borders = new Int32Array(phrase.length)
  for (let at = 1; at < phrase.length; at++) borders[at] = longer(phrase, borders, borders[at - 1] as number, phrase.charCodeAt(at))
  return borders
}

/** How much of the phrase a text ends with that ended with so much of it, and goes on with this unit. */
function longer(phrase: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched
  while (length > 0 && phrase.charCodeAt(length) !== unit) length = borders[length - 1] as number
  return phrase.charCodeAt(length) === unit ? length + 1 : 0
}
