/** What the layers above ask of a session: its state, blends into it, memberships, and exchanges to share. */
import type { DriftPhase, UnderstandingPhase } from '../session.js'

/** Which actor keeps a session for itself: that one alone may delete it. */
export type Backing = 'cluster' | 'region' | 'observer'

/** A vector with the data subjects whose memories were folded into it; `users` null: unknown, so it may be anybody. */
export interface SharedVector {
  /** Unit length. */
  readonly vector: Float32Array
  readonly users: readonly string[] | null
}

export interface ReadState {
  readonly type: 'state.read'
}
/**
 * Moves the semantic state to unit((1 - coupling) · state + coupling · target), exactly at that moment; it fades with later
 * inputs as a transfer does. The same delivery again changes nothing. A target of another dimension or model is not applied.
 */
export interface BlendState {
  readonly type: 'state.blend'
  readonly deliveryId: string
  readonly target: SharedVector
  readonly modelName: string
  /** 0..1 */
  readonly coupling: number
}
/** Adds maxWeight · (the source's state - this one's) to the state. Interface, Network. */
export interface TransferState {
  readonly type: 'state.transfer'
  readonly sourceSessionId: string
  /** 0..1 */
  readonly maxWeight: number
}
/** Refused with `invalid_input` when dimension or model differ from the cluster's. Adding twice is fine. */
export interface AddMembership {
  readonly type: 'membership.add'
  readonly clusterId: string
  readonly dimension: number
  readonly modelName: string
}
export interface RemoveMembership {
  readonly type: 'membership.remove'
  readonly clusterId: string
  /** True: the cluster does not know the session. A membership that is being added right now is then left alone. */
  readonly isStale?: true
}

/** A question with its answer, or an answer to nothing in particular. */
export interface Exchange {
  readonly question: string | null
  readonly answer: string
  readonly userId: string | null
  /** Data subject of the question, where it is another one than the answer's. Default: `userId`. */
  readonly questionUserId?: string | null
  /** Epoch seconds; default: now. */
  readonly timestamp?: number
}
/** Takes exchanges in, outside of any turn. What is there already stays as it is: the same exchanges twice leave the same state. */
export interface LearnExchanges {
  readonly type: 'exchange.learn'
  readonly exchanges: readonly Exchange[]
  /** Given: refused with `cluster_missing` unless the session backs one. */
  readonly backing?: 'cluster'
}

/** An answer of a session and the question that it answers, by the ids of their memories. */
export interface Finding {
  readonly questionId: string | null
  readonly answerId: string
}
/**
 * A member tells the shared session of its cluster that it learned something. The shared session reads the texts from the member when
 * it takes them in: so no letter holds a text, and what was deleted or erased meanwhile is not learned.
 */
export interface CollectFindings {
  readonly type: 'exchange.collect'
  readonly fromSessionId: string
  readonly findings: readonly Finding[]
}
/** The texts of findings, without those that are gone by now. */
export interface ReadFindings {
  readonly type: 'exchange.read'
  readonly findings: readonly Finding[]
}
/** Memories were deleted or reworded by their owner: the copies that were shared go too. */
export interface UnlearnMemories {
  readonly type: 'exchange.unlearn'
  readonly hashes: readonly string[]
}
/** What the shared session knows of a member's message. Read-only. */
export interface MatchExchanges {
  readonly type: 'exchange.match'
  readonly message: string
  /** -1..1 */
  readonly shortCircuitThreshold: number
  /** Who asks. */
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
  readonly phase: UnderstandingPhase
  readonly driftPhase: DriftPhase
  /** 0..1 */
  readonly driftScore: number
  readonly interactionCount: number
  readonly totalMemories: number
}

/** A memory of the shared session, as one line of a member's context block. */
export interface SharedHit {
  /** Hashes of the memories that it is made of. */
  readonly hashes: readonly string[]
  readonly question: string | null
  /** The answer, or the text that stands alone. Of a long one the part that is nearest to the message. */
  readonly text: string
  /** As the shared session's own ranking gave it, 0..1. */
  readonly score: number
}

export interface CoordinationReplies {
  'state.read': SessionStateView
  'state.blend': { readonly isApplied: boolean }
  'state.transfer': { readonly deltaNorm: number; readonly appliedWeight: number }
  'membership.add': { readonly added: true }
  'membership.remove': { readonly removed: true }
  /** `stored`: exchanges that the session holds now, also those that it held before. */
  'exchange.learn': { readonly stored: number }
  'exchange.collect': { readonly stored: number }
  'exchange.read': { readonly exchanges: readonly Exchange[] }
  'exchange.unlearn': { readonly removed: number }
  'exchange.match': { readonly isAnswered: boolean; readonly hits: readonly SharedHit[] }
}
