/** The searchable memories of one session: by vector, by word, by order, by exchange. */
import { createLexicalIndex, type LexicalScores, type WeightedTerms } from '../domain/lexical-index.js'
import type { Memory, MemoryEntry } from '../domain/session.js'
import { contentTerms } from '../domain/text/terms.js'
import { dot, vectorAt } from '../domain/vector.js'
import type { CreateVectorIndex } from '../ports.js'
import { createExchanges } from './exchanges.js'
import { createLabels } from './labels.js'
import { createSequence } from './sequence.js'

export interface SimilarEntry {
  readonly entry: MemoryEntry
  /** Highest cosine among the memory's parts, -1..1. */
  readonly similarity: number
}

export interface NearestOptions {
  readonly limit: number
  /** Epoch seconds: what expired by then is not returned. */
  readonly now: number
  /** Lowest cosine returned. Default: -1. */
  readonly floor?: number
  /** Further condition. Default: every memory. */
  readonly accept?: (entry: MemoryEntry) => boolean
}

export interface Corpus {
  /** Memories held, expired ones included until they are removed. */
  readonly size: number
  readonly dimension: number
  /** Adds a memory or replaces the one of the same id. Cheap when text and vectors are those already held. */
  put(entry: MemoryEntry): void
  /** True when it was there. */
  remove(id: string): boolean
  clear(): void
  get(id: string): MemoryEntry | undefined
  /** The memory with this text hash; the oldest when several share it. */
  byHash(hash: string): MemoryEntry | undefined
  /** All memories by ascending seq, from the first one after `afterSeq`. Default: from the start. */
  ordered(afterSeq?: number): IterableIterator<MemoryEntry>
  /** All memories by descending seq, from the last one before `beforeSeq`. Default: from the end. */
  backward(beforeSeq?: number): IterableIterator<MemoryEntry>
  previous(id: string): MemoryEntry | undefined
  next(id: string): MemoryEntry | undefined
  /** Distinct content terms of a memory's text; none for an unknown id. */
  terms(id: string): readonly string[]
  /** Memories that answer this one, oldest first. */
  answersOf(id: string): MemoryEntry[]
  /** Memories that this one answers, oldest first. */
  questionsOf(id: string): MemoryEntry[]
  /** Best cosine first, ties by age; a memory of several parts counts once, by its best part. As exact as the vector index. */
  nearest(vector: Float32Array, options: NearestOptions): SimilarEntry[]
  /** Word scores of the whole session for one query. */
  matching(query: WeightedTerms): WordMatches
  /** Memories that hold the word. */
  frequency(term: string): number
  /** Frees the vector index; the corpus must not be used afterwards. */
  close(): void
}

export interface WordMatches {
  /** 0..1, see LexicalScores. */
  of(id: string): number
  /** Best first, ties by age, only scores above 0. */
  best(options: { limit: number; accept: (entry: MemoryEntry) => boolean }): { readonly entry: MemoryEntry; readonly score: number }[]
}

/** Cosine of a vector to the nearest part of a memory, -1..1. */
export function partSimilarity(memory: Memory, vector: Float32Array): number {
  let best = -1
  for (let part = 0; part < memory.partEnds.length; part++) {
    best = Math.max(best, dot(vectorAt(memory.vectors, part, vector.length), vector))
  }
  return best
}

/** Whether a memory has not expired; `now` in epoch seconds. */
export function isAlive(memory: Memory, now: number): boolean {
  return memory.expiresAt === null || memory.expiresAt > now
}

interface Held {
  entry: MemoryEntry
  /** One a part, in the vector index; the first also names the document in the word index. */
  labels: readonly number[]
}

/** An empty corpus for vectors of one dimension. */
export function createCorpus(options: { readonly dimension: number; readonly createVectorIndex: CreateVectorIndex }): Corpus {
  const { dimension } = options
  const held = new Map<string, Held>()
  const sequence = createSequence()
  const exchanges = createExchanges()
  const labels = createLabels<Held>()
  const words = createLexicalIndex()
  const hashes = new Map<string, string[]>()
  let vectors = options.createVectorIndex(dimension)

  function index(record: Held): void {
    const { memory } = record.entry
    record.labels = memory.partEnds.map(() => labels.take(record))
    record.labels.forEach((label, part) => vectors.add(label, vectorAt(memory.vectors, part, dimension)))
    words.put(record.labels[0] as number, contentTerms(memory.text))
    hashes.set(memory.hash, [...(hashes.get(memory.hash) ?? []), memory.id])
  }

  function unindex(record: Held): void {
    const { memory } = record.entry
    words.remove(record.labels[0] as number)
    for (const label of record.labels) {
      vectors.remove(label)
      labels.free(label)
    }
    const others = (hashes.get(memory.hash) ?? []).filter((id) => id !== memory.id)
    if (others.length > 0) hashes.set(memory.hash, others)
    else hashes.delete(memory.hash)
  }

  function remove(id: string): boolean {
    const record = held.get(id)
    if (record === undefined) return false
    unindex(record)
    sequence.remove(record.entry.memory.seq)
    exchanges.remove(record.entry.memory)
    held.delete(id)
    return true
  }

  function entryOf(id: string | undefined): MemoryEntry | undefined {
    return id === undefined ? undefined : held.get(id)?.entry
  }

  function* entries(ids: Iterable<string>): IterableIterator<MemoryEntry> {
    for (const id of ids) yield (held.get(id) as Held).entry
  }

  return {
    get size() {
      return held.size
    },
    dimension,
    put(entry) {
      const { memory } = entry
      const known = held.get(memory.id)
      if (known !== undefined && isSameText(known.entry.memory, memory)) {
        if (known.entry.memory.replyTo !== memory.replyTo) exchanges.replace(known.entry.memory, memory)
        known.entry = entry
        return
      }
      remove(memory.id)
      const record: Held = { entry, labels: [] }
      held.set(memory.id, record)
      index(record)
      sequence.add(memory.seq, memory.id)
      exchanges.add(memory)
    },
    remove,
    clear() {
      held.clear()
      sequence.clear()
      exchanges.clear()
      labels.clear()
      words.clear()
      hashes.clear()
      vectors.close()
      vectors = options.createVectorIndex(dimension)
    },
    get: (id) => held.get(id)?.entry,
    byHash: (hash) => (hashes.get(hash) ?? []).map((id) => (held.get(id) as Held).entry).sort(bySeq)[0],
    ordered: (afterSeq = -Infinity) => entries(sequence.after(afterSeq)),
    backward: (beforeSeq = Infinity) => entries(sequence.before(beforeSeq)),
    previous: (id) => neighbour(id, (seq) => sequence.before(seq)),
    next: (id) => neighbour(id, (seq) => sequence.after(seq)),
    terms: (id) => words.terms(held.get(id)?.labels[0] ?? -1),
    answersOf: (id) => found(exchanges.answersOf(id)).sort(bySeq),
    questionsOf: (id) => found(held.get(id)?.entry.memory.replyTo ?? []).sort(bySeq),
    nearest: (vector, query) => nearest(vector, query),
    matching: (query) => matches(words.search(query)),
    frequency: (term) => words.frequency(term),
    close: () => vectors.close()
  }

  function neighbour(id: string, walk: (seq: number) => IterableIterator<string>): MemoryEntry | undefined {
    const record = held.get(id)
    return record === undefined ? undefined : entryOf(walk(record.entry.memory.seq).next().value)
  }

  function found(ids: Iterable<string>): MemoryEntry[] {
    return [...ids].map(entryOf).filter((entry) => entry !== undefined)
  }

  /** Asks the index for more and more, until enough of what it returns is acceptable or nothing is left. */
  function nearest(vector: Float32Array, query: NearestOptions): SimilarEntry[] {
    const floor = query.floor ?? -1
    for (let wanted = query.limit; ; wanted *= 4) {
      const hits = vectors.search(vector, wanted)
      const best = new Map<Held, number>()
      for (const { label, similarity } of hits) {
        const record = labels.get(label)
        if (similarity < floor || record === undefined || best.has(record)) continue
        if (isAlive(record.entry.memory, query.now) && (query.accept?.(record.entry) ?? true)) best.set(record, similarity)
      }
      const isExhausted = hits.length < wanted || wanted >= vectors.size || (hits.at(-1)?.similarity ?? -1) < floor
      if (best.size < query.limit && !isExhausted) continue
      return [...best]
        .map(([{ entry }, similarity]) => ({ entry, similarity }))
        .sort((a, b) => b.similarity - a.similarity || bySeq(a.entry, b.entry))
        .slice(0, query.limit)
    }
  }

  function matches(scores: LexicalScores): WordMatches {
    return {
      of: (id) => scores.of(held.get(id)?.labels[0] ?? -1),
      best({ limit, accept }) {
        return scores.documents
          .map((label) => ({ entry: (labels.get(label) as Held).entry, score: scores.of(label) }))
          .sort((a, b) => b.score - a.score || bySeq(a.entry, b.entry))
          .filter(takeFirst(limit, (hit: { entry: MemoryEntry }) => accept(hit.entry)))
      }
    }
  }
}

/** A filter that stops asking once it has let `limit` through. */
function takeFirst<Item>(limit: number, accept: (item: Item) => boolean): (item: Item) => boolean {
  let taken = 0
  return (item) => {
    if (taken >= limit || !accept(item)) return false
    taken++
    return true
  }
}

function bySeq(a: MemoryEntry, b: MemoryEntry): number {
  return a.memory.seq - b.memory.seq
}

function isSameText(a: Memory, b: Memory): boolean {
  return a === b || (a.hash === b.hash && a.text === b.text && a.vectors === b.vectors && a.partEnds === b.partEnds && a.seq === b.seq)
}
