/** Messages of an ask and of its answer on the bus: plain data, so that they can cross to another node. */
import type { Address } from '../../src/domain/address.js'
import { type Refusal, toRefusal } from '../../src/domain/refusal.js'
import type { ActorCommand } from '../behaviour/delivery.js'

export interface AskEnvelope {
  readonly address: Address
  readonly command: ActorCommand
  readonly requestId: string
  /** Milliseconds left at the time of sending. */
  readonly deadlineMs: number
  /** Milliseconds since the first try that may have run; absent if there was none. */
  readonly triedMs?: number
  /** True: the request may have been asked before, with an unknown outcome. The receiver tells by the command's content. */
  readonly isRepeated?: boolean
  /** True when an actor asks in the course of work that was admitted already. */
  readonly isInner: boolean
  /** W3C `traceparent` of the caller's span; absent if there is none. */
  readonly trace?: string
  /** True when another node sent it. Set by the receiver. */
  readonly isForeign?: boolean
}

export type AskAnswer = { readonly reply: unknown } | { readonly refusal: Refusal }

/** Returns the topic on which actors of a kind are asked. */
export function topicOf(kind: Address['kind']): string {
  return `actors.${kind}`
}

/** Converts an error into a refusal, as an answer. */
export function refuse(error: unknown): { readonly refusal: Refusal } {
  return { refusal: toRefusal(error) }
}
