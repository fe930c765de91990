/** Vectors in whole numbers, which take a quarter of the room and are multiplied several at a time. */
import type { Rounded } from './arena.js'

export interface Rounding extends Rounded {
  /** Length of what is left out: products with the vector are off by no more than this, times the length of the other one. */
  readonly error: number
}

/** Most that a whole number of a byte stands for. */
const BYTE_MAX = 127
/** The same of two bytes. */
const SHORT_MAX = 32_767
/** Sums of products are whole numbers of 31 bits and a sign. */
const SUM_MAX = 2 ** 31 - 1

/** Room for the numbers of a vector of the last dimension: a fresh one for each would cost more than the rounding. */
let room = new Int16Array(0)

/** To be kept in one byte a number. The next call overwrites them. */
export function inBytes(vector: Float32Array): Rounding {
  if (room.length !== vector.length) room = new Int16Array(vector.length)
  return rounded(vector, room, BYTE_MAX)
}

/** In two bytes a number, of which fewer are used the longer the vector is: its product with one of bytes is then never too large. */
export function inShorts(vector: Float32Array): Rounding {
  const most = Math.min(SHORT_MAX, Math.floor(SUM_MAX / (BYTE_MAX * vector.length)))
  return rounded(vector, new Int16Array(vector.length), most)
}

/** No number beyond `most`. */
function rounded(vector: Float32Array, numbers: Int16Array, most: number): Rounding {
  let greatest = 0
  // By index: going through a typed array by its iterator takes several times as long.
  for (let at = 0, { length } = vector; at < length; at++) {
    const size = Math.abs(vector[at] as number)
    if (size > greatest) greatest = size
  }
  const unit = Math.fround(greatest / most)
  if (unit === 0) return { numbers: numbers.fill(0), unit: 0, error: greatest * Math.sqrt(vector.length) }
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
