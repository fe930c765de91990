import { createBestOf } from '../../../src/domain/collections/best-of.js'
import { NEIGHBOURS_MAX, REWORDED_NEIGHBOURS_MAX } from '../../../src/domain/limits.js'
import { createPace, isPauseDue, type Pieces } from '../../../src/domain/pieces.js'
import type { MemoryEntry } from '../../../src/domain/session.js'
import { PRODUCTS_A_PIECE, PRODUCTS_A_VECTOR, similarity } from '../../../src/domain/similarity/vector.js'
import type { SimilarEntry } from '../../../src/retrieval/nearest.js'
import { passes, type SearchFilter } from '../../../src/retrieval/query.js'
import { CANDIDATES_MIN } from '../../../src/retrieval/retrieve.js'
import { hashText } from '../record/hash.js'
import { isShort, memoryVector } from '../record/memory-vector.js'
import type { SessionState } from '../record/state.js'
import type { EmbeddedText } from '../record/work.js'

/** Equal to what retrieval asks for, so that the kept result of this search also serves retrieval. */
const MANY = CANDIDATES_MIN
/**
 * Numbers of neighbours of the first search, and of each further one when a reader goes on. Most readers stop after a few, and a short
 * circuit within those of a rewording.
 */
const LIMITS = [REWORDED_NEIGHBOURS_MAX + 8, MANY, NEIGHBOURS_MAX] as const
/** The same, where each further search is expensive. */
const LIMITS_OF_MANY = [MANY, NEIGHBOURS_MAX] as const

/** Multiplications from which a search is expensive: about a millisecond, 21,845 memories with 384 dimensions. */
const LARGE_PRODUCTS = 2 ** 23

/** Memories by similarity, the nearest first. A null is no memory: others may work before the list goes on. */
export type Neighbours = Iterable<SimilarEntry | null, void>

/**
 * Lazy list for several readers: computed once, as far as the reader that goes furthest. A class, because V8 keeps what a generator
 * function made per list closes over, the list included, until the next full GC.
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
 * Returns the live memories that resemble a text: first those with the same text, with similarity 1 regardless of their vectors, then the
 * others by similarity, unless the text's vector is pending. Stale once a memory changes.
 */
export function* resembling(state: SessionState, text: EmbeddedText, searched: Searched): Pieces<Neighbours> {
  const filter = { now: searched.now, accept: chosenBy(state, searched.userId) }
  const hash = hashText(text.text)
  const same = yield* state.corpus.allByHash(hash)
  const similar = text.isPending ? [] : yield* mostSimilar(state, memoryVector(text), searched)
  return new Shared(sameFirst({ hash, same: same.filter((entry) => passes(entry, filter)) }, similar))
}

/** `same`: memories with the text's own hash. */
function* sameFirst(
  { hash, same }: { readonly hash: string; readonly same: readonly MemoryEntry[] },
  similar: Neighbours
): Generator<SimilarEntry | null, void> {
  for (const entry of same) yield { entry, similarity: 1 }
  for (const hit of similar) if (hit?.entry.memory.hash !== hash) yield hit
}

/** Selection of the memories among which neighbours are searched. */
interface Searched {
  /** Epoch seconds: memories that expired by then are skipped. */
  readonly now: number
  /** Data subject of the memories; null for those of nobody. Default: all. */
  readonly userId?: string | null | undefined
  /** Whether retrieval searches with the same vector next. Default: false. */
  readonly isRetrieved?: boolean
}

/** Returns a filter on the data subject; undefined where every memory passes. */
function chosenBy({ corpus }: SessionState, userId: string | null | undefined): ((entry: MemoryEntry) => boolean) | undefined {
  if (userId === undefined || corpus.countOf(userId) === corpus.size) return undefined
  return ({ memory }) => memory.userId === userId
}

/**
 * Returns the live memories by the similarity of whole texts, nearest first; at most NEIGHBOURS_MAX. A text with several parts is compared
 * by the mean of its parts, not by its best part: a passage is not its document. The first search runs in pieces, further ones only when
 * the list is read that far. Stale once a memory changes.
 */
export function* mostSimilar(state: SessionState, vector: Float32Array, searched: Searched): Pieces<Neighbours> {
  const { now, userId, isRetrieved = false } = searched
  const { corpus } = state
  // The data subject has no memories here.
  if (userId !== undefined && corpus.countOf(userId) === 0) return []
  const chosen = { vector, now, accept: chosenBy(state, userId) }
  const limits = isRetrieved || corpus.size * corpus.dimension > LARGE_PRODUCTS ? LIMITS_OF_MANY : LIMITS
  const short = yield* nearestShort(state, chosen, limits[0])
  const long = state.longTexts.size === 0 ? [] : yield* longTexts(state, chosen)
  return merged(state, chosen, { short, limits, long })
}

interface Chosen extends SearchFilter {
  readonly vector: Float32Array
}

interface Found {
  /** Nearest memories with one vector, up to the first limit. */
  readonly short: readonly SimilarEntry[]
  readonly limits: readonly number[]
  /** Nearest memories with several vectors. */
  readonly long: readonly SimilarEntry[]
}

function* merged(state: SessionState, chosen: Chosen, { short, limits, long }: Found): Neighbours {
  let nextLong = 0
  let read = 0
  for (const [at, limit] of limits.entries()) {
    const hits = at === 0 ? short : yield* withPauses(nearestShort(state, chosen, limit))
    for (const hit of hits.slice(read)) {
      for (; nextLong < long.length && (long[nextLong] as SimilarEntry).similarity > hit.similarity; nextLong++)
        yield long[nextLong] as SimilarEntry
      yield hit
    }
    if (hits.length < limit) return yield* long.slice(nextLong)
    read = limit
  }
}

/** Yields null after each piece of the work. */
function* withPauses<Result>(work: Pieces<Result>): Generator<null, Result> {
  for (;;) {
    const next = work.next()
    if (next.done === true) return next.value
    yield null
  }
}

function* nearestShort({ corpus, longTexts }: SessionState, { vector, now, accept }: Chosen, limit: number): Pieces<SimilarEntry[]> {
  const isFound = (entry: MemoryEntry): boolean => isShort(entry) && accept?.(entry) !== false
  try {
    const isAny = longTexts.size === 0 && accept === undefined
    return yield* corpus.nearest(vector, { limit, now, accept: isAny ? undefined : isFound })
  } catch {
    // Interface, Run response: a retrieval fault costs a turn only its context block. This lookup has to be right: it scans instead.
    return yield* ranked(corpus.ordered(), { vector, now, accept: isFound }, limit)
  }
}

function longTexts(state: SessionState, chosen: Chosen): Pieces<SimilarEntry[]> {
  return ranked(entriesOf(state), chosen, NEIGHBOURS_MAX)
}

function* entriesOf({ corpus, longTexts }: SessionState): Generator<MemoryEntry, void> {
  for (const id of longTexts) {
    const entry = corpus.get(id)
    if (entry !== undefined) yield entry
  }
}

/** Searches the entries exhaustively, without the index. */
function* ranked(entries: Iterable<MemoryEntry>, { vector, ...filter }: Chosen, limit: number): Pieces<SimilarEntry[]> {
  const best = createBestOf<SimilarEntry>(limit, isBehind)
  const pace = createPace()
  for (const entry of entries) {
    if (isPauseDue(pace, (PRODUCTS_A_VECTOR + entry.memory.vectors.length) / PRODUCTS_A_PIECE)) yield
    if (!passes(entry, filter)) continue
    best.offer({ entry, similarity: similarity(vector, memoryVector(entry.memory)) })
  }
  return best.sorted()
}

function isBehind(a: SimilarEntry, b: SimilarEntry): boolean {
  return a.similarity < b.similarity || (a.similarity === b.similarity && a.entry.memory.seq > b.entry.memory.seq)
}
