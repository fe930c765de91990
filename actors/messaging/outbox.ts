/**
 * Transactional outbox of an actor: the messages of a step are rows of the actor's own record, written in the same commit as the step, and
 * stay until they are delivered. Receivers thus hear of changes that happened, and of every one.
 */
import type { Address } from '../../src/domain/address.js'
import { DomainError } from '../../src/domain/errors.js'
import { LeanMap } from '../../src/domain/collections/lean-map.js'
import { OUTBOX_MESSAGES_MAX } from '../../src/domain/limits.js'
import type { RecordChanges, StoredRow } from '../../src/ports.js'
import type { OutboxMessage, StepMeta } from '../behaviour/behaviour.js'
import type { ActorCommand } from '../behaviour/delivery.js'
import type { SettleMessages } from './relay.js'

/** Name of the row collection. */
export const OUTBOX = 'outbox'

/** Undelivered messages, by id. */
export type Messages = LeanMap<string, OutboxMessage>

/** Restores the outbox from a record's rows of the collection. */
export function messagesIn(rows: readonly StoredRow[]): Messages {
  const messages: Messages = new LeanMap()
  for (const { body } of rows) messages.set((body as OutboxMessage).id, body as OutboxMessage)
  return messages
}

/** Whether the command is the runtime's own that reports deliveries: it goes to no behaviour, and creates no actor. */
export function isSettleMessages(command: ActorCommand): command is SettleMessages {
  return command.type === 'outbox.settle'
}

/** Removes delivered messages. Returns the changes to write; null if none of the ids was known. */
export function settleMessages(messages: Messages, { ids }: SettleMessages, head: unknown): RecordChanges | null {
  const known = ids.filter((id) => messages.delete(id))
  return known.length === 0 ? null : { head, put: [], remove: known.map((id) => ({ collection: OUTBOX, id })) }
}

/**
 * Adds a step's messages to the outbox, and their rows to its changes. When a step clears its record, the messages of earlier steps are
 * written again, not dropped.
 */
export function postMessages(messages: Messages, sender: Address, told: readonly OutboxMessage[], changes: RecordChanges): RecordChanges {
  for (const message of told) {
    if (message.to.subject !== sender.subject) throw new Error('An outbox message to another subject')
    messages.set(message.id, message)
  }
  const kept = changes.clear === true ? [...messages.values()] : told
  if (kept.length === 0) return changes
  return { ...changes, put: [...changes.put, ...kept.map((body) => ({ collection: OUTBOX, id: body.id, body }))] }
}

/** Throws `busy` if the outbox has no room. For behaviours to call before they change anything. */
export function refuseWhenOutboxFull({ outboxPending = 0 }: StepMeta): void {
  if (outboxPending >= OUTBOX_MESSAGES_MAX) throw new DomainError('busy', 'Too many outbox messages wait to be delivered')
}
