/** The searchable memories of one session: by vector, by words, by order, by exchange. */
import type { Pieces } from '../domain/pieces.js'
import type { Memory, MemoryEntry } from '../domain/session.js'
import { sorted } from '../domain/collections/sorting.js'
import { dot, toCosine } from '../domain/similarity/vector.js'
import type { WordList } from '../domain/words/word-list.js'
import type { CreateVectorIndex } from '../ports.js'
import { visitAround } from './around.js'
import { answersOf } from './exchanges.js'
import {
  clearHoldings,
  countOfUser,
  createHoldings,
  type Held,
  type Holdings,
  ofHash,
  putEntry,
  rehouseVectors,
  removeEntry,
  wordingOf
} from './holdings.js'
import { matchWords, type WordMatches } from './matching.js'
import { createMeasures, type Measures } from './measures.js'
import { nearestEntries, type SimilarDocument } from './nearest.js'
import type { SearchOptions } from './query.js'
import type { Wording } from './wording.js'

/** Cosine, -1..1, of a vector to the nearest part of a memory. */
export function partSimilarity({ vectors, partEnds }: Memory, vector: Float32Array): number {
  let best = dot(vectors, vector)
  for (let part = 1; part < partEnds.length; part++) best = Math.max(best, dot(vectors, vector, part * vector.length))
  return toCosine(best)
}

/** A class rather than closures: every session has one, and per-instance functions would outweigh an empty corpus. */
export class Corpus {
  /** Number of memories, including expired ones not yet removed. A field, not a getter: it is read often. */
  size = 0
  readonly dimension: number
  private readonly holdings: Holdings

  constructor(options: { readonly dimension: number; readonly createVectorIndex: CreateVectorIndex }) {
    this.dimension = options.dimension
    this.holdings = createHoldings(options)
  }

  /** Approximate bytes that its words take. */
  wordBytes(): number {
    return this.holdings.words.bytes()
  }

  /** Upper bound on additional bytes for the present words once more memories force them into an inverted index. */
  spreadBytes(): number {
    return this.holdings.words.spreadBytes()
  }

  /** Adds a memory or replaces the one with its id. Cheap when text and vectors are those already held. `words`: see `putEntry`. */
  put(entry: MemoryEntry, words?: WordList): void {
    try {
      putEntry(this.holdings, entry, words)
    } finally {
      this.size = this.holdings.size
    }
  }

  /** Returns whether it was present. */
  remove(id: string): boolean {
    const wasThere = removeEntry(this.holdings, id)
    this.size = this.holdings.size
    return wasThere
  }

  /** Replaces a memory's vectors by an equal copy in another buffer, so that a buffer shared with other memories can be freed. */
  rehouse(id: string, vectors: Float32Array): void {
    rehouseVectors(this.holdings, this.held(id), vectors)
  }

  clear(): void {
    clearHoldings(this.holdings)
    this.size = 0
  }

  get(id: string): MemoryEntry | undefined {
    return this.held(id)?.entry
  }

  /** Whether any memory has this text hash. Constant time. */
  holdsHash(hash: string): boolean {
    return this.holdings.byHash.find(hash) !== undefined
  }

  /** All memories with this text hash, oldest first, in pieces: a session may hold one text for many data subjects. */
  allByHash(hash: string): Pieces<MemoryEntry[]> {
    return entriesInPieces(ofHash(this.holdings, hash))
  }

  /** Memories by ascending seq, after `afterSeq`. Default: all. */
  ordered(afterSeq = -Infinity): IterableIterator<MemoryEntry> {
    return walk(this.holdings, this.holdings.sequence.after(afterSeq))
  }

  /** Memories by descending seq, before `beforeSeq`. Default: all. */
  backward(beforeSeq = Infinity): IterableIterator<MemoryEntry> {
    return walk(this.holdings, this.holdings.sequence.before(beforeSeq))
  }

  /** The memory with its numbers in the indexes, so that a search needs one lookup. */
  held(id: string): Held | undefined {
    return this.holdings.byId.find(id)
  }

  /** The same by document number, which must be present. */
  heldAt(document: number): Held {
    return this.holdings.byLabel.get(document) as Held
  }

  /** Document numbers of the neighbours and of the other half of the exchange, in no particular order, possibly with duplicates. */
  around(document: number): number[] {
    const found: number[] = []
    visitAround(this.holdings, document, (other) => found.push(other))
    return found
  }

  /** The first `limit` distinct content terms of a memory's text; none for an unknown id. */
  terms(id: string, limit: number): readonly string[] {
    return this.holdings.words.terms(this.documentOf(id), limit)
  }

  /** All indexed words of a memory's text; none for an unknown id. */
  words(id: string): WordList {
    return this.holdings.words.wordsOf(this.documentOf(id))
  }

  wording(held: Held): Wording {
    return wordingOf(this.holdings, held)
  }

  /** Number of memories of a data subject; null counts those of none. */
  countOf(userId: string | null): number {
    return countOfUser(this.holdings, userId)
  }

  /** Memories that answer this one, oldest first. */
  answersOf(id: string): MemoryEntry[] {
    return entriesOf(this.holdings, answersOf(this.holdings.exchanges, id))
  }

  /** Memories that this one answers, oldest first. */
  questionsOf(id: string): MemoryEntry[] {
    return entriesOf(this.holdings, this.get(id)?.memory.replyTo ?? [])
  }

  /**
   * Memories by cosine, best first, ties by age. A memory of several parts counts once, by its best part. As exact as the vector index.
   * Nothing may be put or removed meanwhile. Later searches with this vector reuse most of the work.
   */
  nearest(vector: Float32Array, options: SearchOptions): Pieces<SimilarDocument[]> {
    return nearestEntries(this.holdings, vector, options)
  }

  /** Tells that a search by this vector comes soon: where it takes long, it begins in the background. */
  prepare(vector: Float32Array): void {
    this.holdings.vectors.prepare?.(vector)
  }

  /** Cosines of single memories to a vector; nothing may be put or removed meanwhile. `now`: epoch seconds. */
  measuring(vector: Float32Array, now: number): Measures {
    return createMeasures(this.holdings, vector, now)
  }

  /** Word scores for one query. `now`: epoch seconds. */
  matching(query: ReadonlySet<string>, now: number): Pieces<WordMatches> {
    return matchWords(this.holdings, query, now)
  }

  /** The pending index work of puts and removals, in pieces; null for none. A word search completes it first, in one go. */
  settle(): Pieces<void> | null {
    return this.holdings.words.settle()
  }

  /** Frees the vector index; the corpus must not be used afterwards. */
  close(): void {
    this.holdings.vectors.close()
  }

  private documentOf(id: string): number {
    return this.held(id)?.labels[0] ?? -1
  }
}

function* walk(holdings: Holdings, documents: Iterable<number>): IterableIterator<MemoryEntry> {
  for (const document of documents) yield (holdings.byLabel.get(document) as Held).entry
}

/** Entries looked up per piece: a tenth of a millisecond. */
const ENTRIES_A_PIECE = 1_024

/** Entries of the memories, oldest first. */
function* entriesInPieces(memories: Iterable<Held>): Pieces<MemoryEntry[]> {
  const entries: MemoryEntry[] = []
  let isInOrder = true
  for (const { entry } of memories) {
    const last = entries.at(-1)
    isInOrder &&= last === undefined || last.memory.seq < entry.memory.seq
    entries.push(entry)
    if (entries.length % ENTRIES_A_PIECE === 0) yield
  }
  return isInOrder ? entries : yield* sorted(entries, bySeq)
}

function bySeq(a: MemoryEntry, b: MemoryEntry): number {
  return a.memory.seq - b.memory.seq
}

/** Entries of the ids that are held, oldest first. */
function entriesOf(holdings: Holdings, ids: Iterable<string>): MemoryEntry[] {
  const entries: MemoryEntry[] = []
  for (const id of ids) {
    const held = holdings.byId.find(id)
    if (held !== undefined) entries.push(held.entry)
  }
  return entries.sort(bySeq)
}
