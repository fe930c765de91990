/** How near single memories are to a vector, and those around them: read from what the search has worked out. */
import { isAlive } from '../domain/expiry.js'
import { toCosine } from '../domain/vector.js'
import { lookAround } from './around.js'
import type { Held, Holdings } from './holdings.js'
import type { Measures } from './matches.js'

/** `now`: epoch seconds. */
export function createMeasures(holdings: Holdings, vector: Float32Array, now: number): Measures {
  const nearness = holdings.vectors.nearness(vector)
  let best = -1

  /** Raises `best` to the cosine of the memory's nearest part. */
  function raise({ labels }: Held): void {
    for (const label of labels) {
      if (nearness.atMost(label) > best) best = Math.max(best, toCosine(nearness.of(label)))
    }
  }

  // Made once: one for each of hundreds of candidates would be most of what measuring them leaves to collect.
  function look(other: Held | undefined): void {
    if (other !== undefined && (holdings.expiring === 0 || isAlive(other.entry.memory, now))) raise(other)
  }

  return {
    of(held) {
      best = -1
      raise(held)
      return best
    },
    around(held, least) {
      best = least
      lookAround(holdings, held, look)
      return best
    }
  }
}
