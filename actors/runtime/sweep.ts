/** Passivates many actors without blocking the event loop. */
import type { Clock } from '../../src/ports.js'
import { pause } from '../../src/time-limit.js'
import type { Entry } from './entry.js'
import { evict, type EvictionState, isEvictable } from './eviction.js'

/** Actors asked to passivate in one iteration of the event loop. */
export const PASSIVATIONS_A_SLICE = 64

interface Sweep {
  readonly isWanted: (entry: Entry) => boolean
  readonly isKept: (entry: Entry) => boolean
}

/**
 * Evicts entries, least recently used first, up to the first one that is not wanted. Skips those that are kept or cannot be evicted. Yields
 * to the event loop every `PASSIVATIONS_A_SLICE` evictions.
 */
export async function evictWhile(eviction: EvictionState, clock: Clock, { isWanted, isKept }: Sweep): Promise<void> {
  for (;;) {
    let evicted = 0
    for (const entry of eviction.registry.entries()) {
      if (evicted === PASSIVATIONS_A_SLICE || !isWanted(entry)) break
      if (!isEvictable(entry) || isKept(entry)) continue
      evict(eviction, entry)
      evicted += 1
    }
    if (evicted < PASSIVATIONS_A_SLICE) return
    await pause(clock, 0)
  }
}

/** Evicts those of `entries` that are wanted, checked one by one. Yields to the event loop every `PASSIVATIONS_A_SLICE` entries. */
export async function evictEach(
  eviction: EvictionState,
  clock: Clock,
  { entries, isWanted }: { readonly entries: readonly Entry[]; readonly isWanted: (entry: Entry) => boolean }
): Promise<void> {
  for (const [at, entry] of entries.entries()) {
    if (isWanted(entry) && isEvictable(entry)) evict(eviction, entry)
    if ((at + 1) % PASSIVATIONS_A_SLICE === 0) await pause(clock, 0)
  }
}
