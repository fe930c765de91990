/** The indexes that make up a corpus. A memory is added to all of them and removed from all of them at once. */
import { LeanMap } from '../domain/collections/lean-map.js'
import { clearAll, createPartedMap, deleteIn, getIn, hasIn, type PartedMap, setIn } from '../domain/collections/parted-map.js'
import type { Memory, MemoryEntry } from '../domain/session.js'
import { listOfOne } from '../domain/collections/short-lists.js'
import { readTextAtOnce } from '../domain/text/reading.js'
import { vectorAt } from '../domain/similarity/vector.js'
import { LexicalIndex } from '../domain/words/lexical-index.js'
import { toWordList, type WordList } from '../domain/words/word-list.js'
import type { CreateVectorIndex, VectorIndex } from '../ports.js'
import { addAnswer, createExchanges, type Exchanges, removeAnswer } from './exchanges.js'
import { LabelFinder } from '../domain/collections/label-finder.js'
import { Labels } from '../domain/collections/labels.js'
import { Sequence } from './sequence.js'
import { readWording, type Wording } from './wording.js'

/** One memory with its numbers in the indexes. */
export interface Held {
  entry: MemoryEntry
  /** Labels in the vector index, one per part; the first is also the document number, used by the word index and the sequence. */
  labels: readonly number[]
  /** Null until first needed. */
  wording: Wording | null
  /** Whether it may be part of an exchange. False for most memories, which saves the lookup. */
  isExchanged: boolean
}

export interface Holdings {
  readonly dimension: number
  readonly createVectorIndex: CreateVectorIndex
  readonly byLabel: Labels<Held>
  readonly byId: LabelFinder<Held>
  /** Memories by text hash: one of those with the same. */
  readonly byHash: LabelFinder<Held>
  /** All memories of a text hash that several have. */
  readonly alike: PartedMap<Set<Held>>
  readonly sequence: Sequence
  readonly exchanges: Exchanges
  readonly words: LexicalIndex
  /** Cache of the words of speakers' names, by name; see `readWording`. */
  readonly speakers: LeanMap<string, readonly string[]>
  /** Number of memories of each data subject; `NOBODY` counts those of none. */
  readonly users: PartedMap<number>
  vectors: VectorIndex
  /** Number of memories. */
  size: number
  /** Number of memories that can expire; while it is 0, searches check none. */
  expiring: number
  /** Number of memories of several parts. */
  divided: number
}

/** Creates empty holdings. */
export function createHoldings(options: { readonly dimension: number; readonly createVectorIndex: CreateVectorIndex }): Holdings {
  const byLabel = new Labels<Held>()
  return {
    ...options,
    byLabel,
    byId: new LabelFinder(byLabel, idOf),
    byHash: new LabelFinder(byLabel, hashOf),
    alike: createPartedMap(),
    sequence: new Sequence(),
    exchanges: createExchanges(),
    words: new LexicalIndex(),
    speakers: new LeanMap(),
    users: createPartedMap(),
    vectors: options.createVectorIndex(options.dimension),
    size: 0,
    expiring: 0,
    divided: 0
  }
}

function idOf({ entry }: Held): string {
  return entry.memory.id
}

function hashOf({ entry }: Held): string {
  return entry.memory.hash
}

/**
 * Adds or replaces a memory; nothing is indexed again if text, vectors, place and expiry are unchanged. `words`: those of its text.
 * Default: they are read from it. Throws RangeError when its seq is taken.
 */
export function putEntry(holdings: Holdings, entry: MemoryEntry, words?: WordList): void {
  const known = holdings.byId.find(entry.memory.id)
  if (known !== undefined && isIndexedAlike(known.entry.memory, entry.memory)) {
    if (known.entry.memory.replyTo !== entry.memory.replyTo) {
      removeAnswer(holdings.exchanges, known.entry.memory)
      addExchange(holdings, known, entry.memory)
    }
    countUser(holdings, known.entry.memory, -1)
    countUser(holdings, entry.memory, 1)
    known.entry = entry
    return
  }
  if (known !== undefined) removeEntry(holdings, entry.memory.id)
  addEntry(holdings, entry, words ?? toWordList(readTextAtOnce(entry.memory.text)))
}

function addEntry(holdings: Holdings, entry: MemoryEntry, words: WordList): void {
  const { memory } = entry
  const held: Held = { entry, labels: [], wording: null, isExchanged: hasIn(holdings.exchanges, memory.id) }
  // Created at its final length: V8 reserves room for seventeen elements in an array that grows.
  const isWhole = memory.partEnds.length === 1
  held.labels = isWhole ? listOfOne(holdings.byLabel.take(held)) : memory.partEnds.map(() => holdings.byLabel.take(held))
  holdings.sequence.add(memory.seq, documentOf(held))
  addVectors(holdings, held)
  holdings.words.put(documentOf(held), words)
  addExchange(holdings, held, memory)
  addHash(holdings, held)
  countUser(holdings, memory, 1)
  holdings.byId.add(documentOf(held))
  holdings.size++
  if (memory.expiresAt !== null) holdings.expiring++
  if (held.labels.length > 1) holdings.divided++
}

function addExchange({ exchanges, byId }: Holdings, held: Held, memory: Memory): void {
  addAnswer(exchanges, memory)
  if (memory.replyTo.length > 0) held.isExchanged = true
  for (const question of memory.replyTo) {
    const asked = byId.find(question)
    if (asked !== undefined) asked.isExchanged = true
  }
}

function addVectors({ vectors, dimension }: Holdings, { entry, labels }: Held): void {
  const isWhole = labels.length === 1
  const own = entry.memory.vectors
  // No view for a single part: it would be one more object to keep.
  labels.forEach((label, part) => vectors.add(label, isWhole ? own : vectorAt(own, part, dimension)))
}

/** Replaces a memory's vectors by an equal copy. No reference to the old buffer is left. */
export function rehouseVectors(holdings: Holdings, held: Held | undefined, vectors: Float32Array): void {
  if (held === undefined) return
  held.entry = { ...held.entry, memory: { ...held.entry.memory, vectors } }
  addVectors(holdings, held)
}

/** Removes a memory from every index. Returns whether it was present. */
export function removeEntry(holdings: Holdings, id: string): boolean {
  const held = holdings.byId.find(id)
  if (held === undefined) return false
  const { memory } = held.entry
  removeHash(holdings, held)
  holdings.byId.delete(documentOf(held))
  holdings.size--
  holdings.sequence.remove(memory.seq)
  holdings.words.remove(documentOf(held))
  removeAnswer(holdings.exchanges, memory)
  for (const label of held.labels) {
    holdings.vectors.remove(label)
    holdings.byLabel.free(label)
  }
  countUser(holdings, memory, -1)
  if (memory.expiresAt !== null) holdings.expiring--
  if (held.labels.length > 1) holdings.divided--
  return true
}

/** Stands for the data subject of memories that have none: no id of a user is empty. */
const NOBODY = ''

function countUser(holdings: Holdings, { userId }: Memory, change: number): void {
  const count = countOfUser(holdings, userId) + change
  if (count === 0) deleteIn(holdings.users, userId ?? NOBODY)
  else setIn(holdings.users, userId ?? NOBODY, count)
}

/** Number of memories of a data subject; null counts those of none. */
export function countOfUser({ users }: Holdings, userId: string | null): number {
  return getIn(users, userId ?? NOBODY) ?? 0
}

function addHash({ byHash, alike }: Holdings, held: Held): void {
  const { hash } = held.entry.memory
  const known = byHash.find(hash)
  if (known === undefined) {
    byHash.add(documentOf(held))
    return
  }
  const all = getIn(alike, hash)
  if (all === undefined) setIn(alike, hash, new Set([known, held]))
  else all.add(held)
}

function removeHash({ byHash, alike }: Holdings, held: Held): void {
  const { hash } = held.entry.memory
  const all = getIn(alike, hash)
  const isFound = byHash.find(hash) === held
  if (isFound) byHash.delete(documentOf(held))
  if (all === undefined) return
  all.delete(held)
  const [other] = all
  if (isFound) byHash.add(documentOf(other as Held))
  if (all.size === 1) deleteIn(alike, hash)
}

/** The memories with this text hash, in no particular order. */
export function ofHash({ byHash, alike }: Holdings, hash: string): Iterable<Held> {
  const known = byHash.find(hash)
  return known === undefined ? [] : (getIn(alike, hash) ?? [known])
}

export function clearHoldings(holdings: Holdings): void {
  holdings.byLabel.clear()
  holdings.byId.clear()
  holdings.byHash.clear()
  clearAll(holdings.alike)
  holdings.size = 0
  holdings.sequence.clear()
  clearAll(holdings.exchanges)
  holdings.words.clear()
  holdings.speakers.clear()
  clearAll(holdings.users)
  holdings.vectors.close()
  holdings.vectors = holdings.createVectorIndex(holdings.dimension)
  holdings.expiring = 0
  holdings.divided = 0
}

export function wordingOf({ speakers }: Holdings, held: Held): Wording {
  return (held.wording ??= readWording(held.entry.memory.text, speakers))
}

/** The memory's number in the word index and the sequence. */
export function documentOf(held: Held): number {
  return held.labels[0] as number
}

function isIndexedAlike(a: Memory, b: Memory): boolean {
  if (a === b) return true
  const isSameText = a.hash === b.hash && a.text === b.text && a.vectors === b.vectors && a.partEnds.length === b.partEnds.length
  return isSameText && a.seq === b.seq && a.expiresAt === b.expiresAt
}
