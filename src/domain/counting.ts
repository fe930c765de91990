/** Keeps numbers where they can be reckoned with, exported and imported again, whatever came in and however often it is used. */
import { COUNT_MAX, FLOAT32_MAX, TIME_MAX_S } from './limits.js'

/** One more, or as many where that is as far as counting goes. */
export function oneMore(count: number): number {
  return Math.min(count + 1, COUNT_MAX)
}

/** An importance or a weight, at least 0, of which sums and products stay far from where double precision ends. */
export function boundedWeight(weight: number): number {
  return Math.min(weight, FLOAT32_MAX)
}

/** Epoch seconds within what dates can name: `for ever` is as good as far away. */
export function boundedTime(time: number): number {
  return Math.max(-TIME_MAX_S, Math.min(TIME_MAX_S, time))
}
