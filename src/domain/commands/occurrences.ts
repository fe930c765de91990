/** What is worth counting beside requests: labels have few values, and none comes from a client. */
import type { ActorKind } from '../address.js'
import type { ErrorCode } from '../errors.js'
import type { AnomalyType } from './observer-commands.js'

export const FORWARD_OUTCOMES = ['answered', 'refused', 'unknown'] as const

export const NODE_CHANGES = ['joined', 'left', 'lost', 'isolated'] as const

/** The usual ones: others are rare. */
export const RETRY_REASONS = ['not_owner', 'unreachable', 'draining', 'fenced', 'busy'] as const satisfies readonly ErrorCode[]

export type Occurrence =
  | { readonly name: 'drift_event' | 'realignment' | 'feedback' | 'transfer' }
  /** A retrieval failed, and was answered by an empty context. */
  | { readonly name: 'retrieval_failure' }
  | { readonly name: 'anomaly'; readonly type: AnomalyType }
  | { readonly name: 'consensus'; readonly outcome: 'accepted' | 'refused' }
  /** Something was refused for the memory that it would take: of its record, of all actors of the node, or of work under way there. */
  | { readonly name: 'memory_refusal'; readonly budget: 'record' | 'actors' | 'work' }
  /** An idle actor was evicted, for others needed its memory. */
  | { readonly name: 'memory_eviction' }
  /** An actor came back from storage: with how many memories (of another kind than a session, rows), and how long that took. */
  | { readonly name: 'rehydration'; readonly kind: ActorKind; readonly size: number; readonly durationMs: number }
  /** Entities of a literal cache came back into memory with their session. */
  | { readonly name: 'literals_loaded'; readonly entities: number }
  /** Entities left a literal cache: removed, replaced by an import, or put away with their session. */
  | { readonly name: 'literals_evicted'; readonly entities: number; readonly reason: 'removed' | 'replaced' | 'put_away' }
  /** The event loop stood still over a command of this type, or over another kind of work. */
  | { readonly name: 'event_loop_stall'; readonly command: string }
  | NodeOccurrence

/** Between nodes. */
export type NodeOccurrence =
  /** An ask went to another node, whatever came of it. */
  | { readonly name: 'forward'; readonly outcome: (typeof FORWARD_OUTCOMES)[number] }
  /** An ask was tried once more, for this reason. */
  | { readonly name: 'retry'; readonly reason: ErrorCode }
  /** Another writer had taken the record over: nothing was written. */
  | { readonly name: 'fenced_write' }
  /** A node came or went, as this node sees it. */
  | { readonly name: 'membership_change'; readonly change: (typeof NODE_CHANGES)[number] }
