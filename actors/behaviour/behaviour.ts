/**
 * Behaviour: the domain side of an actor, apart from its lifecycle. The runtime (catalog, mailbox, lifecycle, output gate) runs any
 * behaviour. A behaviour does no IO in `step`.
 */
import type { Address } from '../../src/domain/address.js'
import type { Command } from '../../src/domain/commands/commands.js'
import type { Pieces } from '../../src/domain/pieces.js'
import type { ActorDescription } from '../../src/domain/nodes/topology.js'
import type { Weight } from '../../src/domain/fairness/weight.js'
import type { RecordChanges, StoredRecord, StoredRow } from '../../src/ports.js'
import type { WeighRow } from '../weight/ledger.js'
import type { Room } from '../weight/room.js'
import type { ChartKind } from './state-chart.js'

/** Request that a command came with. */
export interface RequestMeta {
  /** Epoch seconds. */
  readonly now: number
  readonly requestId: string
  /**
   * Milliseconds since the first try that may have run. The command then runs only if the actor can tell that it has not run yet. Absent if
   * there was no such try.
   */
  readonly triedMs?: number | undefined
  /**
   * True: the request may have been asked before, and another copy may be under way. Not a reason to refuse it: the receiver tells by the
   * command's content whether it was done.
   */
  readonly isRepeated?: boolean | undefined
  /** W3C `traceparent` of the span that the command runs in; absent if there is none. */
  readonly trace?: string | undefined
}

/** Whether a command of this type is among the actor's outbox messages and has not been delivered. */
export type IsUntold = (type: Command['type']) => boolean

export interface PrepareMeta extends RequestMeta {
  /** Default: nothing is. */
  readonly isUntold?: IsUntold
  /** Aborts at the command's deadline. */
  readonly signal: AbortSignal
  /** Memory that the command may take. */
  readonly room: Room
}

export interface InitiateMeta extends RequestMeta {
  readonly address: Address
  /** As for the preparation. */
  readonly isUntold?: IsUntold
  /** As for the preparation. */
  readonly room: Room
}

export interface StepMeta extends InitiateMeta {
  /** Whether `initiate` created the actor for this very command. */
  readonly isFresh: boolean
  /** Number of the actor's undelivered outbox messages. Default: 0. */
  readonly outboxPending?: number
}

/** See `StepResult`. */
export type Erases = 'replies' | 'foreign replies'

export interface StepResult<Reply> {
  readonly reply: Reply
  /** Changes of the record; null for a pure read. The reply leaves once they are durable. */
  readonly changes: RecordChanges | null
  /** True: the record is removed instead, and the actor ends once that is durable. */
  readonly isRemoval?: boolean
  /** Rows that a removal leaves in the tombstone, for the actor that next creates the record. */
  readonly left?: readonly StoredRow[]
  /**
   * Logged replies to drop because they may hold erased or replaced content: all of them (`replies`), or, where this actor itself held none
   * of it, those with content from another actor (`foreign replies`). Also allowed without changes. A cleared record drops all replies,
   * removed rows drop none.
   */
  readonly erases?: Erases | undefined
  /** True: nothing in the reply comes from another actor. */
  readonly isOwn?: boolean
  /** Messages written with the changes, and delivered at least once after they are durable. Only beside changes. */
  readonly outbox?: readonly OutboxMessage[]
  /** Called once the changes are durable; the reply waits for it. Must not reject. Not called beside an outbox, which takes its place. */
  readonly afterwards?: () => Promise<void>
}

/** Command for another actor of the same subject, delivered at least once. The receiver takes each `id` in once. */
export interface OutboxMessage {
  /** A UUID, or another globally unique name. */
  readonly id: string
  readonly to: Address
  readonly command: Command
  /** True: the reply of the step that wrote it waits for its first try, so that the caller can read its effect. */
  readonly isAwaited: boolean
  /** Milliseconds that the reply waits at most, if it does. Default: one second. */
  readonly awaitedMs?: number
  /** W3C `traceparent` of the span that wrote it, set by the runtime. Every try, on any node, is part of that trace. */
  readonly trace?: string
}

export interface Behaviour<State, Command extends { readonly type: string }, Prepared, Reply> {
  readonly kind: Address['kind']
  /** Rebuilds the state from a record, in pieces, without side effects. Throws when the record cannot be read. */
  restore(address: Address, record: StoredRecord): Pieces<State>
  /**
   * Called when an actor was restored from its record, before its first step. Starts what the behaviour keeps for the actor beside its
   * state, until `dispose`. Default: nothing.
   */
  activated?(address: Address, state: State): void
  /**
   * Makes the first state and record of an actor that does not exist. Returns null when `command` may not create one; the command is then
   * refused by `missing`.
   */
  initiate(address: Address, command: Command, meta: InitiateMeta): Promise<{ state: State; changes: RecordChanges } | null>
  /** Returns the refusal of a command to an actor that does not exist. */
  missing(address: Address): Error
  /**
   * Does the slow work before the step: embedding, asking other actors, and the sagas of commands that first change other actors. Does not
   * change this actor. Runs again after a fault, so a saga has to be idempotent and to complete what was begun.
   */
  prepare(state: State, command: Command, meta: PrepareMeta): Promise<Prepared>
  /**
   * Returns work that the state still needs before the next step, in pieces; null for none. No step runs between its pieces, nor between
   * its end and the step of `next`. Nothing is lost when it is aborted. Default: none.
   */
  settle?(state: State, next: { readonly command: Command; readonly prepared: Prepared } | null): Pieces<void> | null
  /**
   * Runs one command to its end, in pieces where that may take long. Nothing else of this actor runs in between; if it is aborted, the
   * state is unusable. Throws DomainError to refuse, with the state unchanged; any other exception is a failure of the actor.
   */
  step(state: State, command: Command, prepared: Prepared, meta: StepMeta): Pieces<StepResult<Reply>>
  /** Size of a restored state for logs and metrics: the memories of a session. Null, the default: the rows of its record. */
  sizeOf?(state: State): number | null
  /** Weight of one row in memory, wherever its data is. Default: its body, once. */
  weighRow?: WeighRow
  /** Weight of the state beside its head and rows. Constant time. */
  weigh?(state: State): Weight
  /** Weight beside the head that a record without a known weight will have in memory, as its head tells. Default: none. */
  storedWeight?(head: unknown): Weight
  /** Frees what is held for the state outside of it. */
  dispose?(state: State): void
  /** Whether the actor works by the clock, so that a starting node has to activate it. */
  wakes?(state: State): boolean
  /** Chart that runs beside the state while the actor is active. Default: none. */
  readonly chart?: ChartKind<State>
  /** Describes a live actor for the debugger. Pure. Default: nothing but that it is live. */
  describe?(state: State): Partial<ActorDescription>
  /**
   * Whether the actor must not be evicted where storage is not durable, because nothing could restore it. `state` is null when the actor
   * has failed and only its record is left.
   */
  isIrreplaceable?(state: State | null): boolean
  /** Commands that are due for live actors; asked for every second. `now` in epoch seconds. */
  reminders?(now: number): readonly { readonly address: Address; readonly command: Command }[]
  /** Reminder of the live actor with this address key that has to run before any other command at `now`, epoch seconds. Default: null. */
  overdue?(key: string, now: number): Command | null
  /** Drops the actor's reminders, as another node reminds it now: nothing is due here until it is activated here again. */
  forgetReminders?(address: Address): void
}
