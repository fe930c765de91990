/** What an ask puts on the bus and what comes back: plain data, so that it may cross to another node. */
import type { ActorCommand } from './delivery.js'
import { DomainError, isDomainError, type ErrorCode } from '../src/domain/errors.js'
import type { Address } from '../src/domain/address.js'

export interface AskEnvelope {
  readonly address: Address
  readonly command: ActorCommand
  readonly requestId: string
  /** Milliseconds left when it was sent. */
  readonly deadlineMs: number
  /** Milliseconds since the first try that may have been carried out; absent: there was none. */
  readonly triedMs?: number
  /** True when an actor asks, in the course of work that was let in already. */
  readonly isInner: boolean
}

export type AskAnswer = { readonly reply: unknown } | { readonly refusal: Refusal }

interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly loc?: readonly (string | number)[]
}

/** The topic on which this kind's actors are asked. */
export function topicOf(kind: Address['kind']): string {
  return `actors.${kind}`
}

/** A refusal as data. Its cause stays here: only code, message and field cross. */
export function toRefusal(error: unknown): { readonly refusal: Refusal } {
  if (!isDomainError(error)) return { refusal: { code: 'internal', message: 'Internal error' } }
  const { code, message, loc } = error
  return { refusal: loc === undefined ? { code, message } : { code, message, loc } }
}

/** The refusal as an error again. */
export function toDomainError({ code, message, loc }: Refusal): DomainError {
  return new DomainError(code, message, loc === undefined ? {} : { loc })
}
