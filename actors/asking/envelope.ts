/** What an ask puts on the bus and what comes back: plain data, so that it may cross to another node. */
import type { Address } from '../../src/domain/address.js'
import { type Refusal, toRefusal } from '../../src/domain/refusal.js'
import type { ActorCommand } from '../behaviour/delivery.js'

export interface AskEnvelope {
  readonly address: Address
  readonly command: ActorCommand
  readonly requestId: string
  /** Milliseconds left when it was sent. */
  readonly deadlineMs: number
  /** Milliseconds since the first try that may have been carried out; absent: there was none. */
  readonly triedMs?: number
  /** True: it was asked before, and what became of that is not known here; what it says tells its receiver. */
  readonly isRepeated?: boolean
  /** True when an actor asks, in the course of work that was let in already. */
  readonly isInner: boolean
  /** W3C `traceparent` of the span that asks; absent: it is part of no trace. */
  readonly trace?: string
  /** True when another node sent it: set by its receiver. */
  readonly isForeign?: boolean
}

export type AskAnswer = { readonly reply: unknown } | { readonly refusal: Refusal }

/** The topic on which this kind's actors are asked. */
export function topicOf(kind: Address['kind']): string {
  return `actors.${kind}`
}

/** An answer that is a refusal. */
export function refuse(error: unknown): { readonly refusal: Refusal } {
  return { refusal: toRefusal(error) }
}
