/** Whether the storage answers: a node without it leaves its work to those that have it. */
import type { Clock } from '../../src/ports.js'
import { fromStorage } from '../asking/time-limit.js'

/** Milliseconds for one answer, and without any before the storage counts as lost. */
const ANSWER_MS_MAX = 1_000
const LOST_MS = 3_000

export interface StorageWatchOptions {
  readonly check: () => Promise<void>
  readonly clock: Clock
  /** It answered. */
  readonly found: () => void
  /** It has not answered for too long. Called with every look that finds it so. */
  readonly lost: () => void
}

/** One look; none begins before the last one has ended. */
export function createStorageWatch({ check, clock, found, lost }: StorageWatchOptions): () => void {
  let answeredAtMs = clock.monotonicMs()
  let isLooking = false
  return () => {
    if (isLooking) return
    isLooking = true
    fromStorage(check(), { clock, limitMs: ANSWER_MS_MAX })
      .then(
        () => {
          answeredAtMs = clock.monotonicMs()
          found()
        },
        // Why it does not is what readiness tells.
        () => {
          if (clock.monotonicMs() - answeredAtMs >= LOST_MS) lost()
        }
      )
      .finally(() => {
        isLooking = false
      })
  }
}
