/** Whether this node may go on as it is: it has not stood still, and hears of itself what the others hear. */
import { ISOLATED_MS } from '../../src/domain/membership.js'
import type { Clock } from '../../src/ports.js'

export interface SelfWatch {
  /**
   * Whether it may go on: not when it stood still, or has heard nothing of itself, for too long; `lost` is then called before this returns.
   * To be asked before anything is read that others have sent: of a node that stood still, what waited may be read before its timers run.
   */
  check(): boolean
  /** The timers run. */
  noteBeat(): void
  /** A heartbeat of its own came back. */
  noteHeard(): void
  /** It begins anew. */
  reset(): void
}

export function createSelfWatch({ clock, lost }: { readonly clock: Pick<Clock, 'monotonicMs'>; readonly lost: () => void }): SelfWatch {
  let beatAtMs = clock.monotonicMs()
  let heardAtMs = beatAtMs
  const noteBeat = (): void => {
    beatAtMs = clock.monotonicMs()
  }
  return {
    check() {
      const nowMs = clock.monotonicMs()
      if (nowMs - beatAtMs < ISOLATED_MS && nowMs - heardAtMs < ISOLATED_MS) return true
      // What it gives up for this need not be given up again.
      noteBeat()
      lost()
      return false
    },
    noteBeat,
    noteHeard() {
      heardAtMs = clock.monotonicMs()
    },
    reset() {
      beatAtMs = heardAtMs = clock.monotonicMs()
    }
  }
}
