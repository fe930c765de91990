/** The searchable memories of one session: by vector, by word, by order, by exchange. */
import { inOneGo, type Pieces } from '../domain/pieces.js'
import type { Memory, MemoryEntry } from '../domain/session.js'
import { dot, toCosine } from '../domain/vector.js'
import type { WeightedTerms } from '../domain/words/word-forms.js'
import type { WordList } from '../domain/words/word-list.js'
import type { CreateVectorIndex } from '../ports.js'
import { lookAround } from './around.js'
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
import type { Measures, NearestOptions, SimilarEntry, SimilarHeld, WordMatches } from './matches.js'
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
  /** Those before and after it in the session, and the other half of its exchange, in no order; some of them may come twice. */
  around(held: Held): Held[]
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
  nearestInPieces(vector: Float32Array, options: NearestOptions): Pieces<SimilarHeld[]>
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
  const holdings = createHoldings(options)
  const { byId, sequence, exchanges, words } = holdings
  // A field, not a getter: V8 keeps an object made with one as a dictionary, and what works with it is compiled anew for each session.
  const corpus: { -readonly [Key in keyof Corpus]: Corpus[Key] } = {
    size: 0,
    dimension: options.dimension,
    wordBytes: () => words.bytes(),
    put(entry, own) {
      try {
        putEntry(holdings, entry, own)
      } finally {
        corpus.size = byId.size
      }
    },
    remove(id) {
      const wasThere = removeEntry(holdings, id)
      corpus.size = byId.size
      return wasThere
    },
    rehouse: (id, vectors) => rehouseVectors(holdings, byId.get(id), vectors),
    clear() {
      clearHoldings(holdings)
      corpus.size = 0
    },
    get: (id) => byId.get(id)?.entry,
    byHash: (hash) => entriesOf(holdings, idsOfHash(holdings, hash))[0],
    allByHash: (hash) => entriesOf(holdings, idsOfHash(holdings, hash)),
    ordered: (afterSeq = -Infinity) => walk(holdings, sequence.after(afterSeq)),
    backward: (beforeSeq = Infinity) => walk(holdings, sequence.before(beforeSeq)),
    held: (id) => byId.get(id),
    heldAt: (document) => holdings.byLabel.get(document) as Held,
    around(held) {
      const found: Held[] = []
      const half = (other: Held | undefined): void => {
        if (other !== undefined) found.push(other)
      }
      lookAround(holdings, held, { half, beside: (document) => half(holdings.byLabel.get(document)) })
      return found
    },
    terms: (id, limit) => words.terms(byId.get(id)?.labels[0] ?? -1, limit),
    words: (id) => words.wordsOf(byId.get(id)?.labels[0] ?? -1),
    wording: (held) => wordingOf(holdings, held),
    countOf: (userId) => holdings.users.get(userId) ?? 0,
    answersOf: (id) => entriesOf(holdings, exchanges.answersOf(id)),
    questionsOf: (id) => entriesOf(holdings, byId.get(id)?.entry.memory.replyTo ?? []),
    nearest: (vector, query) => inOneGo(nearestEntries(holdings, vector, query)),
    nearestInPieces: (vector, query) => nearestEntries(holdings, vector, query),
    measuring: (vector, now) => createMeasures(holdings, vector, now),
    matching: (query, now) => matchWords(holdings, query, now),
    settle: () => words.settle(),
    close: () => holdings.vectors.close()
  }
  return corpus
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
