/** Memories by the cosine of their vectors. */
import { isAlive } from '../domain/expiry.js'
import type { Pieces } from '../domain/pieces.js'
import { toCosine } from '../domain/vector.js'
import type { Held, Holdings } from './holdings.js'
import type { NearestOptions, SimilarHeld } from './matches.js'

/** How many times more is asked of the index when several of its answers were parts of one memory. */
const WIDENING = 4

/** Asks the index for more and more parts, until enough of the memories that they belong to are known or nothing is left. */
export function* nearestEntries(holdings: Holdings, vector: Float32Array, options: NearestOptions): Pieces<SimilarHeld[]> {
  const { vectors, byLabel } = holdings
  const floor = options.floor ?? -1
  function isAccepted(label: number): boolean {
    const { entry } = byLabel.get(label) as Held
    return isAlive(entry.memory, options.now) && options.accept?.(entry) !== false
  }
  // Where every memory may be found, none has to be read from memory to be ruled out.
  const accept = holdings.expiring === 0 && options.accept === undefined ? undefined : isAccepted
  for (let wanted = options.limit; ; wanted *= WIDENING) {
    const hits = yield* vectors.searchInPieces(vector, Math.min(wanted, vectors.size), accept)
    const seen = holdings.divided > 0 ? new Set<Held>() : null
    const found: SimilarHeld[] = []
    for (const { label, similarity } of hits) {
      const held = byLabel.get(label) as Held
      if (similarity < floor || seen?.has(held) === true) continue
      seen?.add(held)
      found.push({ held, entry: held.entry, similarity: toCosine(similarity) })
    }
    // Stryker disable next-line UnaryOperator: where nothing is answered, fewer are than were wanted
    const isExhausted = hits.length < wanted || (hits.at(-1)?.similarity ?? -1) < floor
    if (found.length >= options.limit || isExhausted) return found.sort(nearestFirst).slice(0, options.limit)
  }
}

function nearestFirst(a: SimilarHeld, b: SimilarHeld): number {
  return b.similarity - a.similarity || a.entry.memory.seq - b.entry.memory.seq
}
