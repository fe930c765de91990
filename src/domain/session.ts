/** Retained data of a session: what users supplied. Everything else is derived from it. */

export const ROLES = ['user', 'assistant', 'synthetic'] as const
export type Role = (typeof ROLES)[number]

/** Ascending. */
export const TIERS = ['short_term', 'medium_term', 'long_term'] as const
export type Tier = (typeof TIERS)[number]

export const DRIFT_PHASES = ['stable', 'shifting', 'drifted'] as const
export type DriftPhase = (typeof DRIFT_PHASES)[number]

export const UNDERSTANDING_PHASES = ['initialization', 'exploration', 'convergence', 'resonance', 'stability', 'instability'] as const
export type UnderstandingPhase = (typeof UNDERSTANDING_PHASES)[number]

export const ISOLATION_LEVELS = ['OPEN', 'FILTER', 'QUARANTINE', 'LOCKDOWN'] as const
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number]

export const ISOLATION_ACTIONS = ['passed', 'down_weighted', 'quarantined', 'blocked'] as const
export type IsolationAction = (typeof ISOLATION_ACTIONS)[number]

export const ENTITY_KINDS = ['variable', 'function', 'class', 'path', 'error', 'signature', 'constant', 'type'] as const
export type EntityKind = (typeof ENTITY_KINDS)[number]

export interface PolicyVector {
  /** Unit length, of the session's dimension. */
  readonly embedding: Float32Array
  /** At least 0. */
  readonly weight: number
  /** Whether memories similar to the vector are raised (true) or lowered (false). */
  readonly promote: boolean
}

/** Fixed when a session is created. */
export interface SessionSettings {
  readonly dimension: number
  /** Versioned name of the embedder; vectors of two models are never mixed. */
  readonly modelName: string
  readonly useCortex: boolean
  readonly enableTopicSwitch: boolean
  readonly templateEmbedding: Float32Array | null
  readonly policyVectors: readonly PolicyVector[]
  /** Epoch seconds. */
  readonly createdAt: number
}

/** Vectors among the settings: up to some megabytes. */
export type GivenVectors = Pick<SessionSettings, 'templateEmbedding' | 'policyVectors'>

/** One memory as supplied. Replaced as a whole when its text changes, never mutated. */
export interface Memory {
  /** UUID, stable over updates. */
  readonly id: string
  /** Order of arrival in the session, from 1, stable over updates. */
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
   * Number of its run, from 1. For a memory that was injected or ingested and not folded, that of the run before it, or 0. 0 for what the
   * session was told.
   */
  readonly turn: number
  /** Ids of the questions that this memory answers, oldest first; one answer may serve several. At most REPLY_TO_MAX. */
  readonly replyTo: readonly string[]
  /** Tier given at injection; the effective tier is never lower. */
  readonly baseTier: Tier
  /** Epoch seconds; null for never. */
  readonly expiresAt: number | null
  /** End offsets in `text` of the embedded parts; a short text is one part. */
  readonly partEnds: readonly number[]
  /** `partEnds.length` unit vectors of the session's dimension, one after another. */
  readonly vectors: Float32Array
  /** Set while the embedder is unavailable: the vectors are all zeros until it is back. */
  readonly isPending?: true
}

/** Changing data of a memory whose text stays. Replaced, never mutated. */
export interface MemoryStats {
  /** At least 0: below 1 for a plain turn, at least 1 for a triggered one. */
  readonly importance: number
  readonly accessCount: number
  /** Epoch seconds of its last appearance in a context block. */
  readonly accessedAt: number
  /** True keeps it from ageing, because a trigger fired on its turn. */
  readonly isProtected: boolean
  /** Topic segment, from 0. */
  readonly segment: number
  /** Pinned by hand: it does not expire, its text cannot change, and a context block shows it first. Absent: not pinned. */
  readonly isPinned?: true
  /** Share of it that was folded into the state, 0..1. Default: 1 if `turn` is above 0, else 0. */
  readonly share?: number
}

export interface MemoryEntry {
  readonly memory: Memory
  readonly stats: MemoryStats
}

/**
 * One input as folded into the session's state. Its vector and terms are those of the memory that it names, so that erasing the memory
 * erases the fold.
 */
export interface Fold {
  readonly memoryId: string
  readonly role: Role
  /** Number of the run, from 1; 0 for input outside of any run. */
  readonly turn: number
  /** Weight of this input in the state, at least 0. */
  readonly weight: number
  /** Dissimilarity to the folds before it, 0..1. */
  readonly dissimilarity: number
  /** Drift score 0..1 of a user's message; 0 for other roles. */
  readonly driftScore: number
  readonly segment: number
}

/** A reference direction set by the user; drift is also judged by the distance to it. */
export interface Anchor {
  readonly id: string
  /** Unit length. */
  readonly embedding: Float32Array
  /** The text it was made from, if any. */
  readonly text: string | null
}

/** Raises the importance of turns on which it fires. Exactly one of `keyword` and `embedding` is set. */
export interface Trigger {
  readonly id: string
  readonly keyword: string | null
  /** Unit length. */
  readonly embedding: Float32Array | null
  /** Similarity from which an embedding trigger fires, -1..1. */
  readonly threshold: number
  readonly firedCount: number
  /** Number of the last run on which it fired; 0 before. */
  readonly firedTurn: number
}

/** Vectors, of unit length, that isolation compares inputs with, beside the anchors. */
export interface IsolationVectors {
  readonly exclusions: readonly Float32Array[]
  readonly allowlist: readonly Float32Array[]
}

/** An input that quarantine holds until it is released. */
export interface HeldInput {
  readonly id: string
  /** Order of arrival, from 1. */
  readonly seq: number
  readonly text: string
  readonly userId: string | null
  /** Epoch seconds. */
  readonly timestamp: number
  readonly partEnds: readonly number[]
  readonly vectors: Float32Array
  /** As in Memory. */
  readonly isPending?: true
}

/** A verbatim piece of code: stored and returned byte for byte. */
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
  /** Number of the last run before it came; it fades with later runs. */
  readonly turn: number
  /** Data subjects whose memories were folded into it, without duplicates; null: unknown, so it may be anybody. */
  readonly users: readonly string[] | null
}
