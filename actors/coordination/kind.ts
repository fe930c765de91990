/**
 * Toolkit for the actor kinds that coordinate sessions. A kind defines its state (a head with rows beside it), its chart, and its commands:
 * the preparation of each (which asks other actors), its step, and the growth of the record by it. Everything else is shared.
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
  readonly meta: StepMeta
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

interface Definition<T extends KindTypes, C extends Command> {
  /** Asks or changes other actors before the step. */
  readonly prepare?: Preparation<T, C>
  /** Upper bound on what it adds to the record. Before the preparation, what that hands over is undefined: then as far as it is known. */
  readonly growth?: Growing<T, C>
  /** Synchronous. Throws DomainError to refuse, before it has changed anything. */
  readonly step: Step<T, C>
}

/** What is particular to each command. Those whose steps are handed something have a preparation. */
export type Commands<T extends KindTypes> = {
  readonly [Type in T['command']['type']]: Definition<T, CommandOf<T, Type>> &
    (Type extends keyof T['prepared'] ? { readonly prepare: Preparation<T, CommandOf<T, Type>> } : unknown)
}

type KindBehaviour<T extends KindTypes> = Behaviour<T['state'], T['command'], unknown, ReplyOf<T['command']>>

/** Definition of a kind. Members without a comment are as in `Behaviour`. */
interface Kind<T extends KindTypes> extends Pick<
  KindBehaviour<T>,
  'kind' | 'initiate' | 'missing' | 'activated' | 'wakes' | 'reminders' | 'forgetReminders'
> {
  readonly chart?: ChartKind<T['state']>
  readonly services: T['services']
  restore(address: Address, record: StoredRecord): T['state']
  readonly commands: Commands<T>
  /** Commands that make and remove the record, of a kind that can be deleted: its preparation of the latter removes what belongs to it. */
  readonly life?: { readonly madeBy: T['command']['type']; readonly removedBy: T['command']['type'] }
  readonly links?: (state: T['state']) => readonly ActorLink[]
  /** Whether the state is still as its first command made it, so that nothing is lost with it. Default: it never is. */
  readonly isAsMade?: (state: T['state']) => boolean
}

/** A definition for commands of any type. */
interface AnyDefinition<T extends KindTypes> {
  prepare?(asking: T['services'] & CommandAsking, state: T['state'], command: Command): Promise<unknown>
  growth?(state: T['state'], command: Command, prepared: unknown): Growth
  step(work: Work<T>, command: Command, prepared: unknown): ReplyOf<T['command']>
}

/** Creates the behaviour of a kind. One behaviour serves every actor of the kind on a node. */
export function createKind<T extends KindTypes>(kind: Kind<T>): KindBehaviour<T> {
  const { services, commands, life, links, isAsMade, restore, ...asInBehaviour } = kind
  // The compiler cannot tell that the entry takes the command.
  const definitionOf = ({ type }: T['command']) => commands[type as T['command']['type']] as object as AnyDefinition<T>
  const ending = life === undefined ? null : createEnding({ ...life, missing: kind.missing })

  return {
    ...asInBehaviour,
    restore: (address, record) => atOnce(() => restore(address, record)),
    async prepare(state, command, meta) {
      const { signal, room } = meta
      // A full record refuses before other actors are asked or changed.
      const { prepare, growth } = definitionOf(command)
      const added = growth?.(state, command, undefined) ?? WEIGHTLESS
      if (totalOf(added) > 0) await room.reserve(added)
      ending?.refuse(state, command)
      if (ending?.isAsked(command) === true) return undefined
      const { address } = state
      const asks = { ask: askingFor(services.ask, meta, address), askAnew: askingAnew(services.ask, meta) }
      const prepareCommand = async () => prepare?.({ ...services, ...asks, address, signal, room }, state, command)
      const prepared = await (ending?.during(state, command, prepareCommand) ?? prepareCommand())
      ending?.notePrepared(state, command)
      return prepared
    },
    *step(state, command, prepared, meta) {
      ending?.refuse(state, command)
      const definition = definitionOf(command)
      meta.room.admit(definition.growth?.(state, command, prepared) ?? WEIGHTLESS)
      const before = state.head
      const work: Work<T> = { state, services, meta, put: [], remove: [], messages: [], afterwards: null }
      const reply = definition.step(work, command, prepared)
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
