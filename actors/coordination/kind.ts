/**
 * Toolkit for the actor kinds that coordinate sessions. A kind defines its state (a head with rows beside it), its chart, its preparations
 * (which ask other actors), its steps, one per command, and the growth of its record by a command. Everything else is shared.
 */
import type { Address } from '../../src/domain/address.js'
import type { Command, ReplyOf } from '../../src/domain/commands/commands.js'
import { atOnce } from '../../src/domain/pieces.js'
import type { ActorLink } from '../../src/domain/nodes/topology.js'
import { totalOf, WEIGHTLESS } from '../../src/domain/fairness/weight.js'
import type { Clock, Counters, RecordChanges, StoredRecord, StoredRow, Tracer } from '../../src/ports.js'
import type { Ask } from '../asking/ask.js'
import { askingAnew, askingFor } from '../asking/inner-ask.js'
import type { Behaviour, OutboxMessage, StepMeta } from '../behaviour/behaviour.js'
import type { ChartKind } from '../behaviour/state-chart.js'
import type { Growth } from '../weight/room.js'
import type { CommandAsking } from './asking.js'
import { createEnding } from './ending.js'

/** Services shared by all actors of a kind on a node. */
export interface KindServices {
  readonly ask: Ask
  readonly clock: Clock
  readonly tracer: Tracer
  readonly counters: Counters
}

/** Types of one kind, bundled so that each of its files names them once. */
interface KindTypes {
  /** The head is written with every commit. It is replaced, never mutated. */
  readonly state: { readonly address: Address; head: object }
  readonly command: Command
  /** What preparations hand to their steps, by the type of the command. A command that is not listed hands over nothing. */
  readonly prepared: object
  readonly services: KindServices
}

/** Working set of a step: the state that it changes, and the rows and messages that the runtime has to write and send. */
export interface Work<T extends KindTypes> {
  readonly state: T['state']
  /** Without the means to ask: a step waits for nobody. */
  readonly services: Omit<T['services'], 'ask' | 'clock'>
  readonly meta: StepMeta & { readonly isFresh: boolean }
  readonly put: StoredRow[]
  readonly remove: { readonly collection: string; readonly id: string }[]
  readonly messages: OutboxMessage[]
  /** Called once the changes are durable; the reply waits for it. Never rejects. */
  afterwards: (() => Promise<void>) | null
}

type CommandOf<T extends KindTypes, Type> = Extract<T['command'], { readonly type: Type }>
type PreparedFor<T extends KindTypes, C extends Command> = C['type'] extends keyof T['prepared'] ? T['prepared'][C['type']] : void
type Step<T extends KindTypes, C extends Command> = (work: Work<T>, command: C, prepared: PreparedFor<T, C>) => ReplyOf<C>
type Preparation<T extends KindTypes, C extends Command> = (
  asking: T['services'] & CommandAsking,
  state: T['state'],
  command: C
) => Promise<PreparedFor<T, C>>
type Growing<T extends KindTypes, C extends Command> = (state: T['state'], command: C, prepared: PreparedFor<T, C> | undefined) => Growth

/** One step per command, synchronous. A step throws DomainError to refuse, before it has changed anything. */
export type Steps<T extends KindTypes> = { readonly [Type in T['command']['type']]: Step<T, CommandOf<T, Type>> }

/** Preparations of the commands that ask or change other actors before their step. */
export type Preparations<T extends KindTypes> = {
  readonly [Type in T['command']['type'] & keyof T['prepared']]: Preparation<T, CommandOf<T, Type>>
} & { readonly [Type in Exclude<T['command']['type'], keyof T['prepared']>]?: Preparation<T, CommandOf<T, Type>> }

/** Upper bounds on what commands add to the record. Before the preparation, what it hands over is undefined: then as far as it is known. */
export type Growths<T extends KindTypes> = { readonly [Type in T['command']['type']]?: Growing<T, CommandOf<T, Type>> }

type KindBehaviour<T extends KindTypes> = Behaviour<T['state'], T['command'], unknown, ReplyOf<T['command']>>

/** Definition of a kind. Members without a comment are as in `Behaviour`. */
interface Kind<T extends KindTypes> extends Pick<
  KindBehaviour<T>,
  'kind' | 'initiate' | 'missing' | 'activated' | 'wakes' | 'reminders' | 'forgetReminders'
> {
  readonly chart?: ChartKind<T['state']>
  readonly services: T['services']
  restore(address: Address, record: StoredRecord): T['state']
  readonly prepare: Preparations<T>
  readonly growth: Growths<T>
  readonly steps: Steps<T>
  /** Commands that make and remove the record, of a kind that can be deleted: its preparation of the latter removes what belongs to it. */
  readonly life?: { readonly madeBy: T['command']['type']; readonly removedBy: T['command']['type'] }
  readonly links?: (state: T['state']) => readonly ActorLink[]
  /** Whether the state is still as its first command made it, so that nothing is lost with it. Default: it never is. */
  readonly isAsMade?: (state: T['state']) => boolean
}

/** Some of a kind's tables by command type, for commands of any type. */
type ByType<Args extends unknown[], Result> = Readonly<Record<string, ((...args: Args) => Result) | undefined>>
type LooseStep<T extends KindTypes> = (work: Work<T>, command: Command, prepared: unknown) => ReplyOf<T['command']>

/** Creates the behaviour of a kind. One behaviour serves every actor of the kind on a node. */
export function createKind<T extends KindTypes>(kind: Kind<T>): KindBehaviour<T> {
  const { services, prepare, growth, steps: stepsOfKind, life, links, isAsMade, restore, ...asInBehaviour } = kind
  // Casts for lookup by type: the compiler cannot tell that the entry found takes the command.
  const preparations = prepare as object as ByType<[T['services'] & CommandAsking, T['state'], Command], Promise<unknown>>
  const growths = growth as object as ByType<[T['state'], Command, unknown], Growth>
  const steps = stepsOfKind as object as Readonly<Record<T['command']['type'], LooseStep<T>>>
  const growthOf = (state: T['state'], command: Command, prepared?: unknown): Growth =>
    growths[command.type]?.(state, command, prepared) ?? WEIGHTLESS
  const ending = life === undefined ? null : createEnding({ ...life, missing: kind.missing })

  return {
    ...asInBehaviour,
    restore: (address, record) => atOnce(() => restore(address, record)),
    async prepare(state, command, meta) {
      const { signal, room } = meta
      // A full record refuses before other actors are asked or changed.
      const added = growthOf(state, command)
      if (totalOf(added) > 0) await room.reserve(added)
      ending?.refuse(state, command)
      if (ending?.isAsked(command) === true) return undefined
      const { address } = state
      const asks = { ask: askingFor(services.ask, meta, address), askAnew: askingAnew(services.ask, meta) }
      const prepareCommand = async () => preparations[command.type]?.({ ...services, ...asks, address, signal, room }, state, command)
      const prepared = await (ending?.during(state, command, prepareCommand) ?? prepareCommand())
      ending?.notePrepared(state, command)
      return prepared
    },
    *step(state, command, prepared, meta) {
      ending?.refuse(state, command)
      meta.room.admit(growthOf(state, command, prepared))
      const before = state.head
      const work: Work<T> = { state, services, meta, put: [], remove: [], messages: [], afterwards: null }
      const reply = steps[command.type as T['command']['type']](work, command, prepared)
      if (ending?.isReached(state, command) === true) return { reply, changes: null, isRemoval: true }
      if (ending?.begins(state, command) === true) work.messages.push(ending.begin(work, command))
      const { put, remove, messages: outbox, afterwards } = work
      const hasChanged = state.head !== before || put.length > 0 || remove.length > 0
      const changes: RecordChanges | null = hasChanged ? { head: state.head, put, remove } : null
      const erases = command.type === 'user.erase' ? 'replies' : undefined
      return { reply, changes, outbox, erases, ...(afterwards !== null && { afterwards }) }
    },
    describe: (state) => ({ links: links?.(state) ?? [] }),
    // Where storage is not durable, an eviction would lose what the members have told it.
    isIrreplaceable: (state) => state === null || isAsMade?.(state) !== true
  }
}

/** Replaces some of the head's fields. */
export function setHead<Head extends object>({ state }: { readonly state: { head: Head } }, fields: Partial<Head>): void {
  state.head = { ...state.head, ...fields }
}

/** Returns the next sequence number. */
export function takeSeq({ state }: { readonly state: { head: { readonly nextSeq: number } } }): number {
  const { nextSeq } = state.head
  state.head = { ...state.head, nextSeq: nextSeq + 1 }
  return nextSeq
}

/** Returns the bodies of the rows of one collection. */
export function bodiesOf<Body>(rows: readonly StoredRow[], collection: string): Body[] {
  return rows.filter((row) => row.collection === collection).map(({ body }) => body as Body)
}
