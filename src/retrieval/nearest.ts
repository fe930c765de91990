/** Memories by the cosine of their vectors. */
import { isAlive } from '../domain/expiry.js'
import { toCosine } from '../domain/vector.js'
import type { NearestOptions, SimilarEntry } from './corpus.js'
import type { Held, Holdings } from './holdings.js'

/** How many times more is asked of the index when too little of its answer was acceptable. */
const WIDENING = 4

/** Asks the index for more and more, until enough of what it returns is acceptable or nothing is left. */
export function nearestEntries(holdings: Holdings, vector: Float32Array, options: NearestOptions): SimilarEntry[] {
  const { vectors, byLabel } = holdings
  const floor = options.floor ?? -1
  for (let wanted = options.limit; ; wanted *= WIDENING) {
    const hits = vectors.search(vector, Math.min(wanted, vectors.size))
    const best = new Map<Held, number>()
    for (const { label, similarity } of hits) {
      const held = byLabel.get(label)
      if (similarity < floor || held === undefined || best.has(held)) continue
      if (isAlive(held.entry.memory, options.now) && (options.accept?.(held.entry) ?? true)) best.set(held, similarity)
    }
    const isExhausted = wanted >= vectors.size || (hits.at(-1)?.similarity ?? -1) < floor
    if (best.size >= options.limit || isExhausted) return ranked(best).slice(0, options.limit)
  }
}

function ranked(best: ReadonlyMap<Held, number>): SimilarEntry[] {
  return [...best]
    .map(([{ entry }, similarity]) => ({ entry, similarity: toCosine(similarity) }))
    .sort((a, b) => b.similarity - a.similarity || a.entry.memory.seq - b.entry.memory.seq)
}
