/** The time that a session writes down. */
import { SET_BACK_S_MAX } from '../../../src/domain/limits.js'

/** Seconds between what is written one after the other while the clock is behind. */
const TICK_S = 0.001

/**
 * Epoch seconds that a step at `now` writes, in a session that was last written at `lastAt`: never before that, so that what was said later
 * is the newer. The clock may have been set back since, or be that of another node.
 */
export function writtenAt(now: number, lastAt: number): number {
  const isBehind = now < lastAt && lastAt - now <= SET_BACK_S_MAX
  return isBehind ? lastAt + TICK_S : now
}
