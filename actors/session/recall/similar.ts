import { isAlive } from '../../../src/domain/expiry.js'
import { NEIGHBOURS_MAX, REWORDED_NEIGHBOURS_MAX } from '../../../src/domain/limits.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { similarity } from '../../../src/domain/semantic-state.js'
import type { SimilarEntry } from '../../../src/retrieval/matches.js'
import { hashText } from '../record/hash.js'
import { isShort, memoryVector } from '../record/memory-vector.js'
import type { SessionState } from '../record/state.js'
import type { EmbeddedText } from '../record/work.js'

/**
 * Neighbours asked for at first, and the last ones a caller can have: most stop within a few, and a short circuit within those of a
 * rewording. What the search compared is kept, so that going on costs a choice among the same similarities.
 */
const NEIGHBOURS_ASKED = [REWORDED_NEIGHBOURS_MAX + 8, 128, NEIGHBOURS_MAX] as const

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
    }
  }
}

/**
 * Live memories by their resemblance to a text: first those that are it word for word, at 1 whatever their vectors, then by similarity,
 * unless its own vector is pending.
 */
export function* resembling(state: SessionState, text: EmbeddedText, now: number): Generator<SimilarEntry, void> {
  const same = new Set(state.corpus.allByHash(hashText(text.text)).filter((entry) => isAlive(entry.memory, now)))
  for (const entry of same) yield { entry, similarity: 1 }
  if (text.isPending) return
  for (const hit of mostSimilar(state, memoryVector(text), now)) if (!same.has(hit.entry)) yield hit
}

/** Works out in pieces what `resembling` needs, unless the text is there word for word: most callers stop at that. */
export function* lookAlike({ corpus }: SessionState, text: EmbeddedText): Pieces<void> {
  if (text.isPending !== true && corpus.byHash(hashText(text.text)) === undefined) yield* corpus.lookAhead(memoryVector(text))
}

/**
 * The live memories by the similarity of whole texts, nearest first, computed as far as they are read; at most NEIGHBOURS_MAX.
 * A text of several parts is compared by the mean of its parts, not by its best one: a passage is not its document.
 */
export function* mostSimilar(state: SessionState, vector: Float32Array, now: number): Generator<SimilarEntry, void> {
  const long = longTexts(state, vector, now)
  let nextLong = 0
  let read = 0
  for (const limit of NEIGHBOURS_ASKED) {
    const hits = nearestShort(state, vector, { limit, now })
    for (const hit of hits.slice(read)) {
      for (; nextLong < long.length && (long[nextLong] as SimilarEntry).similarity > hit.similarity; nextLong++)
        yield long[nextLong] as SimilarEntry
      yield hit
    }
    if (hits.length < limit) return yield* long.slice(nextLong)
    read = limit
  }
}

function nearestShort(state: SessionState, vector: Float32Array, query: { limit: number; now: number }): SimilarEntry[] {
  try {
    return state.corpus.nearest(vector, state.longTexts.size === 0 ? query : { ...query, accept: isShort })
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
    .slice(0, NEIGHBOURS_MAX)
}
