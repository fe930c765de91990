/**
 * What an actor is, apart from how it lives. The runtime (catalog, mailbox,
 * lifecycle, output gate) runs any behaviour; a behaviour never does IO in `step`.
 */
import type { Address } from '../src/domain/address.js'
import type { RecordChanges, StoredRecord } from '../src/ports.js'

export interface StepMeta {
  readonly address: Address
  /** Epoch seconds. */
  readonly now: number
  readonly requestId: string
}

export interface StepResult<Reply> {
  readonly reply: Reply
  /** What the step changed; null for a pure read. The reply leaves once it is durable. */
  readonly changes: RecordChanges | null
  /** True: the record is removed instead, and the actor ends once that is durable. */
  readonly isRemoval?: boolean
}

export interface Behaviour<State, Command extends { readonly type: string }, Prepared, Reply> {
  readonly kind: Address['kind']
  /** Rebuilds the state from what is stored. Pure. Throws when the record cannot be read. */
  restore(address: Address, record: StoredRecord): State
  /**
   * The first state and record of an actor that does not exist, when `command` may make one; null when it may not
   * (the command is then refused by `missing`).
   */
  initiate(address: Address, command: Command, meta: StepMeta): Promise<{ state: State; changes: RecordChanges } | null>
  /** The refusal for a command to an actor that does not exist. */
  missing(address: Address): Error
  /** Slow work before the step (embedding). Changes nothing. `signal` aborts at the command's deadline. */
  prepare(state: State, command: Command, signal: AbortSignal): Promise<Prepared>
  /**
   * Runs one command to its end, synchronously. `isFresh` is true when `initiate` made the actor for this very command.
   * Throws DomainError to refuse (the state is then unchanged); anything else is a failure of the actor.
   */
  step(state: State, command: Command, prepared: Prepared, meta: StepMeta & { readonly isFresh: boolean }): StepResult<Reply>
  /** Frees what is held for the state beside it. */
  dispose?(state: State): void
  /** Commands that live actors should be given at a sweep; `now` in epoch seconds. */
  chores?(now: number): readonly { readonly address: Address; readonly command: Command }[]
}
