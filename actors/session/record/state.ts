/** One session in memory: its head, its rows, and what is derived from them. */
import { createLiteralStore, type LiteralStore } from '../../../machines/literal-store.js'
import type { Address } from '../../../src/domain/address.js'
import type { DayCount } from '../../../src/domain/day-counts.js'
import { LeanMap, LeanSet } from '../../../src/domain/lean-map.js'
import type { Anchor, Delta, Entity, HeldInput, IsolationVectors, Trigger } from '../../../src/domain/session.js'
import type { CreateVectorIndex } from '../../../src/ports.js'
import { type Corpus, createCorpus } from '../../../src/retrieval/corpus.js'
import type { SessionHead } from './head.js'
import { createMind, type Mind } from './mind.js'
import { createPacks, type Packs } from './packs.js'
import { NO_TIES, type SessionTies } from './ties.js'
import { createTopics, type Topics } from './topics.js'

/** Its containers are replaced by an import. */
export interface SessionState {
  readonly address: Address
  head: SessionHead
  ties: SessionTies
  /** Whether the vectors among the settings have a row: in records of earlier versions they are part of the stored head, and stay there. */
  areVectorsApart: boolean
  /** How often others had something removed here, while this activation lives: what was read before is then read again. */
  removals: number
  /** How often it was changed, while this activation lives: long work that finds it higher looks at another session than before. */
  revision: number
  corpus: Corpus
  topics: Topics
  packs: Packs
  /** Ids of the memories of several parts. */
  longTexts: LeanSet<string>
  /** Ids of the memories that expire some day. */
  expiring: LeanSet<string>
  /** Ids of the memories that are kept by hand. */
  pinned: LeanSet<string>
  /** Ids of the memories whose vectors are still to be made. */
  pending: LeanSet<string>
  anchors: LeanMap<string, Anchor>
  triggers: LeanMap<string, Trigger>
  deltas: LeanMap<string, Delta>
  isolation: IsolationVectors
  /** By id, in the order of their seq. */
  held: LeanMap<string, HeldInput>
  literals: LiteralStore
  /** What it did on its last days, by day. It stays with the session, whatever becomes of what the session holds: no export has it. */
  readonly days: LeanMap<number, DayCount>
  /** Its chart: where the head says. */
  readonly mind: Mind
  /** Entities whose words are still to be read. */
  readonly unread: LeanSet<Entity>
}

export interface StateOptions {
  readonly createVectorIndex: CreateVectorIndex
}

const NO_ISOLATION: IsolationVectors = { exclusions: [], allowlist: [] }

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
    packs: createPacks(),
    longTexts: new LeanSet(),
    expiring: new LeanSet(),
    pinned: new LeanSet(),
    pending: new LeanSet(),
    anchors: new LeanMap(),
    triggers: new LeanMap(),
    deltas: new LeanMap(),
    isolation: NO_ISOLATION,
    held: new LeanMap(),
    literals: createLiteralStore(),
    days: new LeanMap(),
    mind: createMind(head),
    unread: new LeanSet()
  }
}
