/** Vectors in whole numbers, which take a quarter of the room and are multiplied several at a time. */
import type { Rounded } from './arena.js'

export interface Rounding<Numbers> extends Rounded<Numbers> {
  /** Length of what is left out: products with the vector are off by no more than this, times the length of the other one. */
  readonly error: number
}

/** Most that a whole number of a byte stands for. */
const BYTE_MAX = 127
/** The same of two bytes. */
const SHORT_MAX = 32_767
/** Sums of products are whole numbers of 31 bits and a sign. */
const SUM_MAX = 2 ** 31 - 1

/** In one byte a number. */
export function inBytes(vector: Float32Array): Rounding<Int8Array> {
  const { numbers, unit, error } = inShortsTo(vector, BYTE_MAX)
  return { numbers: new Int8Array(numbers), unit, error }
}

/** In two bytes a number, of which fewer are used the longer the vector is: its product with one of bytes is then never too large. */
export function inShorts(vector: Float32Array): Rounding<Int16Array> {
  return inShortsTo(vector, Math.min(SHORT_MAX, Math.floor(SUM_MAX / (BYTE_MAX * vector.length))))
}

/** None beyond `most`. One sort of numbers alone: a loop that met two took six times as long. */
function inShortsTo(vector: Float32Array, most: number): Rounding<Int16Array> {
  const numbers = new Int16Array(vector.length)
  let greatest = 0
  for (const value of vector) {
    const size = Math.abs(value)
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
