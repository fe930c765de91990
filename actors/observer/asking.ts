/** How an observer reaches the regions that are registered with it, and their clusters. */
import type { Address } from '../../src/domain/address.js'
import type { Command, ReplyOf } from '../../src/domain/commands/commands.js'
import type { Clock } from '../../src/ports.js'
import { ANSWER_MS_MAX } from '../asking/answers.js'
import type { Ask } from '../asking/ask.js'

/** What an observer asks others with. */
export interface Asking {
  readonly ask: Ask
  readonly clock: Clock
  /** The observer's own. */
  readonly address: Address
}

/** Asks an actor of the observer's subject. Rejects with a DomainError. */
export function askOther<C extends Command>({ ask, address }: Asking, to: Pick<Address, 'kind' | 'id'>, command: C): Promise<ReplyOf<C>> {
  return ask({ ...to, subject: address.subject }, command, { deadlineMs: ANSWER_MS_MAX })
}
