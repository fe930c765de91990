/** Rebuilds sessions from stored rows and from exports. */
import type { Address } from '../../../src/domain/address.js'
import type { DayCount } from '../../../src/domain/day-counts.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type {
  Anchor,
  Delta,
  Entity,
  GivenVectors,
  HeldInput,
  IsolationVectors,
  Memory,
  MemoryStats,
  SessionSettings,
  Trigger
} from '../../../src/domain/session.js'
import { addTo } from '../../../src/domain/collections/by-key.js'
import { sorted } from '../../../src/domain/collections/sorting.js'
import { readText } from '../../../src/domain/text/reading.js'
import { readEntity } from '../../../src/domain/words/entity-search.js'
import { toWordList, type WordList } from '../../../src/domain/words/word-list.js'
import type { StoredRecord, StoredRow } from '../../../src/ports.js'
import { documentOf, type SessionDocument } from './document.js'
import { admit, enter } from './entries.js'
import { hashText } from './hash.js'
import { ANCHOR, DAY, DELTA, ENTITY, GIVEN, GIVEN_ROW, HELD, ISOLATION, ISOLATION_ROW, MEMORY, PACKED, STATS, TRIGGER } from './head.js'
import { settled } from './indexing.js'
import { takeLiterals } from './literals.js'
import { placeMind } from './mind.js'
import { fromPacked, type PackedMemories } from './packed-memories.js'
import { createPacks } from './packs.js'
import { createState, type SessionState, type StateOptions } from './state.js'
import { fromStoredHead, hasVectors, readTies } from './stored-head.js'
import { statsOf } from './memory-stats.js'
import { fromStoredMemory, type StoredMemory } from './stored-memory.js'
import type { Work } from './work.js'

/** Rebuilds a session from its stored record. */
export function restoreState(address: Address, record: StoredRecord, options: StateOptions): Pieces<SessionState> {
  const state = createState(address, fromStoredHead(record.head), options)
  state.ties = readTies(record.head)
  state.areVectorsApart = !hasVectors(state.head.settings)
  return filled(state, fillFromRows(state, record.rows))
}

/** Fills a state and returns it. Closes it if the filling fails or is aborted. */
function* filled(state: SessionState, filling: Pieces<void>): Pieces<SessionState> {
  let isFull = false
  try {
    yield* filling
    isFull = true
    return state
  } finally {
    if (!isFull) state.corpus.close()
  }
}

/** Rows sorted out, and short memories added, in one piece of work. */
const ROWS_A_PIECE = 256
const MEMORIES_A_PIECE = 16

function* fillFromRows(state: SessionState, rows: readonly StoredRow[]): Pieces<void> {
  const collections = yield* byCollection(rows)
  const rowsOf = (collection: string): readonly StoredRow[] => collections.get(collection) ?? []
  const bodiesOf = <Body>(collection: string): [string, Body][] => rowsOf(collection).map(({ id, body }) => [id, body as Body])
  for (const [, given] of bodiesOf<GivenVectors>(GIVEN)) state.head = { ...state.head, settings: { ...state.head.settings, ...given } }
  const stats = yield* statsById(rowsOf(STATS))
  yield* fillPacked(state, rowsOf(PACKED), stats)
  yield* fillMemories(state, rowsOf(MEMORY), stats)
  for (const [id, anchor] of bodiesOf<Anchor>(ANCHOR)) state.anchors.set(id, anchor)
  for (const [id, trigger] of bodiesOf<Trigger>(TRIGGER)) state.triggers.set(id, trigger)
  for (const [id, delta] of bodiesOf<Delta>(DELTA)) state.deltas.set(id, delta)
  for (const [, vectors] of bodiesOf<IsolationVectors>(ISOLATION)) state.isolation = vectors
  const held = bodiesOf<HeldInput>(HELD).toSorted(([, a], [, b]) => a.seq - b.seq)
  for (const [id, input] of held) state.held.set(id, input)
  for (const [, count] of bodiesOf<DayCount>(DAY)) state.days.set(count.day, count)
  for (const [, entity] of bodiesOf<Entity>(ENTITY)) {
    state.literals.put(entity)
    yield* readEntity(entity)
    yield
  }
}

function* statsById(rows: readonly StoredRow[]): Pieces<ReadonlyMap<string, MemoryStats>> {
  const stats = new Map<string, MemoryStats>()
  for (const [at, { id, body }] of rows.entries()) {
    if (at % ROWS_A_PIECE === 0) yield
    stats.set(id, body as MemoryStats)
  }
  return stats
}

/** Adds the packed memories. */
function* fillPacked(state: SessionState, rows: readonly StoredRow[], stats: ReadonlyMap<string, MemoryStats>): Pieces<void> {
  const packs = yield* sorted(
    rows.map(({ id, body }) => ({ from: Number(id), body: body as PackedMemories })),
    (a, b) => a.from - b.from
  )
  for (const { body } of packs) yield* takeAll(state, fromPacked(body), stats)
  state.packs = createPacks(
    packs.map(({ from, body }) => ({ from, to: body.seqs.at(-1) as number })),
    state.head.nextSeq - 1
  )
}

/** Adds the memories with rows of their own. */
function* fillMemories(state: SessionState, rows: readonly StoredRow[], stats: ReadonlyMap<string, MemoryStats>): Pieces<void> {
  const memories = yield* sorted(rows, (a, b) => (a.body as StoredMemory).seq - (b.body as StoredMemory).seq)
  yield* takeAll(state, fromRows(memories), stats)
}

function* fromRows(rows: readonly StoredRow[]): Generator<StoredText, void> {
  for (const { id, body } of rows) yield fromStoredMemory(id, body as StoredMemory)
}

/** Stored memory: with its words where they are known, and with its stats where they were stored with it. */
interface StoredText {
  readonly memory: Memory
  readonly words: WordList | null
  readonly stats?: MemoryStats
}

/** Adds memories to the state. Stats with a row of their own override those stored with the memory. */
function* takeAll(state: SessionState, texts: Iterable<StoredText>, later: ReadonlyMap<string, MemoryStats>): Pieces<void> {
  for (const { memory, words, stats } of texts) {
    // Several short memories make up one piece. A longer one, or a text that has to be read, is a piece of its own.
    const isLittle = words !== null && words.terms.length <= LITTLE_WORDS
    if (!isLittle || state.corpus.size % MEMORIES_A_PIECE === 0) yield
    const own = later.get(memory.id)
    const latest = own === undefined ? stats : statsOf(own)
    if (latest === undefined) throw new Error('a memory is stored without its stats')
    enter(state, { memory, stats: latest }, words ?? toWordList(yield* readText(memory.text)))
    const left = state.corpus.settle()
    if (left !== null) yield* left
  }
}

/** Upper bound on the words of a memory that shares a piece with others. */
const LITTLE_WORDS = 64

/** Groups rows by collection. */
function* byCollection(rows: readonly StoredRow[]): Pieces<ReadonlyMap<string, readonly StoredRow[]>> {
  const collections = new Map<string, StoredRow[]>()
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_A_PIECE === 0) yield
    addTo(collections, row.collection, row)
  }
  return collections
}

/** Builds a session from a document, apart from any record: for a verification to compare with, or for an import to replace a session. */
export function restoreAside(address: Address, document: SessionDocument, options: StateOptions): Pieces<SessionState> {
  const state = createState(address, document.head, options)
  return filled(state, fillFromDocument(state, document))
}

/**
 * Replaces the session's content by `restored`, in its state and in the step's commit. The caller has cleared the journal before.
 * `restored` must not be used afterwards.
 */
export function* replaceState(
  { state, journal, services }: Work,
  { document, restored }: { readonly document: SessionDocument; readonly restored: SessionState }
): Pieces<void> {
  const { head, corpus, topics, longTexts, expiring, pinned, pending, anchors, triggers, deltas, isolation, held, literals } = restored
  state.corpus.close()
  state.literals.evict('replaced')
  state.packs = createPacks()
  Object.assign(state, { head, corpus, topics, longTexts, expiring, pinned, pending, anchors, triggers, deltas, isolation, held, literals })
  takeLiterals(state, services)
  for (const [at, { memory, stats }] of document.memories.entries()) {
    if (at % ROWS_A_PIECE === ROWS_A_PIECE - 1) yield
    journal.put(MEMORY, memory.id, memory)
    journal.put(STATS, memory.id, stats)
  }
  writeControls(document, journal.put)
  writeDays(state, journal.put)
  state.areVectorsApart = true
  placeMind(state)
}

/** Writes all rows of the session except its memories: for a commit that wipes those. */
export function keepControls(work: Work): void {
  writeControls(documentOf(work.state), work.journal.put)
  writeDays(work.state, work.journal.put)
  work.state.areVectorsApart = true
}

function* fillFromDocument(state: SessionState, document: SessionDocument): Pieces<void> {
  for (const entry of document.memories) {
    yield
    admit(state, entry, toWordList(yield* readText(entry.memory.text)))
    yield* settled(state)
  }
  for (const anchor of document.anchors) state.anchors.set(anchor.id, anchor)
  for (const trigger of document.triggers) state.triggers.set(trigger.id, trigger)
  for (const delta of document.deltas) state.deltas.set(delta.id, delta)
  for (const input of document.held) state.held.set(input.id, input)
  for (const entity of document.entities) {
    state.literals.put(entity)
    yield* readEntity(entity)
    yield
  }
  state.isolation = document.isolation
}

function writeControls(document: Omit<SessionDocument, 'memories'>, put: (collection: string, id: string, body: unknown) => void): void {
  writeGivenVectors(document.head.settings, put)
  for (const anchor of document.anchors) put(ANCHOR, anchor.id, anchor)
  for (const trigger of document.triggers) put(TRIGGER, trigger.id, trigger)
  for (const delta of document.deltas) put(DELTA, delta.id, delta)
  for (const input of document.held) put(HELD, input.id, input)
  for (const entity of document.entities) put(ENTITY, hashText(entity.key), entity)
  put(ISOLATION, ISOLATION_ROW, document.isolation)
}

function writeDays({ days }: SessionState, put: (collection: string, id: string, body: unknown) => void): void {
  for (const count of days.values()) put(DAY, String(count.day), count)
}

/** Writes the row of the vectors among the settings, if there are any. */
export function writeGivenVectors(settings: SessionSettings, put: (collection: string, id: string, body: unknown) => void): void {
  const { templateEmbedding, policyVectors } = settings
  const given: GivenVectors = { templateEmbedding, policyVectors }
  if (hasVectors(given)) put(GIVEN, GIVEN_ROW, given)
}
