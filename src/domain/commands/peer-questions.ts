/** What nodes ask each other about themselves. Each names a subject, or concerns nobody's data. */
import type { ActorKind, Address } from '../address.js'
import type { LiveActor, NodeDescription } from '../topology.js'

/** The answer to each question, by the question's type. */
export interface PeerAnswers {
  /** That somebody is there. */
  'node.ping': null
  /** Ids of the subject's live actors of a kind. */
  'actors.active': readonly string[]
  /** The session that the subject used last there, and how long ago. */
  'sessions.last': { readonly id: string; readonly idleMs: number } | null
  /** The sessions are put away. */
  'sessions.passivate': null
  /** What remembers texts beside the actors has forgotten those of the subject. Of all, where an earlier build asks, which names none. */
  'texts.forget': null
  /** Subject of a debug ticket that the node issued, which ends thereby. */
  'ticket.redeem': string | null
  /** A record that only the node's memory keeps: it is there no more afterwards. */
  'record.take': HandedRecord | null
  'record.peek': { readonly head: unknown } | null
  'records.list': readonly string[]
  /** What lives there, as an engineer sees it. */
  'node.describe': NodeDescription
  /** One actor that lives there. */
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

/** All of a record, on its way from one node's memory to another's. */
export interface HandedRecord {
  readonly head: unknown
  readonly rows: readonly { readonly collection: string; readonly id: string; readonly body: unknown }[]
}
