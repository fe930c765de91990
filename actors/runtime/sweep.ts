/** Passivates many actors without blocking the event loop. */
import { pause } from '../../src/time-limit.js'
import type { Actors } from './actors.js'
import type { Entry } from './entry.js'
import { evict, isEvictable, isIrreplaceable } from './eviction.js'

/** Actors asked to passivate in one iteration of the event loop. */
export const PASSIVATIONS_A_SLICE = 64

/** Passivates the actors that have been idle for their time to live. */
export function sweepIdle(actors: Actors): Promise<void> {
  const { clock, idleTtlMs } = actors.options
  return evictWhile(actors, {
    isWanted: ({ touchedAtMs }) => clock.monotonicMs() - touchedAtMs > idleTtlMs,
    isKept: (entry) => isIrreplaceable(actors, entry)
  })
}

interface Sweep {
  readonly isWanted: (entry: Entry) => boolean
  readonly isKept: (entry: Entry) => boolean
}

/**
 * Evicts entries, least recently used first, up to the first one that is not wanted. Skips those that are kept or cannot be evicted. Yields
 * to the event loop every `PASSIVATIONS_A_SLICE` evictions.
 */
export async function evictWhile(actors: Actors, { isWanted, isKept }: Sweep): Promise<void> {
  for (;;) {
    let evicted = 0
    for (const entry of actors.registry.entries()) {
      if (evicted === PASSIVATIONS_A_SLICE || !isWanted(entry)) break
      if (!isEvictable(entry) || isKept(entry)) continue
      evict(actors, entry)
      evicted += 1
    }
    if (evicted < PASSIVATIONS_A_SLICE) return
    await pause(actors.options.clock, 0)
  }
}

/** Evicts those of `entries` that are wanted, checked one by one. Yields to the event loop every `PASSIVATIONS_A_SLICE` entries. */
export async function evictEach(actors: Actors, entries: readonly Entry[], isWanted: (entry: Entry) => boolean): Promise<void> {
  for (const [at, entry] of entries.entries()) {
    if (isWanted(entry) && isEvictable(entry)) evict(actors, entry)
    if ((at + 1) % PASSIVATIONS_A_SLICE === 0) await pause(actors.options.clock, 0)
  }
}
