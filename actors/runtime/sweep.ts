/** Putting many actors away, least recently used first, without keeping the event loop. */
import type { Clock } from '../../src/ports.js'
import type { Incarnations } from './activations.js'
import type { Entry } from './entry.js'

/** Actors asked to passivate before the event loop gets a turn. */
export const PASSIVATIONS_A_TURN = 64

interface Eviction {
  readonly isWanted: (entry: Entry) => boolean
  readonly isKept: (entry: Entry) => boolean
}

/** Evicts the least recently used entries as long as one is wanted, but for those that are kept, with a turn of the event loop now and then. */
export async function evictWhile(incarnations: Incarnations, clock: Clock, { isWanted, isKept }: Eviction): Promise<void> {
  for (;;) {
    let evicted = 0
    for (const entry of incarnations.registry.entries()) {
      if (evicted === PASSIVATIONS_A_TURN || !isWanted(entry)) break
      if (!incarnations.isEvictable(entry) || isKept(entry)) continue
      incarnations.evict(entry)
      evicted += 1
    }
    if (evicted < PASSIVATIONS_A_TURN) return
    await new Promise<void>((resolve) => clock.after(0, resolve))
  }
}
