/** Cosines to a vector of single memories and of those around them, read from what the search has computed. */
import { isAlive } from '../domain/expiry.js'
import { toCosine } from '../domain/similarity/vector.js'
import { visitAround } from './around.js'
import type { Held, Holdings } from './holdings.js'

/** Cosines to one vector. Memories are named by document number, because most of them are never read. */
export interface Measures {
  /** Cosine of the memory's nearest part, -1..1. */
  of(document: number): number
  /**
   * The greater of `least` and the highest cosine among the unexpired memories around this one: its neighbours and the other half of its
   * exchange.
   */
  around(document: number, least: number): number
}

/** `now`: epoch seconds. */
export function createMeasures(holdings: Holdings, vector: Float32Array, now: number): Measures {
  const nearness = holdings.vectors.nearness(vector)
  /** No memory expires or has several parts: the document number is then its only label, and the memory itself need not be read. */
  const isPlain = holdings.expiring === 0 && holdings.divided === 0
  let best = -1

  function raiseTo(label: number): void {
    if (nearness.atMost(label) > best) best = Math.max(best, toCosine(nearness.of(label)))
  }
  // Allocated once: one per candidate, of which there are hundreds, would be most of the garbage of measuring them.
  function raiseToUnexpired(document: number): void {
    if (isPlain) return raiseTo(document)
    const { entry, labels } = holdings.byLabel.get(document) as Held
    if (isAlive(entry.memory, now)) labels.forEach(raiseTo)
  }

  return {
    of(document) {
      if (isPlain) return toCosine(nearness.of(document))
      best = -1
      ;(holdings.byLabel.get(document) as Held).labels.forEach(raiseTo)
      return best
    },
    around(document, least) {
      best = least
      visitAround(holdings, document, raiseToUnexpired)
      return best
    }
  }
}
