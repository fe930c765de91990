/** How near single memories are to a vector, and those around them: read from what the search has worked out. */
import { isAlive } from '../domain/expiry.js'
import { toCosine } from '../domain/vector.js'
import { type Around, lookAround } from './around.js'
import type { Held, Holdings } from './holdings.js'
import type { Measures } from './matches.js'

/** `now`: epoch seconds. */
export function createMeasures(holdings: Holdings, vector: Float32Array, now: number): Measures {
  const nearness = holdings.vectors.nearness(vector)
  /** Without any, a document number says all that is asked of a memory here, and it is not read. */
  const isPlain = holdings.expiring === 0 && holdings.divided === 0
  let best = -1

  function raiseBy(label: number): void {
    if (nearness.atMost(label) > best) best = Math.max(best, toCosine(nearness.of(label)))
  }
  /** Raises `best` to the cosine of the memory's nearest part. */
  function raise({ labels }: Held): void {
    for (const label of labels) raiseBy(label)
  }
  function half(other: Held | undefined): void {
    if (other !== undefined && (holdings.expiring === 0 || isAlive(other.entry.memory, now))) raise(other)
  }
  function beside(document: number): void {
    if (document < 0) return
    if (isPlain) raiseBy(document)
    else half(holdings.byLabel.get(document))
  }
  // Made once: one for each of hundreds of candidates would be most of what measuring them leaves to collect.
  const look: Around = { beside, half }

  return {
    of(document) {
      if (isPlain) return toCosine(nearness.of(document))
      best = -1
      raise(holdings.byLabel.get(document) as Held)
      return best
    },
    around(document, least) {
      best = least
      lookAround(holdings, document, look)
      return best
    }
  }
}
