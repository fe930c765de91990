/** First epoch of a record of which nothing is remembered, not even a tombstone. */
import { randomInt } from 'node:crypto'

/** Leaves room for so many activations that epochs stay exact integers. */
const FIRST_EPOCH_MAX = 2 ** 47

/**
 * Returns a random epoch of at least 1, so that it never repeats. A late writer of a record that was removed, and whose tombstone has
 * expired, cannot guess the epoch of a new record of the same name.
 */
export function firstEpoch(): number {
  return randomInt(1, FIRST_EPOCH_MAX)
}
