/** Questions that nodes ask each other. Each names a subject, or concerns nobody's data. */
import type { ActorKind, Address } from '../address.js'
import type { LiveActor, NodeDescription } from '../nodes/topology.js'

/** Answers by type of question. */
export interface PeerAnswers {
  /** Confirms that the node is there. */
  'node.ping': null
  /** Ids of the subject's live actors of a kind. */
  'actors.active': readonly string[]
  /** The session that the subject used last on that node, and how long ago. */
  'sessions.last': { readonly id: string; readonly idleMs: number } | null
  /** Passivates the sessions. */
  'sessions.passivate': null
  /** Caches of texts outside the actors have dropped the subject's entries. Older builds name no subject; then all entries are dropped. */
  'texts.forget': null
  /** Redeems a debug ticket that the node issued, which then becomes invalid. Returns its subject. */
  'ticket.redeem': string | null
  /** Takes over a record that exists only in the node's memory; the node no longer has it afterwards. */
  'record.take': HandedRecord | null
  'record.peek': { readonly head: unknown } | null
  'records.list': readonly string[]
  /** The node's live parts, as an engineer sees them. */
  'node.describe': NodeDescription
  /** One live actor of the node. */
  'actor.describe': LiveActor | null
}

export type PeerQuestion =
  | { readonly type: 'node.ping' }
  | { readonly type: 'actors.active'; readonly subject: string; readonly kind: ActorKind }
  | { readonly type: 'sessions.last'; readonly subject: string }
  | { readonly type: 'sessions.passivate'; readonly subject: string; readonly ids: readonly string[] }
  | { readonly type: 'texts.forget'; readonly subject?: string }
  | { readonly type: 'ticket.redeem'; readonly hash: string }
  | { readonly type: 'record.take' | 'record.peek' | 'actor.describe'; readonly address: Address }
  | { readonly type: 'records.list'; readonly kind: ActorKind; readonly subject: string; readonly after?: string; readonly limit: number }
  | { readonly type: 'node.describe'; readonly subject: string }

/** A whole record, moved from one node's memory to another's. */
export interface HandedRecord {
  readonly head: unknown
  readonly rows: readonly { readonly collection: string; readonly id: string; readonly body: unknown }[]
}
