/**
 * The kit of the kinds of actors that coordinate sessions. A kind is: its state, a head with rows beside it; its chart; what it makes ready
 * before a step, by asking others; its steps, one a command; and what a command would add to its record. Everything else is the same.
 */
import type { Address } from '../../src/domain/address.js'
import type { Command, ReplyOf } from '../../src/domain/commands/commands.js'
import { atOnce } from '../../src/domain/pieces.js'
import type { ActorLink } from '../../src/domain/topology.js'
import { totalOf } from '../../src/domain/weight.js'
import type { RecordChanges, StoredRecord, StoredRow } from '../../src/ports.js'
import type { Growth, Room } from '../weight/room.js'
import type { Behaviour, OutboxMessage, RequestMeta, StepMeta } from './behaviour.js'
import type { ChartKind } from './state-chart.js'

/** The types of one kind, so that each of its files names them once. */
export interface KindTypes {
  /** The head is written with every commit. It is replaced, never changed. */
  readonly state: { readonly address: Address; head: object }
  readonly command: Command
  /** What was made ready before a step. */
  readonly prepared: unknown
  /** Shared by all actors of the kind on a node. */
  readonly services: object
  /** What its preparations ask with. */
  readonly asking: object
}

/** What a step works with: the state it changes, and what has to be written and told because of it. */
export interface Work<T extends KindTypes> {
  readonly state: T['state']
  readonly prepared: T['prepared']
  readonly services: T['services']
  readonly meta: StepMeta & { readonly isFresh: boolean }
  readonly put: StoredRow[]
  readonly remove: { readonly collection: string; readonly id: string }[]
  readonly messages: OutboxMessage[]
  /** Called once the changes are durable; the reply waits for it. Never rejects. */
  afterwards: (() => Promise<void>) | null
}

type CommandOf<T extends KindTypes, Type> = Extract<T['command'], { readonly type: Type }>
type Step<T extends KindTypes, C extends Command> = (work: Work<T>, command: C) => ReplyOf<C>
type Preparation<T extends KindTypes, C extends Command> = (asking: T['asking'], state: T['state'], command: C) => Promise<T['prepared']>

/** One step a command, run to its end. Throws DomainError to refuse, before anything has changed. */
export type Steps<T extends KindTypes> = { readonly [Type in T['command']['type']]: Step<T, CommandOf<T, Type>> }

/** For commands that ask or change others before their step. */
export type Preparations<T extends KindTypes> = { readonly [Type in T['command']['type']]?: Preparation<T, CommandOf<T, Type>> }

/** What is known of a command that is made ready. */
export interface Asked {
  readonly address: Address
  readonly request: RequestMeta
  /** Aborts at the command's deadline. */
  readonly signal: AbortSignal
  readonly room: Room | undefined
}

type KindBehaviour<T extends KindTypes> = Behaviour<T['state'], T['command'], T['prepared'], ReplyOf<T['command']>>

/** What is not said here is as in `Behaviour`. */
export interface Kind<T extends KindTypes> extends Pick<
  KindBehaviour<T>,
  'kind' | 'initiate' | 'missing' | 'activated' | 'wakes' | 'reminders' | 'forgetReminders'
> {
  readonly chart?: ChartKind<T['state']>
  readonly services: T['services']
  restore(address: Address, record: StoredRecord): T['state']
  readonly asking: (asked: Asked) => T['asking']
  readonly prepare: Preparations<T>
  /** What the step finds of a command that asks nobody. */
  readonly unprepared: T['prepared']
  /** At most what the command adds to the record. `prepared` is null before the command is prepared: then as far as that is known. */
  readonly growthOf: (state: T['state'], command: T['command'], prepared: T['prepared'] | null) => Growth
  readonly steps: Steps<T>
  /** The command that removes the record. */
  readonly removedBy?: T['command']['type']
  readonly links?: (state: T['state']) => readonly ActorLink[]
  /** Whether it is as it is made by the first command: then nothing is lost with it. Default: it never is. */
  readonly isAsMade?: (state: T['state']) => boolean
}

/** One behaviour serves every actor of the kind on a node. */
export function createKind<T extends KindTypes>(kind: Kind<T>): KindBehaviour<T> {
  const {
    services,
    asking,
    prepare,
    unprepared,
    growthOf,
    steps: stepsOfKind,
    removedBy,
    links,
    isAsMade,
    restore,
    ...asInBehaviour
  } = kind
  // A command's own entry takes it: which one that is, only its type says.
  const preparations = prepare as Readonly<Record<string, Preparation<T, T['command']> | undefined>>
  const steps = stepsOfKind as object as Readonly<Record<T['command']['type'], Step<T, T['command']>>>

  return {
    ...asInBehaviour,
    restore: (address, record) => atOnce(() => restore(address, record)),
    async prepare(state, command, signal, request, room) {
      // Before anybody is asked, or anything changed: a record that is full refuses.
      const growth = growthOf(state, command, null)
      if (room !== undefined && totalOf(growth) > 0) await room.makeWay(growth)
      const { address } = state
      return (await preparations[command.type]?.(asking({ address, request, signal, room }), state, command)) ?? unprepared
    },
    *step(state, command, prepared, meta) {
      meta.room?.admit(growthOf(state, command, prepared))
      const before = state.head
      const work: Work<T> = { state, prepared, services, meta, put: [], remove: [], messages: [], afterwards: null }
      const reply = steps[command.type as T['command']['type']](work, command)
      if (command.type === removedBy) return { reply, changes: null, isRemoval: true }
      const { put, remove, messages: outbox, afterwards } = work
      const hasChanged = state.head !== before || put.length > 0 || remove.length > 0
      const changes: RecordChanges | null = hasChanged ? { head: state.head, put, remove } : null
      const erases = command.type === 'user.erase' ? 'replies' : undefined
      return { reply, changes, outbox, erases, ...(afterwards !== null && { afterwards }) }
    },
    describe: (state) => ({ links: links?.(state) ?? [] }),
    // With storage that retains nothing, what its members have told it would be lost.
    isIrreplaceable: (state) => state === null || isAsMade?.(state) !== true
  }
}

/** Replaces some of the head's fields. */
export function setHead<Head extends object>({ state }: { readonly state: { head: Head } }, fields: Partial<Head>): void {
  state.head = { ...state.head, ...fields }
}

/** The next number of an order. */
export function takeSeq({ state }: { readonly state: { head: { readonly nextSeq: number } } }): number {
  const { nextSeq } = state.head
  state.head = { ...state.head, nextSeq: nextSeq + 1 }
  return nextSeq
}

/** What the rows of one collection hold. */
export function bodiesOf<Body>(rows: readonly StoredRow[], collection: string): Body[] {
  return rows.filter((row) => row.collection === collection).map(({ body }) => body as Body)
}
