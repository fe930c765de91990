/** The searchable memories of one session: by vector, by word, by order, by exchange. */
import { inOneGo, type Pieces } from '../domain/pieces.js'
import type { Memory, MemoryEntry } from '../domain/session.js'
import { dot, toCosine } from '../domain/vector.js'
import type { WeightedTerms } from '../domain/words/word-forms.js'
import type { WordList } from '../domain/words/word-list.js'
import type { CreateVectorIndex } from '../ports.js'
import { lookAround } from './around.js'
import { answersOf } from './exchanges.js'
import {
  clearHoldings,
  createHoldings,
  type Held,
  type Holdings,
  idsOfHash,
  putEntry,
  rehouseVectors,
  removeEntry,
  wordingOf
} from './holdings.js'
import type { Measures, NearestOptions, SimilarEntry, SimilarDocument, WordMatches } from './matches.js'
import { matchWords } from './matching.js'
import { createMeasures } from './measures.js'
import { nearestEntries } from './nearest.js'
import type { Wording } from './wording.js'

export interface Corpus {
  /** Memories held, expired ones included until they are removed. */
  readonly size: number
  readonly dimension: number
  /** Bytes of memory that its words take, about. */
  wordBytes(): number
  /** At most what the words that are held take beyond that once there are more. */
  spreadBytes(): number
  /** Adds a memory or replaces the one of the same id. Cheap when text and vectors are those already held. `words`: see putEntry. */
  put(entry: MemoryEntry, words?: WordList): void
  /** True when it was there. */
  remove(id: string): boolean
  /** Holds a memory's vectors, the same numbers, where they lie now: others may have shared the buffer that they lay in. */
  rehouse(id: string, vectors: Float32Array): void
  clear(): void
  get(id: string): MemoryEntry | undefined
  /** The memory with this text hash; the oldest when several share it. */
  byHash(hash: string): MemoryEntry | undefined
  /** All memories with this text hash, oldest first. */
  allByHash(hash: string): MemoryEntry[]
  /** All memories by ascending seq, from the first one after `afterSeq`. Default: from the start. */
  ordered(afterSeq?: number): IterableIterator<MemoryEntry>
  /** All memories by descending seq, from the last one before `beforeSeq`. Default: from the end. */
  backward(beforeSeq?: number): IterableIterator<MemoryEntry>
  /** The memory with its numbers in the indexes: a search looks each up once. */
  held(id: string): Held | undefined
  /** The same by its document number, which has to be there. */
  heldAt(document: number): Held
  /** Those before and after one in the session, and the other half of its exchange, in no order; some of them may come twice. */
  around(document: number): Held[]
  /** Distinct content terms of a memory's text, the first `limit` of them; none for an unknown id. */
  terms(id: string, limit: number): readonly string[]
  /** All words of a memory's text that are indexed; none for an unknown id. */
  words(id: string): WordList
  wording(held: Held): Wording
  /** How many memories are of this data subject; null is nobody's. */
  countOf(userId: string | null): number
  /** Memories that answer this one, oldest first. */
  answersOf(id: string): MemoryEntry[]
  /** Memories that this one answers, oldest first. */
  questionsOf(id: string): MemoryEntry[]
  /** Best cosine first, ties by age; a memory of several parts counts once, by its best part. As exact as the vector index. */
  nearest(vector: Float32Array, options: NearestOptions): SimilarEntry[]
  /** The same in pieces, as long as nothing is put or removed. The next searches with this vector find little left to work out. */
  nearestInPieces(vector: Float32Array, options: NearestOptions): Pieces<SimilarDocument[]>
  /** Cosines of single memories to a vector, as long as nothing is put or removed. `now`: epoch seconds. */
  measuring(vector: Float32Array, now: number): Measures
  /** Word scores for one query. `now`: epoch seconds. */
  matching(query: WeightedTerms, now: number): Pieces<WordMatches>
  /** What is left to do of what was put and removed, in pieces; null for nothing. A word search does it first, in one go. */
  settle(): Pieces<void> | null
  /** Frees the vector index; the corpus must not be used afterwards. */
  close(): void
}

/** Cosine of a vector to the nearest part of a memory, -1..1. */
export function partSimilarity(memory: Memory, vector: Float32Array): number {
  return toCosine(dot(memory.vectors, vector, nearestPart(memory, vector) * vector.length))
}

/** Number of the part that is nearest to a vector, from 0. */
export function nearestPart(memory: Memory, vector: Float32Array): number {
  let nearest = 0
  let best = -Infinity
  for (let part = 0; part < memory.partEnds.length && memory.partEnds.length > 1; part++) {
    const product = dot(memory.vectors, vector, part * vector.length)
    if (product > best) [nearest, best] = [part, product]
  }
  return nearest
}

/** An empty corpus for vectors of one dimension. */
export function createCorpus(options: { readonly dimension: number; readonly createVectorIndex: CreateVectorIndex }): Corpus {
  return new SessionCorpus(options)
}

/** A class, because each session has one: functions of its own would weigh more than an empty corpus does. */
class SessionCorpus implements Corpus {
  // A field, not a getter: it is asked for often.
  size = 0
  readonly dimension: number
  private readonly holdings: Holdings

  constructor(options: { readonly dimension: number; readonly createVectorIndex: CreateVectorIndex }) {
    this.dimension = options.dimension
    this.holdings = createHoldings(options)
  }

  wordBytes(): number {
    return this.holdings.words.bytes()
  }

  spreadBytes(): number {
    return this.holdings.words.spreadBytes()
  }

  put(entry: MemoryEntry, words?: WordList): void {
    try {
      putEntry(this.holdings, entry, words)
    } finally {
      this.size = this.holdings.byId.size
    }
  }

  remove(id: string): boolean {
    const wasThere = removeEntry(this.holdings, id)
    this.size = this.holdings.byId.size
    return wasThere
  }

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

  byHash(hash: string): MemoryEntry | undefined {
    return this.allByHash(hash)[0]
  }

  allByHash(hash: string): MemoryEntry[] {
    return entriesOf(this.holdings, idsOfHash(this.holdings, hash))
  }

  ordered(afterSeq = -Infinity): IterableIterator<MemoryEntry> {
    return walk(this.holdings, this.holdings.sequence.after(afterSeq))
  }

  backward(beforeSeq = Infinity): IterableIterator<MemoryEntry> {
    return walk(this.holdings, this.holdings.sequence.before(beforeSeq))
  }

  held(id: string): Held | undefined {
    return this.holdings.byId.get(id)
  }

  heldAt(document: number): Held {
    return this.holdings.byLabel.get(document) as Held
  }

  around(document: number): Held[] {
    const { byLabel } = this.holdings
    const found: Held[] = []
    const half = (other: Held | undefined): void => {
      if (other !== undefined) found.push(other)
    }
    lookAround(this.holdings, document, { half, beside: (other) => half(byLabel.get(other)) })
    return found
  }

  terms(id: string, limit: number): readonly string[] {
    return this.holdings.words.terms(this.documentOf(id), limit)
  }

  words(id: string): WordList {
    return this.holdings.words.wordsOf(this.documentOf(id))
  }

  wording(held: Held): Wording {
    return wordingOf(this.holdings, held)
  }

  countOf(userId: string | null): number {
    return this.holdings.users.get(userId) ?? 0
  }

  answersOf(id: string): MemoryEntry[] {
    return entriesOf(this.holdings, answersOf(this.holdings.exchanges, id))
  }

  questionsOf(id: string): MemoryEntry[] {
    return entriesOf(this.holdings, this.get(id)?.memory.replyTo ?? [])
  }

  nearest(vector: Float32Array, options: NearestOptions): SimilarEntry[] {
    return inOneGo(nearestEntries(this.holdings, vector, options))
  }

  nearestInPieces(vector: Float32Array, options: NearestOptions): Pieces<SimilarDocument[]> {
    return nearestEntries(this.holdings, vector, options)
  }

  measuring(vector: Float32Array, now: number): Measures {
    return createMeasures(this.holdings, vector, now)
  }

  matching(query: WeightedTerms, now: number): Pieces<WordMatches> {
    return matchWords(this.holdings, query, now)
  }

  settle(): Pieces<void> | null {
    return this.holdings.words.settle()
  }

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

/** Those of the ids that are held, oldest first. */
function entriesOf(holdings: Holdings, ids: Iterable<string>): MemoryEntry[] {
  const entries: MemoryEntry[] = []
  for (const id of ids) {
    const held = holdings.byId.get(id)
    if (held !== undefined) entries.push(held.entry)
  }
  return entries.sort((a, b) => a.memory.seq - b.memory.seq)
}
