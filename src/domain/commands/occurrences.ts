/** Occurrences counted beside requests. Labels have few values, none of which comes from a client. */
import type { ActorKind } from '../address.js'
import type { ErrorCode } from '../errors.js'
import type { AnomalyType } from './observer-commands.js'

export const FORWARD_OUTCOMES = ['answered', 'refused', 'unknown'] as const

export const NODE_CHANGES = ['joined', 'left', 'lost', 'isolated'] as const

/** The usual reasons; others are rare. */
export const RETRY_REASONS = ['not_owner', 'unreachable', 'draining', 'fenced', 'busy'] as const satisfies readonly ErrorCode[]

export type Occurrence =
  | { readonly name: 'drift_event' | 'realignment' | 'feedback' | 'transfer' }
  /** A retrieval failed and was answered with an empty context. */
  | { readonly name: 'retrieval_failure' }
  | { readonly name: 'anomaly'; readonly type: AnomalyType }
  | { readonly name: 'consensus'; readonly outcome: 'accepted' | 'refused' }
  /** Work was refused for lack of memory: of its record, of all actors of the node, or of the node's work under way. */
  | { readonly name: 'memory_refusal'; readonly budget: 'record' | 'actors' | 'work' }
  /** An idle actor was evicted because others needed its memory. */
  | { readonly name: 'memory_eviction' }
  /** An actor was rehydrated. `size`: memories of a session; rows for other kinds. */
  | { readonly name: 'rehydration'; readonly kind: ActorKind; readonly size: number; readonly durationMs: number }
  /** Entities of a literal cache were loaded with their session. */
  | { readonly name: 'literals_loaded'; readonly entities: number }
  /** Entities left a literal cache: removed, replaced by an import, or passivated with their session. */
  | { readonly name: 'literals_evicted'; readonly entities: number; readonly reason: 'removed' | 'replaced' | 'put_away' }
  /** The event loop stalled during a command of this type, or another kind of work. */
  | { readonly name: 'event_loop_stall'; readonly command: string }
  | NodeOccurrence

/** Occurrences between nodes. */
type NodeOccurrence =
  /** An ask was sent to another node, whatever the outcome. */
  | { readonly name: 'forward'; readonly outcome: (typeof FORWARD_OUTCOMES)[number] }
  /** An ask was retried, for this reason. */
  | { readonly name: 'retry'; readonly reason: ErrorCode }
  /** A write was refused because another writer had taken the record over. */
  | { readonly name: 'fenced_write' }
  /** A node came or went, from this node's view. */
  | { readonly name: 'membership_change'; readonly change: (typeof NODE_CHANGES)[number] }
