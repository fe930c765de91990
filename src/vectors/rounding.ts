/** A query in whole numbers, of which several are multiplied at a time. */
import type { Rounded } from './arena.js'

export interface Rounding extends Rounded {
  /** Length of what is left out: products with the vector are off by no more than this, times the length of the other one. */
  readonly error: number
}

/** The greatest whole number of a byte. */
const BYTE_MAX = 127
/** The same of two bytes. */
const SHORT_MAX = 32_767
/** Sums of products are whole numbers of 31 bits and a sign. */
const SUM_MAX = 2 ** 31 - 1

/**
 * To be multiplied with numbers of one byte: in two bytes a number, of which fewer are used the longer the vector is, so that no product is
 * too large.
 */
export function inShorts(vector: Float32Array): Rounding {
  const most = Math.min(SHORT_MAX, Math.floor(SUM_MAX / (BYTE_MAX * vector.length)))
  const numbers = new Int16Array(vector.length)
  let greatest = 0
  // By index: going through a typed array by its iterator takes several times as long.
  for (let at = 0, { length } = vector; at < length; at++) {
    const size = Math.abs(vector[at] as number)
    if (size > greatest) greatest = size
  }
  const unit = Math.fround(greatest / most)
  if (unit === 0) return { numbers, unit: 0, error: greatest * Math.sqrt(vector.length) }
  const units = 1 / unit
  let squares = 0
  for (let at = 0; at < vector.length; at++) {
    const value = vector[at] as number
    const nearest = Math.floor(value * units + 0.5)
    // Single precision may have made the unit too small for the greatest one.
    const number = nearest > most ? most : nearest < -most ? -most : nearest
    numbers[at] = number
    const left = value - number * unit
    squares += left * left
  }
  return { numbers, unit, error: Math.sqrt(squares) }
}
