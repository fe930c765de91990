/** Detects another process under this node's name. Two that start at the same time do not see each other join. */
import type { Heartbeat } from '../../src/domain/nodes/membership.js'
import type { Clock } from '../../src/ports.js'

/** Milliseconds for which the other is heard before one of the two ends: two heartbeats, as one may be the last of an ended process. */
const BESIDE_MS = 1_000

interface NamesakeWatch {
  /**
   * Whether this process has to end in favour of the one heard. Of two processes that keep running, exactly one gets true, regardless of
   * what each has heard before.
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
