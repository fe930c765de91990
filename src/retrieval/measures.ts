/** How near single memories are to a vector, and those around them: read from what the search has worked out. */
import { isAlive } from '../domain/expiry.js'
import { toCosine } from '../domain/vector.js'
import { documentOf, type Held, type Holdings } from './holdings.js'
import type { Measures } from './matches.js'

export function createMeasures(holdings: Holdings, vector: Float32Array): Measures {
  const { byId, byLabel, sequence, exchanges } = holdings
  const nearness = holdings.vectors.nearness(vector)
  /** The one that was asked about last is asked about again. */
  let lastId: string | null = null
  let last: Held | undefined

  function heldOf(id: string): Held {
    if (id !== lastId) [lastId, last] = [id, byId.get(id)]
    return last as Held
  }

  /** The greater of `least` and the cosine of the memory's nearest part. */
  function nearestPart({ labels }: Held, least: number): number {
    let best = least
    for (const label of labels) {
      if (nearness.atMost(label) > best) best = Math.max(best, toCosine(nearness.of(label)))
    }
    return best
  }

  return {
    of: (id) => nearestPart(heldOf(id), -1),
    around(id, least, now) {
      let best = least
      function look(other: Held | undefined): void {
        if (other !== undefined && (holdings.expiring === 0 || isAlive(other.entry.memory, now))) best = nearestPart(other, best)
      }
      const held = heldOf(id)
      const document = documentOf(held)
      look(byLabel.get(sequence.previous(document)))
      look(byLabel.get(sequence.next(document)))
      for (const question of held.entry.memory.replyTo) look(byId.get(question))
      for (const answer of exchanges.answersOf(id)) look(byId.get(answer))
      return best
    }
  }
}
