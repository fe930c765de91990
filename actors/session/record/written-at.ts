/** Timestamps that a session writes. */
import { SET_BACK_S_MAX } from '../../../src/domain/limits.js'

/** Seconds between successive timestamps while the clock is behind. */
const TICK_S = 0.001

/**
 * Returns the epoch seconds that a step at `now` writes in a session last written at `lastAt`: never before `lastAt`, so that what was said
 * later is newer, even if the clock was set back, or is that of another node. A difference above SET_BACK_S_MAX is taken as it is.
 */
export function writtenAt(now: number, lastAt: number): number {
  const isBehind = now < lastAt && lastAt - now <= SET_BACK_S_MAX
  return isBehind ? lastAt + TICK_S : now
}
