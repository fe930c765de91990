/** Commands to a session, and its replies. Plain data, since both cross nodes. */
import type { DriftPhase, IsolationAction, IsolationLevel, UnderstandingPhase } from '../session.js'
import type { ControlCommand, ControlReplies } from './control-commands.js'
import type { FactKind } from '../fact-kinds.js'
import type { Backing, CoordinationCommand, CoordinationReplies } from './coordination-commands.js'
import type { MemoryFilter, MemoryView } from './memory-view.js'

export interface CreateSession {
  readonly type: 'session.create'
  readonly dimension: number
  /** As requested by the client; the embedder decides the actual model. */
  readonly modelName?: string
  readonly useCortex: boolean
  readonly enableTopicSwitch: boolean
  readonly templateEmbedding?: readonly number[]
  readonly policyVectors: readonly { readonly embedding: readonly number[]; readonly weight: number; readonly promote: boolean }[]
  /** Kind of the actor that owns the session; absent for none. */
  readonly backing?: Backing
}
export interface DeleteSession {
  readonly type: 'session.delete'
  /**
   * True if sent by the actor that the session backs. Others are refused with `in_use` while that actor lives. A session that backs nothing
   * counts as missing: a client has made it after the one that was meant was deleted, before the actor heard of that.
   */
  readonly isByOwner?: true
  /** True if sent by an actor that is being made: refused with `already_exists` unless a cluster that was never made left it, unused. */
  readonly isLeft?: true
}
export interface RunTurn {
  readonly type: 'session.run'
  readonly message: string
  /** Answer to the previous message, stored before retrieval. */
  readonly response?: string
  readonly resetContext: boolean
  readonly userId?: string
  /** [-1, 1]. Default: 0.85. */
  readonly shortCircuitThreshold?: number
  /** If given, refused with `cluster_missing` unless the session backs a cluster, and no session is created. */
  readonly backing?: 'cluster'
}
export interface StoreAnswer {
  readonly type: 'session.store'
  readonly response: string
  /** The message that it answers, word for word. Default: the last message that was run, if it has no answer yet. */
  readonly question?: string
  /** [-1, 1]. Default: the configured update threshold. */
  readonly dedupThreshold?: number
  readonly userId?: string
}
export interface CheckDuplicate {
  readonly type: 'session.dedupCheck'
  readonly text: string
  readonly dedupThreshold?: number
}
export interface ReadMetrics {
  readonly type: 'session.metrics'
}
export interface ReadDays {
  readonly type: 'session.days'
}
export interface ReadContext {
  readonly type: 'session.context'
  /** 1..50 */
  readonly topK: number
  readonly fullFirst: boolean
  /** 1..100000 */
  readonly maxTextChars: number
}
export interface ReadMemory {
  readonly type: 'session.memory'
  readonly hash: string
}
export interface SearchMemories {
  readonly type: 'session.search'
  /** Exactly one of `query` and `embedding`. */
  readonly query?: string
  readonly embedding?: readonly number[]
  /** 1..200 */
  readonly topK: number
  readonly filter: MemoryFilter
  readonly explain: boolean
}

export type SessionCommand =
  | CreateSession
  | DeleteSession
  | RunTurn
  | StoreAnswer
  | CheckDuplicate
  | ReadMetrics
  | ReadDays
  | ReadContext
  | ReadMemory
  | SearchMemories
  | ControlCommand
  | CoordinationCommand

export interface DedupSignal {
  readonly isUpdate: boolean
  /** -1..1; 0 when the session holds nothing to compare with. */
  readonly maxSim: number
  readonly matchedId: string | null
}

/** An answered question that is similar to a message but differs from it in a fact. */
export interface RefusedRepetition {
  readonly memoryId: string
  /** -1..1 */
  readonly similarity: number
  /** First fact in which the two differ. */
  readonly difference: FactKind
}

export interface RunReply {
  readonly context: string
  readonly topSimilarity: number
  readonly shortCircuit: boolean
  /** Why the turn is no short circuit although an answered question came near. */
  readonly refused?: RefusedRepetition
  readonly driftScore: number
  readonly driftDetected: boolean
  readonly driftPhase: DriftPhase
  readonly dedupSignal: DedupSignal | null
  readonly retrievalError: boolean
  readonly phase: UnderstandingPhase
  readonly turn: number
  readonly isolation: { readonly level: IsolationLevel; readonly action: IsolationAction; readonly similarity: number | null }
}

export interface ContextItem extends Omit<MemoryView, 'userId'> {
  readonly truncated: boolean
  /** Similarity to the session's semantic state, -1..1. */
  readonly relevance: number
}

export interface TriggerView {
  readonly triggerId: string
  /** Null for an embedding trigger. */
  readonly keyword: string | null
  readonly firedCount: number
  /** Number of the last run on which it fired; null before. */
  readonly lastFiredTurn: number | null
}

export interface MetricsSnapshot {
  readonly phase: UnderstandingPhase
  readonly driftPhase: DriftPhase
  readonly driftScore: number
  readonly driftThreshold: number
  readonly interactionCount: number
  readonly totalMemories: number
  readonly tiers: { readonly shortTerm: number; readonly mediumTerm: number; readonly longTerm: number }
  readonly meanSimilarity: number
  readonly similarityVariance: number
  readonly topicSwitches: number
  readonly shortCircuits: number
  readonly anchorCount: number
  readonly anchorScore: number | null
  readonly triggerCount: number
  /** All triggers with when they last fired. */
  readonly triggers: readonly TriggerView[]
  readonly entityCount: number
  readonly isolation: { readonly level: IsolationLevel; readonly similarityThreshold: number; readonly quarantinedCount: number }
  readonly dimension: number
  readonly modelName: string
  readonly useCortex: boolean
  readonly enableTopicSwitch: boolean
  readonly createdAt: number
  readonly lastActiveAt: number
}

/** A day on which a session had turns. */
interface DayView {
  /** UTC, as `2026-11-23`. */
  readonly date: string
  readonly turns: number
  /** 0..1; null if no turn's drift was judged. */
  readonly driftMean: number | null
  readonly driftMax: number | null
  /** Turns whose score reached the drift threshold. */
  readonly driftedTurns: number
  readonly shortCircuits: number
  /** Estimate: tokens of the messages, their context blocks and their known answers. */
  readonly savedTokens: number
}

export interface SearchResult extends MemoryView {
  readonly score: number
  /** Present only on request: components of the score. */
  readonly components?: Readonly<Record<string, number>>
  /** Present only on request: hash of a newer memory that says something else on the same matter; null if there is none. */
  readonly supersededBy?: string | null
}

export interface StageTiming {
  readonly stage: 'retrieve' | 'fuse' | 'rerank' | 'serialize'
  readonly durationMs: number
  readonly candidates: number
}

/** Replies by command type. */
export interface SessionReplies extends ControlReplies, CoordinationReplies {
  'session.create': { readonly modelName: string }
  'session.delete': { readonly deleted: true }
  'session.run': RunReply
  'session.store': { readonly memoryId: string; readonly memoryHash: string; readonly dedupSignal: DedupSignal }
  'session.dedupCheck': DedupSignal
  'session.metrics': MetricsSnapshot
  'session.days': { readonly days: readonly DayView[] }
  'session.context': { readonly items: readonly ContextItem[] }
  'session.memory': MemoryView
  /** `retrievalError`: the embedder was unavailable, so only words were searched. */
  'session.search': { readonly results: readonly SearchResult[]; readonly retrievalError?: true; readonly stages?: readonly StageTiming[] }
}

export type SessionReply = SessionReplies[SessionCommand['type']]
