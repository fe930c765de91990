/** Detects that this node stood still, or that its own heartbeats no longer come back to it from the broker. */
import { ISOLATED_MS } from '../../src/domain/nodes/membership.js'
import type { Clock } from '../../src/ports.js'

interface SelfWatch {
  /**
   * Whether the node may go on. Returns false, after calling `lost`, when the node stood still, or did not hear itself, for too long.
   * Call it before handling any message: after the node stood still, waiting messages may be read before its timers run.
   */
  check(): boolean
  /** Whether none of the node's own heartbeats came back for so long that it counts as cut off. */
  isUnheard(): boolean
  /** Notes that the timers run. */
  noteBeat(): void
  /** Notes that one of the node's own heartbeats came back. */
  noteHeard(): void
  /** Starts over, for a new incarnation. */
  reset(): void
}

export function createSelfWatch({ clock, lost }: { readonly clock: Pick<Clock, 'monotonicMs'>; readonly lost: () => void }): SelfWatch {
  let beatAtMs = clock.monotonicMs()
  let heardAtMs = beatAtMs
  const noteBeat = (): void => {
    beatAtMs = clock.monotonicMs()
  }
  const isUnheard = (): boolean => clock.monotonicMs() - heardAtMs >= ISOLATED_MS
  return {
    check() {
      if (clock.monotonicMs() - beatAtMs < ISOLATED_MS && !isUnheard()) return true
      // Restarts the period, so that `lost` is not called again for the same standstill.
      noteBeat()
      lost()
      return false
    },
    isUnheard,
    noteBeat,
    noteHeard() {
      heardAtMs = clock.monotonicMs()
    },
    reset() {
      beatAtMs = heardAtMs = clock.monotonicMs()
    }
  }
}
