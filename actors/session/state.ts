/** One session in memory: its head, its rows, and what is derived from them. */
import type { Address } from '../../src/domain/address.js'
import type { Pieces } from '../../src/domain/pieces.js'
import { sorted } from '../../src/domain/sorting.js'
import type {
  Anchor,
  Delta,
  DriftPhase,
  Entity,
  Fold,
  GivenVectors,
  HeldInput,
  IsolationLevel,
  IsolationVectors,
  Memory,
  MemoryStats,
  SessionSettings,
  Trigger,
  UnderstandingPhase
} from '../../src/domain/session.js'
import { readEntity } from '../../src/domain/entity-search.js'
import { readText } from '../../src/domain/text/reading.js'
import type { CreateVectorIndex, StoredRecord, StoredRow } from '../../src/ports.js'
import { createCorpus, type Corpus } from '../../src/retrieval/corpus.js'
import { admit } from './entries.js'
import { createLiteralStore, type LiteralStore } from '../../machines/literal-store.js'
import { createMind, type Mind } from './mind.js'
import { fromStoredHead, hasVectors, readTies } from './stored-head.js'
import { settled } from './settle.js'
import { NO_TIES, type SessionTies } from './ties.js'
import { createTopics, type Topics } from './topics.js'

/** Written with every commit, so it stays small: no text, and as it is stored no vector. Replaced, never mutated. */
export interface SessionHead {
  readonly format: 1
  readonly settings: SessionSettings
  readonly nextSeq: number
  readonly interactionCount: number
  readonly shortCircuits: number
  readonly topicSwitches: number
  /** Oldest first, at most FOLD_LOG_MAX. */
  readonly folds: readonly Fold[]
  /** The last message while nothing has answered it. */
  readonly openQuestionId: string | null
  /** Topic segment of the last fold. */
  readonly segment: number
  /** Of the last run. */
  readonly driftScore: number
  readonly driftPhase: DriftPhase
  /** User turns in a row that stayed under the drift threshold while the session was drifted; 0 in another phase. */
  readonly calmTurns: number
  readonly phase: UnderstandingPhase
  readonly isolationLevel: IsolationLevel
  readonly isolationThreshold: number
  /** Turns that are still pulled back towards the anchors. */
  readonly realignmentRemaining: number
  /** Epoch seconds. */
  readonly lastActiveAt: number
}

/** Names of the row collections of a session record. */
export const MEMORY = 'memory'
export const STATS = 'stats'
export const ANCHOR = 'anchor'
export const TRIGGER = 'trigger'
export const DELTA = 'delta'
export const ISOLATION = 'isolation'
export const HELD = 'held'
export const ENTITY = 'entity'
export const GIVEN = 'given'
/** Id of the one row of the isolation collection, and of that of the vectors among the settings. */
export const ISOLATION_ROW = 'vectors'
export const GIVEN_ROW = 'vectors'

/** Its containers are replaced by an import. */
export interface SessionState {
  readonly address: Address
  head: SessionHead
  ties: SessionTies
  /** Whether the vectors among the settings have a row: in records of earlier versions they are part of the stored head, and stay there. */
  areVectorsApart: boolean
  /** How often others had something removed here, while this incarnation lives: what was read before is then read again. */
  removals: number
  /** How often it was changed, while this incarnation lives: long work that finds it higher looks at another session than before. */
  revision: number
  corpus: Corpus
  topics: Topics
  /** Ids of the memories of several parts. */
  longTexts: Set<string>
  /** Ids of the memories that expire some day. */
  expiring: Set<string>
  /** Ids of the memories whose vectors are still to be made. */
  pending: Set<string>
  anchors: Map<string, Anchor>
  triggers: Map<string, Trigger>
  deltas: Map<string, Delta>
  isolation: IsolationVectors
  /** By id, in the order of their seq. */
  held: Map<string, HeldInput>
  literals: LiteralStore
  /** Its chart: where the head says. */
  readonly mind: Mind
  /** Entities whose words are still to be read. */
  readonly unread: Set<Entity>
}

export interface StateOptions {
  readonly createVectorIndex: CreateVectorIndex
}

/** The head of a session that has not seen any input. */
export function initialHead(settings: SessionSettings): SessionHead {
  return {
    format: 1,
    settings,
    nextSeq: 1,
    interactionCount: 0,
    shortCircuits: 0,
    topicSwitches: 0,
    folds: [],
    openQuestionId: null,
    segment: 0,
    driftScore: 0,
    driftPhase: 'stable',
    calmTurns: 0,
    phase: 'initialization',
    isolationLevel: 'OPEN',
    isolationThreshold: ISOLATION_THRESHOLD_DEFAULT,
    realignmentRemaining: 0,
    lastActiveAt: settings.createdAt
  }
}

const NO_ISOLATION: IsolationVectors = { exclusions: [], allowlist: [] }

// Interface, Limits: `similarity_threshold` on isolation, default 0.7.
const ISOLATION_THRESHOLD_DEFAULT = 0.7

/** A session without memories. */
export function createState(address: Address, head: SessionHead, options: StateOptions): SessionState {
  const { dimension } = head.settings
  return {
    address,
    head,
    ties: NO_TIES,
    areVectorsApart: true,
    removals: 0,
    revision: 0,
    corpus: createCorpus({ dimension, createVectorIndex: options.createVectorIndex }),
    topics: createTopics(dimension),
    longTexts: new Set(),
    expiring: new Set(),
    pending: new Set(),
    anchors: new Map(),
    triggers: new Map(),
    deltas: new Map(),
    isolation: NO_ISOLATION,
    held: new Map(),
    literals: createLiteralStore(),
    mind: createMind(head),
    unread: new Set()
  }
}

/** Rebuilds a session from its stored record: the one path of rehydration, import and erasure. */
export function restoreState(address: Address, record: StoredRecord, options: StateOptions): Pieces<SessionState> {
  const state = createState(address, fromStoredHead(record.head), options)
  state.ties = readTies(record.head)
  state.areVectorsApart = !hasVectors(state.head.settings)
  return filled(state, fillFromRows(state, record.rows))
}

/** The state once it is filled. Ended before, it is closed. */
export function* filled(state: SessionState, filling: Pieces<void>): Pieces<SessionState> {
  let isFull = false
  try {
    yield* filling
    isFull = true
    return state
  } finally {
    if (!isFull) state.corpus.close()
  }
}

function* fillFromRows(state: SessionState, rows: readonly StoredRow[]): Pieces<void> {
  const collections = yield* byCollection(rows)
  const bodiesOf = <Body>(collection: string): [string, Body][] => (collections.get(collection) ?? []) as [string, Body][]
  for (const [, given] of bodiesOf<GivenVectors>(GIVEN)) state.head = { ...state.head, settings: { ...state.head.settings, ...given } }
  const stats = new Map<string, MemoryStats>()
  for (const [id, own] of bodiesOf<MemoryStats>(STATS)) {
    stats.set(id, own)
    yield
  }
  const memories = yield* sorted(bodiesOf<Memory>(MEMORY), ([, a], [, b]) => a.seq - b.seq)
  for (const [id, memory] of memories) {
    yield
    const own = stats.get(id)
    if (own === undefined) throw new Error('a memory is stored without its stats')
    admit(state, { memory, stats: own }, yield* readText(memory.text))
    yield* settled(state)
  }
  for (const [id, anchor] of bodiesOf<Anchor>(ANCHOR)) state.anchors.set(id, anchor)
  for (const [id, trigger] of bodiesOf<Trigger>(TRIGGER)) state.triggers.set(id, trigger)
  for (const [id, delta] of bodiesOf<Delta>(DELTA)) state.deltas.set(id, delta)
  for (const [, vectors] of bodiesOf<IsolationVectors>(ISOLATION)) state.isolation = vectors
  const held = bodiesOf<HeldInput>(HELD).toSorted(([, a], [, b]) => a.seq - b.seq)
  for (const [id, input] of held) state.held.set(id, input)
  for (const [, entity] of bodiesOf<Entity>(ENTITY)) {
    state.literals.put(entity)
    yield* readEntity(entity)
    yield
  }
}

/** Ids and bodies of the rows of each collection. */
function* byCollection(rows: readonly StoredRow[]): Pieces<ReadonlyMap<string, [string, unknown][]>> {
  const collections = new Map<string, [string, unknown][]>()
  for (const { collection, id, body } of rows) {
    const known = collections.get(collection)
    if (known === undefined) collections.set(collection, [[id, body]])
    else known.push([id, body])
    yield
  }
  return collections
}
