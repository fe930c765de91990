/** Finds memories by the cosine of their vectors. */
import type { Pieces } from '../domain/pieces.js'
import type { MemoryEntry } from '../domain/session.js'
import { toCosine } from '../domain/similarity/vector.js'
import { documentOf, type Held, type Holdings } from './holdings.js'
import { passes, type SearchOptions } from './query.js'

export interface SimilarEntry {
  readonly entry: MemoryEntry
  /** Highest cosine among the memory's parts, -1..1. */
  readonly similarity: number
}

/** A similar entry with its document number. Reads the memory on demand: for most of those found, the number is enough. */
export class SimilarDocument implements SimilarEntry {
  constructor(
    private readonly held: Held,
    readonly document: number,
    readonly similarity: number
  ) {}

  get entry(): MemoryEntry {
    return this.held.entry
  }
}

/** Factor by which more is asked of the index when several of its answers were parts of one memory. */
const WIDENING = 4

/** Asks the index for more and more parts, until they belong to enough different memories or nothing is left. */
export function* nearestEntries(holdings: Holdings, vector: Float32Array, options: SearchOptions): Pieces<SimilarDocument[]> {
  const { vectors, byLabel, divided } = holdings
  const isAccepted = (label: number): boolean => passes((byLabel.get(label) as Held).entry, options)
  // When every memory may be returned, none has to be read to check it.
  const accept = holdings.expiring === 0 && options.accept === undefined ? undefined : isAccepted
  for (let wanted = options.limit; ; wanted *= WIDENING) {
    const hits = yield* vectors.search(vector, Math.min(wanted, vectors.size), accept)
    const seen = divided > 0 ? new Set<Held>() : null
    const found: SimilarDocument[] = []
    for (const { label, similarity } of hits) {
      const held = byLabel.get(label) as Held
      if (seen?.has(held) === true) continue
      seen?.add(held)
      found.push(new SimilarDocument(held, divided > 0 ? documentOf(held) : label, toCosine(similarity)))
    }
    if (found.length >= options.limit || hits.length < wanted) return found.sort(nearestFirst).slice(0, options.limit)
  }
}

function nearestFirst(a: SimilarDocument, b: SimilarDocument): number {
  return b.similarity - a.similarity || a.entry.memory.seq - b.entry.memory.seq
}
