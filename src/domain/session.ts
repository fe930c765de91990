/** The retained part of a session: what users gave us. All else is derived from it. */

export type Role = 'user' | 'assistant' | 'synthetic'
export type Tier = 'short_term' | 'medium_term' | 'long_term'
export type DriftPhase = 'stable' | 'shifting' | 'drifted'
export type UnderstandingPhase = 'initialization' | 'exploration' | 'convergence' | 'resonance' | 'stability' | 'instability'
export type IsolationLevel = 'OPEN' | 'FILTER' | 'QUARANTINE' | 'LOCKDOWN'
export type EntityKind = 'variable' | 'function' | 'class' | 'path' | 'error' | 'signature' | 'constant' | 'type'
export type IsolationAction = 'passed' | 'down_weighted' | 'quarantined' | 'blocked'

export interface PolicyVector {
  /** Unit length, of the session's dimension. */
  readonly embedding: Float32Array
  /** At least 0. */
  readonly weight: number
  /** True raises memories similar to the vector, false lowers them. */
  readonly promote: boolean
}

/** Fixed when a session is made. */
export interface SessionSettings {
  readonly dimension: number
  /** The embedder's versioned name; vectors of two models never mix. */
  readonly modelName: string
  readonly useCortex: boolean
  readonly enableTopicSwitch: boolean
  readonly templateEmbedding: Float32Array | null
  readonly policyVectors: readonly PolicyVector[]
  /** Epoch seconds. */
  readonly createdAt: number
}

/** The vectors among the settings: up to some megabytes. */
export type GivenVectors = Pick<SessionSettings, 'templateEmbedding' | 'policyVectors'>

/** One memory as it was given. Replaced as a whole when a text is updated, never mutated. */
export interface Memory {
  /** UUID, kept over updates. */
  readonly id: string
  /** Order in which the session took it in, from 1, kept over updates. */
  readonly seq: number
  /** First 32 hex characters of the SHA-256 of `text`. */
  readonly hash: string
  readonly text: string
  readonly role: Role
  /** Data subject of the turn, for erasure. */
  readonly userId: string | null
  /** Epoch seconds. */
  readonly timestamp: number
  /**
   * Number of the run it belongs to, from 1. Of one that was injected or ingested, and folded into nothing: of the run before it, or 0.
   * 0 when the session was told it.
   */
  readonly turn: number
  /** Ids of the questions that this memory answers, oldest first: one answer may serve several. Bounded by REPLY_TO_MAX. */
  readonly replyTo: readonly string[]
  /** The tier given at injection; the tier in force is never lower. */
  readonly baseTier: Tier
  /** Epoch seconds; null never expires. */
  readonly expiresAt: number | null
  /** End offsets in `text` of the parts that were embedded; a short text is one part. */
  readonly partEnds: readonly number[]
  /** `partEnds.length` unit vectors of the session's dimension, one after another. */
  readonly vectors: Float32Array
  /** The embedder was away: the vectors are all zeros until it is back. */
  readonly isPending?: true
}

/** What changes about a memory while its text stands. Replaced, never mutated. */
export interface MemoryStats {
  /** At least 0. A plain turn lies below 1, a triggered one at 1 or more. */
  readonly importance: number
  readonly accessCount: number
  /** Epoch seconds of the last time it was put into a context block. */
  readonly accessedAt: number
  /** True keeps it from ageing: a trigger fired on its turn. */
  readonly isProtected: boolean
  /** Topic segment, from 0. */
  readonly segment: number
  /** Kept by hand: it does not expire, its words stand, and a context block shows it first. Absent: it is not. */
  readonly isPinned?: true
  /** Share of it that was folded into the state, 0..1. Absent: all where `turn` is above 0, else nothing. */
  readonly share?: number
}

export interface MemoryEntry {
  readonly memory: Memory
  readonly stats: MemoryStats
}

/**
 * One input as it was folded into the session's state. Its vector and terms are
 * those of the memory it names, so that erasing the memory erases the fold.
 */
export interface Fold {
  readonly memoryId: string
  readonly role: Role
  /** Number of the run, from 1; 0 for what was given outside of any run. */
  readonly turn: number
  /** Share of this input in the state, at least 0. */
  readonly weight: number
  /** 0..1, against the folds before it. */
  readonly dissimilarity: number
  /** Drift score 0..1 of a user's message; 0 for other roles. */
  readonly driftScore: number
  readonly segment: number
}

/** A user's reference direction: drift is also judged by the distance to it. */
export interface Anchor {
  readonly id: string
  /** Unit length. */
  readonly embedding: Float32Array
  /** The text it was made from, if any. */
  readonly text: string | null
}

/** Raises the importance of the turns that it fires on. Exactly one of keyword and embedding. */
export interface Trigger {
  readonly id: string
  readonly keyword: string | null
  /** Unit length. */
  readonly embedding: Float32Array | null
  /** Cosine from which an embedding trigger fires, -1..1. */
  readonly threshold: number
  readonly firedCount: number
  /** Number of the run on which it fired last; 0 before. */
  readonly firedTurn: number
}

/** What isolation compares inputs with, beside the anchors. Unit vectors. */
export interface IsolationVectors {
  readonly exclusions: readonly Float32Array[]
  readonly allowlist: readonly Float32Array[]
}

/** An input that quarantine holds back until it is released. */
export interface HeldInput {
  readonly id: string
  /** Order in which it came, from 1. */
  readonly seq: number
  readonly text: string
  readonly userId: string | null
  /** Epoch seconds. */
  readonly timestamp: number
  readonly partEnds: readonly number[]
  readonly vectors: Float32Array
  /** As that of a memory. */
  readonly isPending?: true
}

/** A verbatim piece of code: kept and given back byte for byte. */
export interface Entity {
  readonly key: string
  readonly kind: EntityKind
  readonly value: string
  readonly context: string | null
  readonly importance: number
  readonly accessCount: number
  /** Epoch seconds of the last put. */
  readonly timestamp: number
}

/** An applied transfer from another session: a scaled difference of two unit states. */
export interface Delta {
  readonly id: string
  readonly vector: Float32Array
  /** Number of the run after which it came; it fades with later ones. */
  readonly turn: number
  /** Data subjects whose memories were folded into it, each once; null: unknown, so it may be anybody. */
  readonly users: readonly string[] | null
}
