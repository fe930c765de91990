/** Asks of a cluster to other actors of its subject. */
import type { Address } from '../../src/domain/address.js'
import type { Command, ReplyOf } from '../../src/domain/commands/commands.js'
import { DomainError } from '../../src/domain/errors.js'
import type { Clock } from '../../src/ports.js'
import { ANSWER_MS_MAX } from '../asking/answers.js'
import type { Ask } from '../asking/ask.js'

/** Context in which a cluster asks others. */
export interface Asking {
  readonly ask: Ask
  readonly clock: Pick<Clock, 'monotonicMs' | 'after'>
  /** Address of the cluster. */
  readonly address: Address
  /** Aborts at the deadline. */
  readonly signal: AbortSignal
}

/** The same while it prepares one command. */
export interface CommandAsking extends Asking {
  /** See `askingAnew`. */
  readonly askAnew: Ask
}

/** Asks an actor of the cluster's subject. Rejects with a DomainError. */
export async function askOther<C extends Command>(asking: Asking, to: Pick<Address, 'kind' | 'id'>, command: C): Promise<ReplyOf<C>> {
  if (asking.signal.aborted) throw new DomainError('deadline_passed', 'The deadline passed before every part of the cluster had answered')
  return asking.ask({ ...to, subject: asking.address.subject }, command, { deadlineMs: ANSWER_MS_MAX })
}
