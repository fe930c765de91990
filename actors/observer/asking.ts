/** Asks of an observer to its registered regions and their clusters. */
import type { Address } from '../../src/domain/address.js'
import type { Command, ReplyOf } from '../../src/domain/commands/commands.js'
import type { Clock } from '../../src/ports.js'
import { ANSWER_MS_MAX } from '../asking/answers.js'
import type { Ask } from '../asking/ask.js'

/** Context in which an observer asks others. */
export interface Asking {
  readonly ask: Ask
  readonly clock: Clock
  /** Address of the observer. */
  readonly address: Address
}

/** Asks an actor of the observer's subject. Rejects with a DomainError. */
export function askOther<C extends Command>({ ask, address }: Asking, to: Pick<Address, 'kind' | 'id'>, command: C): Promise<ReplyOf<C>> {
  return ask({ ...to, subject: address.subject }, command, { deadlineMs: ANSWER_MS_MAX })
}
