import { isAlive } from '../../src/domain/expiry.js'
import { similarity } from '../../src/domain/semantic-state.js'
import type { MemoryEntry } from '../../src/domain/session.js'
import type { SimilarEntry } from '../../src/retrieval/corpus.js'
import { hashText } from './hash.js'
import { memoryVector } from './memory-vector.js'
import type { SessionState } from './state.js'
import type { EmbeddedText } from './work.js'

/** Neighbours asked for at first: most callers stop within a few. */
const FIRST_NEIGHBOURS = 16
const GROWTH = 4

/** The same list for several readers: it is computed once, as far as the one who reads furthest. Stale once a memory changes. */
export function shared<Item>(items: Generator<Item, void>): Iterable<Item> {
  const known: Item[] = []
  return {
    *[Symbol.iterator]() {
      for (let at = 0; ; at++) {
        if (at === known.length) {
          const next = items.next()
          if (next.done === true) return
          known.push(next.value)
        }
        yield known[at] as Item
      }
    },
  }
}

/** All live memories by their resemblance to a text: first those that are it word for word, at 1 whatever their vectors, then by similarity. */
export function* resembling(state: SessionState, text: EmbeddedText, now: number): Generator<SimilarEntry, void> {
  const same = new Set(state.corpus.allByHash(hashText(text.text)).filter((entry) => isAlive(entry.memory, now)))
  for (const entry of same) yield { entry, similarity: 1 }
  for (const hit of mostSimilar(state, memoryVector(text), now)) if (!same.has(hit.entry)) yield hit
}

/**
 * All live memories by the similarity of whole texts, nearest first, computed as far as they are read.
 * A text of several parts is compared by the mean of its parts, not by its best one: a passage is not its document.
 */
export function* mostSimilar(state: SessionState, vector: Float32Array, now: number): Generator<SimilarEntry, void> {
  const long = longTexts(state, vector, now)
  let read = 0
  for (let limit = FIRST_NEIGHBOURS; ; limit *= GROWTH) {
    const hits = nearestShort(state, vector, { limit, now })
    for (const hit of hits.slice(read)) {
      while (long.length > 0 && (long[0] as SimilarEntry).similarity > hit.similarity) yield long.shift() as SimilarEntry
      yield hit
    }
    read = hits.length
    if (hits.length < limit) break
  }
  yield* long
}

function nearestShort(state: SessionState, vector: Float32Array, query: { limit: number; now: number }): SimilarEntry[] {
  try {
    return state.corpus.nearest(vector, { ...query, accept: isShort })
  } catch {
    // Interface, Run response: a retrieval fault costs a turn its context block, nothing more. What is looked up here has to be right.
    return scan(state, vector, query)
  }
}

/** What the index would have found, without it. */
function scan(state: SessionState, vector: Float32Array, { limit, now }: { limit: number; now: number }): SimilarEntry[] {
  return [...state.corpus.ordered()]
    .filter((entry) => isShort(entry) && isAlive(entry.memory, now))
    .map((entry) => ({ entry, similarity: similarity(vector, memoryVector(entry.memory)) }))
    .sort((a, b) => b.similarity - a.similarity || a.entry.memory.seq - b.entry.memory.seq)
    .slice(0, limit)
}

function longTexts(state: SessionState, vector: Float32Array, now: number): SimilarEntry[] {
  return [...state.longTexts]
    .flatMap((id) => state.corpus.get(id) ?? [])
    .filter((entry) => isAlive(entry.memory, now))
    .map((entry) => ({ entry, similarity: similarity(vector, memoryVector(entry.memory)) }))
    .sort((a, b) => b.similarity - a.similarity || a.entry.memory.seq - b.entry.memory.seq)
}

/** Whether the whole text is one vector. */
export function isShort(entry: MemoryEntry): boolean {
  return entry.memory.partEnds.length === 1
}
