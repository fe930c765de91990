/** Another process that runs under this node's name: of two that came at the same time neither saw the other one come. */
import type { Heartbeat } from '../../src/domain/membership.js'
import type { Clock } from '../../src/ports.js'

/** Milliseconds that it is heard for before one of the two ends: two heartbeats, so that the last of one that ended is none. */
const BESIDE_MS = 1_000

export interface NamesakeWatch {
  /**
   * Whether this process has to end for the one that is heard. Of two that go on beside each other that is true for one of them, whatever
   * each has heard of the other one before.
   */
  yieldsTo(heard: Pick<Heartbeat, 'incarnation'>, own: string): boolean
}

export function createNamesakeWatch({ clock }: { readonly clock: Pick<Clock, 'monotonicMs'> }): NamesakeWatch {
  let known = ''
  let sinceMs = 0
  return {
    yieldsTo({ incarnation }, own) {
      const nowMs = clock.monotonicMs()
      if (incarnation !== known) {
        known = incarnation
        sinceMs = nowMs
      }
      return nowMs - sinceMs >= BESIDE_MS && incarnation > own
    }
  }
}
