/**
 * What an actor is, apart from how it lives. The runtime (catalog, mailbox,
 * lifecycle, output gate) runs any behaviour; a behaviour never does IO in `step`.
 */
import type { Address } from '../../src/domain/address.js'
import type { Command } from '../../src/domain/commands/commands.js'
import type { Pieces } from '../../src/domain/pieces.js'
import type { ActorDescription } from '../../src/domain/topology.js'
import type { Weight } from '../../src/domain/weight.js'
import type { RecordChanges, StoredRecord, StoredRow } from '../../src/ports.js'
import type { WeighRow } from '../weight/ledger.js'
import type { Room } from '../weight/room.js'
import type { ChartKind } from './state-chart.js'

/** What is known of the request that a command came with. */
export interface RequestMeta {
  /** Epoch seconds. */
  readonly now: number
  readonly requestId: string
  /** Seconds since the first try of the request that may have run; absent: this is the first. */
  readonly triedS?: number
  /** True: another copy of it may be under way. No reason to refuse it: what it says tells its receiver whether it was done. */
  readonly isRepeated?: boolean
  /** W3C `traceparent` of the span in which it is done; absent: it is part of no trace. */
  readonly trace?: string
}

export interface StepMeta extends RequestMeta {
  readonly address: Address
  /** Outbox messages of the actor that are not delivered yet; default 0. */
  readonly outboxPending?: number
  /** Memory that the step may take; default: all it likes. */
  readonly room?: Room
}

/** See `StepResult`. */
export type Erases = 'replies' | 'foreign replies'

export interface StepResult<Reply> {
  readonly reply: Reply
  /** What the step changed; null for a pure read. The reply leaves once it is durable. */
  readonly changes: RecordChanges | null
  /** True: the record is removed instead, and the actor ends once that is durable. */
  readonly isRemoval?: boolean
  /** Rows that a removal leaves for the actor that makes the record anew. */
  readonly left?: readonly StoredRow[]
  /**
   * Which logged replies are forgotten, because they may hold what was erased or replaced: all of them, or, where this actor held nothing
   * of it, those with something that another actor told it. Also without changes. A cleared record forgets all of them, removed rows none.
   */
  readonly erases?: Erases | undefined
  /** True: nothing in the reply is what another actor told this one. */
  readonly isOwn?: boolean
  /** Written with the changes, and delivered at least once when they are durable. Only beside changes. */
  readonly outbox?: readonly OutboxMessage[]
  /** Called once the changes are durable; the reply waits for it. Never rejects. Not beside an outbox, for which it waits instead. */
  readonly afterwards?: () => Promise<void>
}

/** A command for another actor of the same subject, told at least once: its receiver counts one `id` once. */
export interface OutboxMessage {
  /** A UUID, or a name that is as unique. */
  readonly id: string
  readonly to: Address
  readonly command: Command
  /** True: the reply of the step that wrote it waits until it was tried once, so that the caller can read what it did. */
  readonly isAwaited: boolean
  /** W3C `traceparent` of the span that wrote it, set by the runtime: each try is part of that trace, whenever and wherever it is made. */
  readonly trace?: string
}

export interface Behaviour<State, Command extends { readonly type: string }, Prepared, Reply> {
  readonly kind: Address['kind']
  /** Rebuilds the state from what is stored, in pieces. Changes and tells nothing. Throws when the record cannot be read. */
  restore(address: Address, record: StoredRecord): Pieces<State>
  /**
   * Called when an actor has come back from its record, before its first step: what it has to tell, and what is kept for it beside its
   * state, begins here and ends with `dispose`. Default: nothing.
   */
  activated?(address: Address, state: State): void
  /**
   * The first state and record of an actor that does not exist, when `command` may make one; null when it may not
   * (the command is then refused by `missing`). `left` is what the removed record left, if there was one.
   */
  initiate(
    address: Address,
    command: Command,
    meta: StepMeta,
    left?: readonly StoredRow[]
  ): Promise<{ state: State; changes: RecordChanges } | null>
  /** The refusal for a command to an actor that does not exist. */
  missing(address: Address): Error
  /**
   * Slow work before the step: vectors, what other actors are asked, and the sagas of commands that change others first. Of this actor it
   * changes nothing. After a fault it runs again, so a saga is idempotent and brings what was begun to its end. `signal` aborts at the
   * command's deadline; `room` is as for the step.
   */
  prepare(state: State, command: Command, signal: AbortSignal, request: RequestMeta, room?: Room): Promise<Prepared>
  /**
   * What is still to be done with the state before the next step, in pieces; null for nothing. No step comes between its end and that of
   * `next`, or between its pieces. Given up half-way it loses nothing. Default: nothing.
   */
  settle?(state: State, next: { readonly command: Command; readonly prepared: Prepared } | null): Pieces<void> | null
  /**
   * Runs one command to its end, in pieces where that may take long. Nothing else of this actor comes between; given up half-way, the
   * state is of no use any more. `isFresh` is true when `initiate` made the actor for this very command. Throws DomainError to refuse
   * (the state is then unchanged); anything else is a failure of the actor.
   */
  step(state: State, command: Command, prepared: Prepared, meta: StepMeta & { readonly isFresh: boolean }): Pieces<StepResult<Reply>>
  /** What is told of a state that came back from storage: memories of a session. Null, the default: rows of its record. */
  sizeOf?(state: State): number | null
  /** Bytes of one row in memory, wherever they are. Default: of its body, once. */
  weighRow?: WeighRow
  /** Bytes in memory: of a behaviour itself, beside its head and rows; of one with a weight, of everything. In constant time. */
  weigh?(state: State): Weight
  /** Bytes that a record will take in memory, as its head tells. */
  storedWeight?(head: unknown): Weight
  /** Frees what is held for the state beside it. */
  dispose?(state: State): void
  /** Whether the actor works by the clock, so that a starting node has to activate it. */
  wakes?(state: State): boolean
  /** The chart that runs beside the state while the actor is active. Default: none. */
  readonly chart?: ChartKind<State>
  /** What the debugger shows of a live actor. Pure. Default: that it lives. */
  describe?(state: State): Partial<ActorDescription>
  /**
   * True: with storage that retains nothing, the actor is not evicted, for nothing could bring it back. Null: it has failed, and only its
   * record is left.
   */
  isIrreplaceable?(state: State | null): boolean
  /** Commands that live actors should be given now, every second; `now` in epoch seconds. */
  reminders?(now: number): readonly { readonly address: Address; readonly command: Command }[]
  /** Another node reminds the actor by now: nothing is due here any more, until it is activated here again. */
  forgetReminders?(address: Address): void
}
