/** What a corpus is made of, and how a memory enters and leaves all of it at once. */
import { createLexicalIndex, type LexicalIndex } from '../domain/lexical-index.js'
import type { Memory, MemoryEntry } from '../domain/session.js'
import { contentTerms } from '../domain/text/terms.js'
import { vectorAt } from '../domain/vector.js'
import type { CreateVectorIndex, VectorIndex } from '../ports.js'
import { createExchanges, type Exchanges } from './exchanges.js'
import { createLabels, type Labels } from './labels.js'
import { createSequence, type Sequence } from './sequence.js'

/** One memory with the numbers it goes by in the indexes. */
export interface Held {
  entry: MemoryEntry
  /** One a part, in the vector index; the first is also its number in the word index and the sequence. */
  readonly labels: readonly number[]
}

export interface Holdings {
  readonly dimension: number
  readonly createVectorIndex: CreateVectorIndex
  readonly byId: Map<string, Held>
  readonly byLabel: Labels<Held>
  readonly sequence: Sequence
  readonly exchanges: Exchanges
  readonly words: LexicalIndex
  /** Ids of the memories with a text hash. */
  readonly hashes: Map<string, readonly string[]>
  vectors: VectorIndex
  /** Memories that may expire: while there are none, no search asks. */
  expiring: number
}

/** Holdings without any memory. */
export function createHoldings(options: { readonly dimension: number; readonly createVectorIndex: CreateVectorIndex }): Holdings {
  return {
    ...options,
    byId: new Map(),
    byLabel: createLabels<Held>(),
    sequence: createSequence(),
    exchanges: createExchanges(),
    words: createLexicalIndex(),
    hashes: new Map(),
    vectors: options.createVectorIndex(options.dimension),
    expiring: 0
  }
}

/**
 * Adds or replaces a memory; nothing is indexed again while text, vectors, place and expiry stand. Throws RangeError when
 * its seq is taken.
 */
export function putEntry(holdings: Holdings, entry: MemoryEntry): void {
  const known = holdings.byId.get(entry.memory.id)
  if (known !== undefined && isIndexedAlike(known.entry.memory, entry.memory)) {
    if (known.entry.memory.replyTo !== entry.memory.replyTo) {
      holdings.exchanges.remove(known.entry.memory)
      holdings.exchanges.add(entry.memory)
    }
    known.entry = entry
    return
  }
  removeEntry(holdings, entry.memory.id)
  addEntry(holdings, entry)
}

function addEntry(holdings: Holdings, entry: MemoryEntry): void {
  const { memory } = entry
  const labels: number[] = []
  const held: Held = { entry, labels }
  labels.push(...memory.partEnds.map(() => holdings.byLabel.take(held)))
  holdings.sequence.add(memory.seq, documentOf(held))
  labels.forEach((label, part) => holdings.vectors.add(label, vectorAt(memory.vectors, part, holdings.dimension)))
  holdings.words.put(documentOf(held), contentTerms(memory.text))
  holdings.exchanges.add(memory)
  holdings.hashes.set(memory.hash, [...(holdings.hashes.get(memory.hash) ?? []), memory.id])
  holdings.byId.set(memory.id, held)
  if (memory.expiresAt !== null) holdings.expiring++
}

/** Takes a memory out of everything; false when it was not there. */
export function removeEntry(holdings: Holdings, id: string): boolean {
  const held = holdings.byId.get(id)
  if (held === undefined) return false
  const { memory } = held.entry
  holdings.sequence.remove(memory.seq)
  holdings.words.remove(documentOf(held))
  holdings.exchanges.remove(memory)
  for (const label of held.labels) {
    holdings.vectors.remove(label)
    holdings.byLabel.free(label)
  }
  const sameText = (holdings.hashes.get(memory.hash) ?? []).filter((other) => other !== id)
  if (sameText.length > 0) holdings.hashes.set(memory.hash, sameText)
  else holdings.hashes.delete(memory.hash)
  holdings.byId.delete(id)
  if (memory.expiresAt !== null) holdings.expiring--
  return true
}

export function clearHoldings(holdings: Holdings): void {
  holdings.byId.clear()
  holdings.byLabel.clear()
  holdings.sequence.clear()
  holdings.exchanges.clear()
  holdings.words.clear()
  holdings.hashes.clear()
  holdings.vectors.close()
  holdings.vectors = holdings.createVectorIndex(holdings.dimension)
  holdings.expiring = 0
}

/** Its number in the word index and the sequence. */
export function documentOf(held: Held): number {
  return held.labels[0] as number
}

function isIndexedAlike(a: Memory, b: Memory): boolean {
  if (a === b) return true
  const isSameText = a.hash === b.hash && a.text === b.text && a.vectors === b.vectors && a.partEnds.length === b.partEnds.length
  return isSameText && a.seq === b.seq && a.expiresAt === b.expiresAt
}
