/** Where the epochs of a record begin of whose address nothing is remembered. */
import { randomInt } from 'node:crypto'

/** Nobody activates a record so often that a number below it would not stay exact. */
const FIRST_EPOCH_MAX = 2 ** 47

/**
 * From 1, and never the same one twice: a late writer of a record that was removed, and whose tombstone has gone, does not know the epoch
 * of the next one of its name.
 */
export function firstEpoch(): number {
  return randomInt(1, FIRST_EPOCH_MAX)
}
