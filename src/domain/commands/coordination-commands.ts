/** Commands to a session from the layers above it: its state, blends into it, memberships, and shared exchanges. */
import type { DriftPhase, UnderstandingPhase } from '../session.js'

/** Kind of the actor that owns a backing session; only that actor may delete the session. */
export type Backing = 'cluster' | 'region' | 'observer'

/** A vector with the data subjects whose memories were folded into it; `users` is null if unknown, so that it may be anybody. */
export interface SharedVector {
  /** Unit length. */
  readonly vector: Float32Array
  readonly users: readonly string[] | null
}

export interface ReadState {
  readonly type: 'state.read'
}
/**
 * Moves the semantic state to unit((1 - coupling) · state + coupling · target), exactly at that moment. It fades with later inputs as a
 * transfer does. Repeating a delivery changes nothing. A target of another dimension or model is not applied.
 */
export interface BlendState {
  readonly type: 'state.blend'
  readonly deliveryId: string
  readonly target: SharedVector
  readonly modelName: string
  /** 0..1 */
  readonly coupling: number
}
/** Adds maxWeight · (source state - own state) to the state. Interface, Network. */
export interface TransferState {
  readonly type: 'state.transfer'
  readonly sourceSessionId: string
  /** 0..1 */
  readonly maxWeight: number
}
/** Refused with `invalid_input` if dimension or model differ from the cluster's. Adding twice is a no-op. */
export interface AddMembership {
  readonly type: 'membership.add'
  readonly clusterId: string
  readonly dimension: number
  readonly modelName: string
}
export interface RemoveMembership {
  readonly type: 'membership.remove'
  readonly clusterId: string
  /** True: only if the cluster says that the session is no member. Refused with `busy` while it is being added. */
  readonly isStale?: true
}

/** A question with its answer, or an answer without a question. */
export interface Exchange {
  readonly question: string | null
  readonly answer: string
  readonly userId: string | null
  /** Data subject of the question if it differs from the answer's. Default: `userId`. */
  readonly questionUserId?: string | null
  /** Epoch seconds. Default: now. */
  readonly timestamp?: number
}
/** Stores exchanges outside of any turn. Idempotent: what the session already holds stays as it is. */
export interface LearnExchanges {
  readonly type: 'exchange.learn'
  readonly exchanges: readonly Exchange[]
  /** If given, refused with `cluster_missing` unless the session backs a cluster. */
  readonly backing?: 'cluster'
}

/** An answer of a session with the question that it answers, by the ids of their memories. */
export interface Finding {
  readonly questionId: string | null
  readonly answerId: string
}
/**
 * A member announces new findings to the shared session of its cluster, which then reads the texts from the member. Thus no outbox message
 * holds a text, and texts deleted or erased meanwhile are not learned.
 */
export interface CollectFindings {
  readonly type: 'exchange.collect'
  readonly fromSessionId: string
  readonly findings: readonly Finding[]
}
/** Returns the texts of findings, without those deleted by now. */
export interface ReadFindings {
  readonly type: 'exchange.read'
  readonly findings: readonly Finding[]
}
/** The owner deleted or reworded memories, so their shared copies must go too. */
export interface UnlearnMemories {
  readonly type: 'exchange.unlearn'
  readonly hashes: readonly string[]
}
/** Asks what the shared session knows about a member's message. Read-only. */
export interface MatchExchanges {
  readonly type: 'exchange.match'
  readonly message: string
  /** -1..1 */
  readonly shortCircuitThreshold: number
  /** Data subject on whose behalf it is asked. */
  readonly userId?: string
}

export type CoordinationCommand =
  | ReadState
  | BlendState
  | TransferState
  | AddMembership
  | RemoveMembership
  | LearnExchanges
  | CollectFindings
  | ReadFindings
  | UnlearnMemories
  | MatchExchanges

export interface SessionStateView {
  /** Null while the session has no direction. */
  readonly state: SharedVector | null
  readonly dimension: number
  readonly modelName: string
  /** See `SessionTies`. */
  readonly madeAt?: number | undefined
  readonly phase: UnderstandingPhase
  readonly driftPhase: DriftPhase
  /** 0..1 */
  readonly driftScore: number
  readonly interactionCount: number
  readonly totalMemories: number
}

/** A memory of the shared session, as one line of a member's context block. */
interface SharedHit {
  /** Hashes of its memories. */
  readonly hashes: readonly string[]
  readonly question: string | null
  /** The answer, or a text without a question. For a long text, the part nearest to the message. */
  readonly text: string
  /** Score in the shared session's own ranking, 0..1. */
  readonly score: number
}

export interface CoordinationReplies {
  'state.read': SessionStateView
  'state.blend': { readonly isApplied: boolean }
  'state.transfer': { readonly deltaNorm: number; readonly appliedWeight: number }
  'membership.add': { readonly added: true }
  'membership.remove': { readonly removed: true }
  /** `stored`: exchanges given that the session now holds, including those that it held before. */
  'exchange.learn': { readonly stored: number }
  'exchange.collect': { readonly stored: number }
  'exchange.read': { readonly exchanges: readonly Exchange[] }
  'exchange.unlearn': { readonly removed: number }
  'exchange.match': { readonly isAnswered: boolean; readonly hits: readonly SharedHit[] }
}
