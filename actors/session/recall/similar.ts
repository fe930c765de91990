import { createBestOf } from '../../../src/domain/best-of.js'
import { isAlive } from '../../../src/domain/expiry.js'
import { NEIGHBOURS_MAX, REWORDED_NEIGHBOURS_MAX } from '../../../src/domain/limits.js'
import { createPace, inOneGo, isPauseDue, type Pieces } from '../../../src/domain/pieces.js'
import { similarity } from '../../../src/domain/semantic-state.js'
import type { MemoryEntry } from '../../../src/domain/session.js'
import { PRODUCTS_A_PIECE, PRODUCTS_A_VECTOR } from '../../../src/domain/vector.js'
import type { SimilarEntry } from '../../../src/retrieval/matches.js'
import { CANDIDATES_MIN } from '../../../src/retrieval/retrieve.js'
import { hashText } from '../record/hash.js'
import { isShort, memoryVector } from '../record/memory-vector.js'
import type { SessionState } from '../record/state.js'
import type { EmbeddedText } from '../record/work.js'

/** As many as retrieval asks for: what this search finds is kept, and then answers retrieval as well. */
const MANY = CANDIDATES_MIN
/**
 * How many neighbours are asked for at first, and each time that a reader goes on. Most readers stop within a few, and a short circuit
 * within those of a rewording.
 */
const LIMITS = [REWORDED_NEIGHBOURS_MAX + 8, MANY, NEIGHBOURS_MAX] as const
/** The same where searching again costs much. */
const LIMITS_OF_MANY = [MANY, NEIGHBOURS_MAX] as const

/** Multiplications of a search that cost much: a millisecond, with 21,845 memories of 384. */
const LARGE_PRODUCTS = 2 ** 23

/**
 * The same list for several readers: it is computed once, as far as the one who reads furthest. A class: of a generator function that is
 * made for one list alone V8 keeps the list until the next full collection.
 */
class Shared<Item> implements Iterable<Item> {
  private readonly known: Item[] = []

  constructor(private readonly items: Iterator<Item, void>) {}

  *[Symbol.iterator](): Generator<Item, void> {
    for (let at = 0; ; at++) {
      if (at === this.known.length) {
        const next = this.items.next()
        if (next.done === true) return
        this.known.push(next.value)
      }
      yield this.known[at] as Item
    }
  }
}

/**
 * Live memories by their resemblance to a text: first those that are it word for word, at 1 whatever their vectors, then by similarity,
 * unless its own vector is pending. Stale once a memory changes.
 */
export function* resembling(state: SessionState, text: EmbeddedText, searched: Searched): Pieces<Iterable<SimilarEntry>> {
  const isChosen = chosenBy(state, searched.userId)
  const isFound = (entry: MemoryEntry): boolean => isAlive(entry.memory, searched.now) && isChosen?.(entry) !== false
  const same = new Set(state.corpus.allByHash(hashText(text.text)).filter(isFound))
  const similar = text.isPending ? [] : yield* mostSimilar(state, memoryVector(text), searched)
  return new Shared(sameFirst(same, similar))
}

function* sameFirst(same: ReadonlySet<MemoryEntry>, similar: Iterable<SimilarEntry>): Generator<SimilarEntry, void> {
  for (const entry of same) yield { entry, similarity: 1 }
  for (const hit of similar) if (!same.has(hit.entry)) yield hit
}

/** Among which memories neighbours are looked for. */
export interface Searched {
  /** Epoch seconds: what expired by then is none. */
  readonly now: number
  /** Whose memories; null is nobody's. Default: everybody's. */
  readonly userId?: string | null | undefined
  /** Whether retrieval searches with the same vector next. Default: it does not. */
  readonly isRetrieved?: boolean
}

/** Undefined where no memory has to be looked at to know that it is. */
function chosenBy({ corpus }: SessionState, userId: string | null | undefined): ((entry: MemoryEntry) => boolean) | undefined {
  if (userId === undefined || corpus.countOf(userId) === corpus.size) return undefined
  return ({ memory }) => memory.userId === userId
}

/**
 * The live memories by the similarity of whole texts, nearest first; at most NEIGHBOURS_MAX. A text of several parts is compared by the
 * mean of its parts, not by its best one: a passage is not its document. What costs much is worked out in pieces, the rest as far as it is
 * read. Stale once a memory changes.
 */
export function* mostSimilar(state: SessionState, vector: Float32Array, searched: Searched): Pieces<Iterable<SimilarEntry>> {
  const { now, userId, isRetrieved = false } = searched
  const { corpus } = state
  // What is somebody's first text here is like none of theirs.
  if (userId !== undefined && corpus.countOf(userId) === 0) return []
  const chosen = { vector, now, accept: chosenBy(state, userId) }
  const limits = isRetrieved || corpus.size * corpus.dimension > LARGE_PRODUCTS ? LIMITS_OF_MANY : LIMITS
  const short = yield* nearestShort(state, chosen, limits[0])
  const long = state.longTexts.size === 0 ? [] : yield* longTexts(state, chosen)
  return merged(state, chosen, { short, limits, long })
}

interface Chosen {
  readonly vector: Float32Array
  readonly now: number
  readonly accept: ((entry: MemoryEntry) => boolean) | undefined
}

interface Found {
  /** Memories of one vector, as many as the first limit. */
  readonly short: readonly SimilarEntry[]
  readonly limits: readonly number[]
  /** The nearest of several vectors. */
  readonly long: readonly SimilarEntry[]
}

function* merged(state: SessionState, chosen: Chosen, { short, limits, long }: Found): Iterable<SimilarEntry> {
  let nextLong = 0
  let read = 0
  for (const [at, limit] of limits.entries()) {
    const hits = at === 0 ? short : inOneGo(nearestShort(state, chosen, limit))
    for (const hit of hits.slice(read)) {
      for (; nextLong < long.length && (long[nextLong] as SimilarEntry).similarity > hit.similarity; nextLong++)
        yield long[nextLong] as SimilarEntry
      yield hit
    }
    if (hits.length < limit) return yield* long.slice(nextLong)
    read = limit
  }
}

function* nearestShort({ corpus, longTexts }: SessionState, { vector, now, accept }: Chosen, limit: number): Pieces<SimilarEntry[]> {
  const isFound = (entry: MemoryEntry): boolean => isShort(entry) && accept?.(entry) !== false
  try {
    const isAny = longTexts.size === 0 && accept === undefined
    return yield* corpus.nearestInPieces(vector, { limit, now, ...(!isAny && { accept: isFound }) })
  } catch {
    // Interface, Run response: a retrieval fault costs a turn its context block, nothing more. What is looked up here has to be right.
    return yield* ranked(corpus.ordered(), { vector, now, accept: isFound }, limit)
  }
}

function longTexts(state: SessionState, chosen: Chosen): Pieces<SimilarEntry[]> {
  const entries = Array.from(state.longTexts, (id) => state.corpus.get(id)).filter((entry) => entry !== undefined)
  return ranked(entries, chosen, NEIGHBOURS_MAX)
}

/** What an index would find among the entries, without it. */
function* ranked(entries: Iterable<MemoryEntry>, { vector, now, accept }: Chosen, limit: number): Pieces<SimilarEntry[]> {
  const best = createBestOf<SimilarEntry>(limit, isBehind)
  const pace = createPace()
  for (const entry of entries) {
    if (isPauseDue(pace, (PRODUCTS_A_VECTOR + entry.memory.vectors.length) / PRODUCTS_A_PIECE)) yield
    if (!isAlive(entry.memory, now) || accept?.(entry) === false) continue
    best.offer({ entry, similarity: similarity(vector, memoryVector(entry.memory)) })
  }
  return best.sorted()
}

function isBehind(a: SimilarEntry, b: SimilarEntry): boolean {
  return a.similarity < b.similarity || (a.similarity === b.similarity && a.entry.memory.seq > b.entry.memory.seq)
}
