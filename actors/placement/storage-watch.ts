/** Watches whether storage answers: a node that cannot reach it leaves its work to the nodes that can. */
import type { Clock } from '../../src/ports.js'
import { fromStorage } from '../../src/time-limit.js'

/** Milliseconds for one answer, and milliseconds without any answer before storage counts as lost. */
const ANSWER_MS_MAX = 1_000
const LOST_MS = 3_000

interface StorageWatchOptions {
  readonly check: () => Promise<void>
  readonly clock: Clock
  /** Called when storage answered. */
  readonly found: () => void
  /** Called by each check that fails after storage has not answered for too long. */
  readonly lost: () => void
}

/** Returns a function that starts a check. No-op while a check is under way. */
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
        // The error is dropped: readiness reports the reason.
        () => {
          if (clock.monotonicMs() - answeredAtMs >= LOST_MS) lost()
        }
      )
      .finally(() => {
        isLooking = false
      })
  }
}
