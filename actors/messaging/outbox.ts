/**
 * Gives a behaviour an outbox: outbox messages that a step writes are rows of its own record, in the very commit of the step, and stay
 * until they are delivered. So a receiver is told of changes that happened, and of every one.
 */
import type { Address } from '../../src/domain/address.js'
import { DomainError } from '../../src/domain/errors.js'
import { OUTBOX_MESSAGES_MAX } from '../../src/domain/limits.js'
import { inOneGo, type Pieces } from '../../src/domain/pieces.js'
import { WEIGHTLESS } from '../../src/domain/weight.js'
import type { RecordChanges } from '../../src/ports.js'
import type { Behaviour, OutboxMessage, StepMeta, StepResult } from '../behaviour/behaviour.js'
import type { ActorCommand } from '../behaviour/delivery.js'
import { chartWithin } from '../behaviour/state-chart.js'
import { stepOf } from '../behaviour/stepping.js'
import type { Relay, SettleMessages } from './relay.js'

/** Name of the row collection. */
const OUTBOX = 'outbox'

interface Posting<State> {
  readonly inner: State
  /** Undelivered, by id. */
  readonly messages: Map<string, OutboxMessage>
  /** As of the last step: what a commit without one of the behaviour's own steps writes again. */
  head: unknown
}

type AnyBehaviour<State, Command extends ActorCommand, Prepared, Reply> = Behaviour<State, Command, Prepared, Reply>

/** The behaviour with an outbox, as the catalog runs it. `relay` delivers. */
export function withOutbox<State, Command extends ActorCommand, Prepared, Reply>(
  behaviour: AnyBehaviour<State, Command, Prepared, Reply>,
  relay: Relay
): Behaviour<Posting<State>, Command | SettleMessages, Prepared | null, Reply | null> {
  type Whole = Behaviour<Posting<State>, Command | SettleMessages, Prepared | null, Reply | null>
  const marked = (posting: Posting<State>, changes: RecordChanges): RecordChanges => ({
    ...changes,
    wakes: posting.messages.size > 0 || behaviour.wakes?.(posting.inner) === true
  })

  return {
    kind: behaviour.kind,
    *restore(address, record) {
      const rows = record.rows.filter((row) => row.collection !== OUTBOX)
      const messages = record.rows.filter((row) => row.collection === OUTBOX).map((row) => row.body as OutboxMessage)
      const inner = yield* behaviour.restore(address, { ...record, rows })
      return { inner, messages: new Map(messages.map((message) => [message.id, message])), head: record.head }
    },
    activated(address, { inner, messages }) {
      behaviour.activated?.(address, inner)
      // The node that had the record before may have sent them.
      void relay.send(address, [...messages.values()], { isRepeated: true })
    },
    async initiate(address, command, meta, left) {
      if (isSettling(command)) return null
      const first = await behaviour.initiate(address, command, meta, left)
      if (first === null) return null
      const posting = { inner: first.state, messages: new Map<string, OutboxMessage>(), head: first.changes.head }
      return { state: posting, changes: marked(posting, first.changes) }
    },
    recall: (command, request, left) => (isSettling(command) ? null : (behaviour.recall?.(command, request, left) ?? null)),
    missing: behaviour.missing,
    prepare: async (posting, command, signal, request, room) =>
      isSettling(command) ? null : behaviour.prepare(posting.inner, command, signal, request, room),
    settle: (posting, next) =>
      behaviour.settle?.(
        posting.inner,
        next === null || isSettling(next.command) ? null : { command: next.command, prepared: next.prepared as Prepared }
      ) ?? null,
    step: (...step) => inOneGo(stepInPieces(...step)),
    stepInPieces,
    ...(behaviour.weighRow !== undefined && { weighRow: behaviour.weighRow }),
    weigh: (posting) => behaviour.weigh?.(posting.inner) ?? WEIGHTLESS,
    storedWeight: (head) => behaviour.storedWeight?.(head) ?? WEIGHTLESS,
    dispose: (posting) => behaviour.dispose?.(posting.inner),
    sizeOf: (posting) => behaviour.sizeOf?.(posting.inner) ?? null,
    ...chartWithin(behaviour.chart),
    describe: (posting) => behaviour.describe?.(posting.inner) ?? {},
    isPinned: (posting) => behaviour.isPinned?.(posting?.inner ?? null) === true,
    reminders: (now) => behaviour.reminders?.(now) ?? []
  }

  function* stepInPieces(...[posting, command, prepared, meta]: Parameters<Whole['step']>): Pieces<StepResult<Reply | null>> {
    if (isSettling(command)) return settle(meta.address, posting, command)
    // What `prepare` made for a command of the behaviour's own.
    const result = yield* stepOf(behaviour, [
      posting.inner,
      command,
      prepared as Prepared,
      { ...meta, outboxPending: posting.messages.size }
    ])
    if (result.changes === null) return result
    const messages = result.outbox ?? []
    post(meta.address, posting, messages)
    posting.head = result.changes.head
    const changes = marked(posting, withMessages(posting, result.changes, messages))
    return messages.length === 0 ? { ...result, changes } : { ...result, changes, afterwards: () => relay.send(meta.address, messages) }
  }

  function settle(address: Address, posting: Posting<State>, { ids }: SettleMessages): StepResult<null> {
    relay.settled(address, ids)
    const known = ids.filter((id) => posting.messages.delete(id))
    if (known.length === 0) return { reply: null, changes: null }
    const remove = known.map((id) => ({ collection: OUTBOX, id }))
    return { reply: null, changes: marked(posting, { head: posting.head, put: [], remove }) }
  }
}

function isSettling(command: ActorCommand): command is SettleMessages {
  return command.type === 'outbox.settle'
}

function post<State>(sender: Address, posting: Posting<State>, messages: readonly OutboxMessage[]): void {
  for (const message of messages) {
    if (message.to.subject !== sender.subject) throw new Error('An outbox message to another subject')
    posting.messages.set(message.id, message)
  }
}

/** A step that drops every row of its record does not drop what it has promised to tell. */
function withMessages<State>({ messages }: Posting<State>, changes: RecordChanges, added: readonly OutboxMessage[]): RecordChanges {
  const kept = changes.clear === true ? [...messages.values()] : added
  if (kept.length === 0) return changes
  return { ...changes, put: [...changes.put, ...kept.map((body) => ({ collection: OUTBOX, id: body.id, body }))] }
}

/** Refuses a step that would tell more than is kept. For behaviours, before they change anything. */
export function refuseWhenOutboxFull({ outboxPending = 0 }: StepMeta): void {
  if (outboxPending >= OUTBOX_MESSAGES_MAX) throw new DomainError('busy', 'Too many undelivered messages wait to be delivered')
}
