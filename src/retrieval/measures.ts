/** Cosines to a vector of single memories and of those around them, read from what the search has computed. */
import { isAlive } from '../domain/expiry.js'
import { toCosine } from '../domain/similarity/vector.js'
import { type Around, lookAround } from './around.js'
import type { Held, Holdings } from './holdings.js'
import type { Measures } from './matches.js'

/** `now`: epoch seconds. */
export function createMeasures(holdings: Holdings, vector: Float32Array, now: number): Measures {
  const nearness = holdings.vectors.nearness(vector)
  /** No memory expires or has several parts: the document number is then its only label, and the memory itself need not be read. */
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
  // Allocated once: one per candidate, of which there are hundreds, would be most of the garbage of measuring them.
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
