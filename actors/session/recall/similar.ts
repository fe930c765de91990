import { isAlive } from '../../../src/domain/expiry.js'
import { NEIGHBOURS_MAX, REWORDED_NEIGHBOURS_MAX } from '../../../src/domain/limits.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { similarity } from '../../../src/domain/semantic-state.js'
import type { MemoryEntry } from '../../../src/domain/session.js'
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
export function* resembling(state: SessionState, text: EmbeddedText, { now, userId }: Searched): Generator<SimilarEntry, void> {
  const isChosen = chosenBy(state, userId)
  const same = new Set(
    state.corpus.allByHash(hashText(text.text)).filter((entry) => isAlive(entry.memory, now) && isChosen?.(entry) !== false)
  )
  for (const entry of same) yield { entry, similarity: 1 }
  if (text.isPending) return
  for (const hit of mostSimilar(state, memoryVector(text), { now, userId })) if (!same.has(hit.entry)) yield hit
}

/** Among which memories neighbours are looked for. */
export interface Searched {
  /** Epoch seconds: what expired by then is none. */
  readonly now: number
  /** Whose memories; null is nobody's. Default: everybody's. */
  readonly userId?: string | null | undefined
}

/** Undefined where no memory has to be looked at to know that it is. */
function chosenBy({ corpus }: SessionState, userId: string | null | undefined): ((entry: MemoryEntry) => boolean) | undefined {
  if (userId === undefined || corpus.countOf(userId) === corpus.size) return undefined
  return ({ memory }) => memory.userId === userId
}

/** Works out in pieces what `resembling` needs, unless the text is there word for word: most callers stop at that. */
export function* lookAlike({ corpus }: SessionState, text: EmbeddedText): Pieces<void> {
  if (text.isPending !== true && corpus.byHash(hashText(text.text)) === undefined) yield* corpus.lookAhead(memoryVector(text))
}

/**
 * The live memories by the similarity of whole texts, nearest first, computed as far as they are read; at most NEIGHBOURS_MAX.
 * A text of several parts is compared by the mean of its parts, not by its best one: a passage is not its document.
 */
export function* mostSimilar(state: SessionState, vector: Float32Array, searched: Searched): Generator<SimilarEntry, void> {
  const { now, userId } = searched
  // What is somebody's first text here is like none of theirs.
  if (userId !== undefined && state.corpus.countOf(userId) === 0) return
  const accept = chosenBy(state, userId)
  const long = longTexts(state, vector, { now, accept })
  let nextLong = 0
  let read = 0
  for (const limit of NEIGHBOURS_ASKED) {
    const hits = nearestShort(state, vector, { limit, now, accept })
    for (const hit of hits.slice(read)) {
      for (; nextLong < long.length && (long[nextLong] as SimilarEntry).similarity > hit.similarity; nextLong++)
        yield long[nextLong] as SimilarEntry
      yield hit
    }
    if (hits.length < limit) return yield* long.slice(nextLong)
    read = limit
  }
}

interface Chosen {
  readonly now: number
  readonly accept: ((entry: MemoryEntry) => boolean) | undefined
}

function nearestShort(state: SessionState, vector: Float32Array, { limit, now, accept }: Chosen & { limit: number }): SimilarEntry[] {
  const isFound = (entry: MemoryEntry): boolean => isShort(entry) && accept?.(entry) !== false
  try {
    const isAny = state.longTexts.size === 0 && accept === undefined
    return state.corpus.nearest(vector, { limit, now, ...(!isAny && { accept: isFound }) })
  } catch {
    // Interface, Run response: a retrieval fault costs a turn its context block, nothing more. What is looked up here has to be right.
    return ranked([...state.corpus.ordered()].filter(isFound), { vector, now, limit })
  }
}

function longTexts(state: SessionState, vector: Float32Array, { now, accept }: Chosen): SimilarEntry[] {
  const entries = [...state.longTexts].flatMap((id) => state.corpus.get(id) ?? [])
  return ranked(
    entries.filter((entry) => accept?.(entry) !== false),
    { vector, now, limit: NEIGHBOURS_MAX }
  )
}

/** What an index would find among the entries, without it. */
function ranked(entries: readonly MemoryEntry[], query: { vector: Float32Array; now: number; limit: number }): SimilarEntry[] {
  return entries
    .filter((entry) => isAlive(entry.memory, query.now))
    .map((entry) => ({ entry, similarity: similarity(query.vector, memoryVector(entry.memory)) }))
    .sort((a, b) => b.similarity - a.similarity || a.entry.memory.seq - b.entry.memory.seq)
    .slice(0, query.limit)
}
