/**
 * Deletion of an actor to which others belong, such as the session behind a cluster. It takes two commits. The first one notes that the
 * actor ends: from then on it is gone for everybody. The second one removes its record, after all that belongs to it. An outbox message of
 * the actor to itself leads from the first to the second, in spite of faults, so that no half of it is left.
 */
import type { Address } from '../../src/domain/address.js'
import type { Command } from '../../src/domain/commands/commands.js'
import { DomainError } from '../../src/domain/errors.js'
import type { OutboxMessage, StepMeta } from '../behaviour/behaviour.js'

/** Milliseconds that a deletion is awaited: a third of what a request has. */
const END_MS_MAX = 10_000

interface State {
  readonly address: Address
  head: object
}

interface EndingOptions {
  /** Types of the commands that make and delete the actor. */
  readonly madeBy: string
  readonly removedBy: string
  readonly missing: (address: Address) => Error
}

/** A command; `isBegun`: it goes on with a deletion that has begun, whose commit is durable, and begins none. */
interface MaybeDeletion {
  readonly type: string
  readonly isBegun?: boolean
}

export interface Ending {
  /** Throws if the actor ends, unless the command deletes it or erases a user. It is missing, or `busy` for the command that makes it. */
  refuse(state: State, command: MaybeDeletion): void
  /**
   * Runs a preparation. That of a deletion that has begun waits for the others: they may still be about what it is to remove. Each has a
   * deadline, and no other begins.
   */
  during<Prepared>(state: State, command: MaybeDeletion, prepare: () => Promise<Prepared>): Promise<Prepared>
  /**
   * Whether the command asks for the deletion and does not go on with it: it has nothing to prepare. Nor has a second one, although the
   * actor ends: the commit of the first may still fail, and then nothing may be gone.
   */
  isAsked(command: MaybeDeletion): boolean
  /** Whether the command deletes the actor, which does not end yet. */
  begins(state: State, command: MaybeDeletion): boolean
  /** Notes that what belonged to the actor is gone, if the command that was prepared deletes it. As the actor ends, nothing follows. */
  notePrepared(state: State, command: MaybeDeletion): void
  /** Whether the command may remove the record: it deletes the actor, and nothing belongs to that any more. */
  isReached(state: State, command: MaybeDeletion): boolean
  /** Notes in the head that the actor ends. Returns the message that goes on; a full outbox takes it too. */
  begin(work: { readonly state: State; readonly meta: StepMeta }, command: Command): OutboxMessage
}

/** Whether an actor with this head ends. Listings leave it out. */
export function isEnding(head: unknown): boolean {
  return (head as { readonly isEnding?: boolean }).isEnding === true
}

/** Whether this deletion, and not an earlier one, deletes the actor. To be asked before the head notes the end. */
export function isDeleter({ head }: { readonly head: object }, { isBegun = false }: { readonly isBegun?: boolean }): boolean {
  return isBegun || !isEnding(head)
}

export function createEnding({ madeBy, removedBy, missing }: EndingOptions): Ending {
  const reached = new WeakSet<State>()
  /** Preparations under way of commands that do not delete. */
  const preparing = new WeakMap<State, Set<Promise<unknown>>>()
  return {
    refuse({ head, address }, { type, isBegun = false }) {
      const isRefused = isEnding(head) ? type !== removedBy && type !== 'user.erase' : isBegun
      if (isRefused) throw type === madeBy ? new DomainError('busy', 'What had this id is being deleted at the moment') : missing(address)
    },
    async during(state, { type }, prepare) {
      const others = preparing.get(state) ?? new Set()
      preparing.set(state, others)
      if (type === removedBy) {
        await Promise.allSettled(others)
        return prepare()
      }
      const prepared = prepare()
      others.add(prepared)
      return prepared.finally(() => others.delete(prepared))
    },
    isAsked: ({ type, isBegun = false }) => type === removedBy && !isBegun,
    begins: ({ head }, { type }) => type === removedBy && !isEnding(head),
    notePrepared(state, { type }) {
      if (type === removedBy) reached.add(state)
    },
    isReached: (state, { type, isBegun = false }) => type === removedBy && isBegun && reached.has(state),
    begin({ state, meta }, command) {
      state.head = { ...state.head, isEnding: true }
      const goesOn = { ...command, isBegun: true } as Command
      return { id: `${meta.requestId}:end`, to: meta.address, command: goesOn, isAwaited: true, awaitedMs: END_MS_MAX }
    }
  }
}
