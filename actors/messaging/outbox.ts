/**
 * Gives a behaviour an outbox: letters that a step writes are rows of its own record, in the very commit of the step, and stay
 * until they are delivered. So whoever is told of a change is told of one that happened, and of every one.
 */
import type { Address } from '../../src/domain/address.js'
import { DomainError } from '../../src/domain/errors.js'
import { OUTBOX_LETTERS_MAX } from '../../src/domain/limits.js'
import { inOneGo, type Pieces } from '../../src/domain/pieces.js'
import { WEIGHTLESS } from '../../src/domain/weight.js'
import type { RecordChanges } from '../../src/ports.js'
import type { Behaviour, Letter, StepMeta, StepResult } from '../behaviour/behaviour.js'
import type { ActorCommand } from '../behaviour/delivery.js'
import { chartWithin } from '../behaviour/state-chart.js'
import { stepOf } from '../behaviour/stepping.js'
import type { Relay, SettleLetters } from './relay.js'

/** Name of the row collection. */
const OUTBOX = 'outbox'

interface Posting<State> {
  readonly inner: State
  /** Undelivered, by id. */
  readonly letters: Map<string, Letter>
  /** As of the last step: what a commit without one of the behaviour's own steps writes again. */
  head: unknown
}

type AnyBehaviour<State, Command extends ActorCommand, Prepared, Reply> = Behaviour<State, Command, Prepared, Reply>

/** The behaviour with an outbox, as the catalog runs it. `relay` delivers. */
export function withOutbox<State, Command extends ActorCommand, Prepared, Reply>(
  behaviour: AnyBehaviour<State, Command, Prepared, Reply>,
  relay: Relay
): Behaviour<Posting<State>, Command | SettleLetters, Prepared | null, Reply | null> {
  type Whole = Behaviour<Posting<State>, Command | SettleLetters, Prepared | null, Reply | null>
  const marked = (posting: Posting<State>, changes: RecordChanges): RecordChanges => ({
    ...changes,
    wakes: posting.letters.size > 0 || behaviour.wakes?.(posting.inner) === true
  })

  return {
    kind: behaviour.kind,
    *restore(address, record) {
      const rows = record.rows.filter((row) => row.collection !== OUTBOX)
      const letters = record.rows.filter((row) => row.collection === OUTBOX).map((row) => row.body as Letter)
      const inner = yield* behaviour.restore(address, { ...record, rows })
      // Whoever had the record before may have sent them.
      void relay.send(address, letters, { isRepeated: true })
      return { inner, letters: new Map(letters.map((letter) => [letter.id, letter])), head: record.head }
    },
    async initiate(address, command, meta, left) {
      if (isSettling(command)) return null
      const first = await behaviour.initiate(address, command, meta, left)
      if (first === null) return null
      const posting = { inner: first.state, letters: new Map<string, Letter>(), head: first.changes.head }
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
    chores: (now) => behaviour.chores?.(now) ?? []
  }

  function* stepInPieces(...[posting, command, prepared, meta]: Parameters<Whole['step']>): Pieces<StepResult<Reply | null>> {
    if (isSettling(command)) return settle(meta.address, posting, command)
    // What `prepare` made for a command of the behaviour's own.
    const result = yield* stepOf(behaviour, [
      posting.inner,
      command,
      prepared as Prepared,
      { ...meta, lettersPending: posting.letters.size }
    ])
    if (result.changes === null) return result
    const letters = result.outbox ?? []
    post(meta.address, posting, letters)
    posting.head = result.changes.head
    const changes = marked(posting, withLetters(posting, result.changes, letters))
    return letters.length === 0 ? { ...result, changes } : { ...result, changes, afterwards: () => relay.send(meta.address, letters) }
  }

  function settle(address: Address, posting: Posting<State>, { ids }: SettleLetters): StepResult<null> {
    relay.settled(address, ids)
    const known = ids.filter((id) => posting.letters.delete(id))
    if (known.length === 0) return { reply: null, changes: null }
    const remove = known.map((id) => ({ collection: OUTBOX, id }))
    return { reply: null, changes: marked(posting, { head: posting.head, put: [], remove }) }
  }
}

function isSettling(command: ActorCommand): command is SettleLetters {
  return command.type === 'outbox.settle'
}

function post<State>(sender: Address, posting: Posting<State>, letters: readonly Letter[]): void {
  for (const letter of letters) {
    if (letter.to.subject !== sender.subject) throw new Error('A letter to another subject')
    posting.letters.set(letter.id, letter)
  }
}

/** A step that drops every row of its record does not drop what it has promised to tell. */
function withLetters<State>({ letters }: Posting<State>, changes: RecordChanges, added: readonly Letter[]): RecordChanges {
  const kept = changes.clear === true ? [...letters.values()] : added
  if (kept.length === 0) return changes
  return { ...changes, put: [...changes.put, ...kept.map((body) => ({ collection: OUTBOX, id: body.id, body }))] }
}

/** Refuses a step that would tell more than is kept. For behaviours, before they change anything. */
export function refuseWhenOutboxFull({ lettersPending = 0 }: StepMeta): void {
  if (lettersPending >= OUTBOX_LETTERS_MAX) throw new DomainError('busy', 'Too many undelivered messages wait to be delivered')
}
