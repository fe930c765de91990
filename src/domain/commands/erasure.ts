/** Erasure of a data subject: the command to every kind of actor that holds personal data, and its reply. */

import type { ActorKind } from '../address.js'

/** Kinds of actors that may hold data of a data subject. */
export const ERASED_KINDS: readonly ActorKind[] = ['session', 'cluster', 'region', 'network']

/** Erases everything written under a data subject. Idempotent. */
export interface EraseUser {
  readonly type: 'user.erase'
  readonly userId: string
}

export interface Erased {
  /** Number of memories erased, expired ones not counted. A long text in several parts counts once. */
  readonly erasedMemories: number
  /** Whether anything changed, including held inputs and vectors of other actors into which the data subject was folded. */
  readonly isAffected: boolean
}

export interface ErasureReplies {
  'user.erase': Erased
}
