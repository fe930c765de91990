/** Quantises a query to whole numbers, several of which the kernel multiplies at a time. */
import type { Rounded } from './arena.js'

export interface Rounding extends Rounded {
  /** Length of the rounding error. A dot product with the rounded vector is off by at most this times the other vector's length. */
  readonly error: number
}

/** Largest magnitude in a signed byte. */
const BYTE_MAX = 127
/** Largest magnitude in two signed bytes. */
const SHORT_MAX = 32_767
/** Largest sum of products: 31 bits and a sign. */
const SUM_MAX = 2 ** 31 - 1

/**
 * Rounds a query to two bytes a number, for products with numbers of one byte. The longer the vector, the smaller the range used, so that
 * no sum of products overflows.
 */
export function inShorts(vector: Float32Array): Rounding {
  const most = Math.min(SHORT_MAX, Math.floor(SUM_MAX / (BYTE_MAX * vector.length)))
  const numbers = new Int16Array(vector.length)
  let greatest = 0
  // By index: iterating over a typed array takes several times as long.
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
    // Rounding the unit to single precision may have made it too small for the greatest number.
    const number = nearest > most ? most : nearest < -most ? -most : nearest
    numbers[at] = number
    const left = value - number * unit
    squares += left * left
  }
  return { numbers, unit, error: Math.sqrt(squares) }
}
