/** Keeps numbers within ranges that can be computed with, exported and imported again, whatever the input and however often it is used. */
import { COUNT_MAX, FLOAT32_MAX, TIME_MAX_S } from './limits.js'

/** Increments a count, up to COUNT_MAX. */
export function oneMore(count: number): number {
  return Math.min(count + 1, COUNT_MAX)
}

/** Caps an importance or a weight (at least 0), so that sums and products stay far from the limits of double precision. */
export function boundedWeight(weight: number): number {
  return Math.min(weight, FLOAT32_MAX)
}

/** Clamps epoch seconds to the range of ECMAScript dates; times beyond mean `for ever`. */
export function boundedTime(time: number): number {
  return Math.max(-TIME_MAX_S, Math.min(TIME_MAX_S, time))
}
