/** State of one session in memory: its head, its rows, and data derived from them. */
import { LiteralStore } from '../../../machines/literal-store.js'
import type { Address } from '../../../src/domain/address.js'
import type { DayCount } from '../../../src/domain/day-counts.js'
import { ExpiryQueue } from '../../../src/domain/collections/expiry-queue.js'
import { LeanMap, LeanSet } from '../../../src/domain/collections/lean-map.js'
import type { Anchor, Delta, Entity, HeldInput, IsolationVectors, Trigger } from '../../../src/domain/session.js'
import type { CreateVectorIndex } from '../../../src/ports.js'
import { Corpus } from '../../../src/retrieval/corpus.js'
import type { SessionHead } from './head.js'
import { createMind, type Mind } from './mind.js'
import { createPacks, type Packs } from './packs.js'
import { NO_TIES, type SessionTies } from './ties.js'
import { Topics } from './topics.js'

/** Containers that are not readonly are replaced by an import. */
export interface SessionState {
  readonly address: Address
  head: SessionHead
  ties: SessionTies
  /** Whether the vectors among the settings have a row of their own. In records of earlier versions they stay in the stored head. */
  areVectorsApart: boolean
  /** Number of removals by others in this activation. When it grows, answers that a preparation got before are outdated. */
  removals: number
  /** Number of changes in this activation. When it grows, long work that began before no longer sees the same session. */
  revision: number
  corpus: Corpus
  topics: Topics
  packs: Packs
  /** Ids of the memories with several parts. */
  longTexts: LeanSet<string>
  /** The memories with an expiration. */
  expiring: ExpiryQueue
  /** Ids of the pinned memories. */
  pinned: LeanSet<string>
  /** Ids of the memories that are not embedded yet. */
  pending: LeanSet<string>
  anchors: LeanMap<string, Anchor>
  triggers: LeanMap<string, Trigger>
  deltas: LeanMap<string, Delta>
  isolation: IsolationVectors
  /** Held inputs by id, in the order of `seq`. */
  held: LeanMap<string, HeldInput>
  literals: LiteralStore
  /** Activity of the last days, by day. Independent of the session's content: not exported, and kept when the content is replaced. */
  readonly days: LeanMap<number, DayCount>
  /** Chart, in the state that the head tells. */
  readonly mind: Mind
  /** Entities whose words have not been read yet. */
  readonly unread: LeanSet<Entity>
}

export interface StateOptions {
  readonly createVectorIndex: CreateVectorIndex
}

const NO_ISOLATION: IsolationVectors = { exclusions: [], allowlist: [] }

/** Creates the state of a session without memories. */
export function createState(address: Address, head: SessionHead, options: StateOptions): SessionState {
  const { dimension } = head.settings
  const corpus = new Corpus({ dimension, createVectorIndex: options.createVectorIndex })
  return {
    address,
    head,
    ties: NO_TIES,
    areVectorsApart: true,
    removals: 0,
    revision: 0,
    corpus,
    topics: new Topics(dimension, corpus),
    packs: createPacks(),
    longTexts: new LeanSet(),
    expiring: new ExpiryQueue(),
    pinned: new LeanSet(),
    pending: new LeanSet(),
    anchors: new LeanMap(),
    triggers: new LeanMap(),
    deltas: new LeanMap(),
    isolation: NO_ISOLATION,
    held: new LeanMap(),
    literals: new LiteralStore(),
    days: new LeanMap(),
    mind: createMind(head),
    unread: new LeanSet()
  }
}
