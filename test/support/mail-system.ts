/** A node with two kinds of actors that only write to each other, on a manual clock, to test the outbox. Its sessions are lists. */
import { type Ask, type AskActor, createAskActor } from '../../actors/asking/ask.js'
import type { Behaviour, OutboxMessage, RequestMeta, StepResult } from '../../actors/behaviour/behaviour.js'
import { refuseWhenOutboxFull } from '../../actors/messaging/outbox.js'
import { createLoneNode, type Nodes } from '../../actors/placement/nodes.js'
import { createActorSystem } from '../../actors/system.js'
import { createInProcessBus } from '../../src/bus/in-process.js'
import type { Address } from '../../src/domain/address.js'
import { DomainError } from '../../src/domain/errors.js'
import { atOnce, type Pieces } from '../../src/domain/pieces.js'
import { createSystemIds } from '../../src/platform/random-sources.js'
import type { ActorStorage, StoredRow } from '../../src/ports.js'
import { createMemoryStorage } from '../../src/storage/memory.js'
import { createListBehaviour } from './list-behaviour.js'
import { createManualClock, type ManualClock } from './manual-clock.js'
import { unlimitedBudget } from './unlimited-budget.js'
import { UNWATCHED } from './unwatched.js'

/** A sender, of kind `region`. */
export type SenderCommand =
  /** Creates the sender if it does not exist. Writes one outbox message per word, named after it. */
  | { readonly type: 'sender.write'; readonly words: readonly string[]; readonly isAwaited?: boolean; readonly subject?: string }
  /** Drops all rows of the record. */
  | { readonly type: 'sender.clear'; readonly words?: readonly string[] }
  | { readonly type: 'sender.refuse' }
  | { readonly type: 'sender.remove' }
  /** Makes the node ask the receiver before the step. */
  | { readonly type: 'sender.consult' }

interface SenderState {
  written: number
}

/** A receiver, of kind `cluster`. An outbox message carries its word as the id of a member to drop. */
interface ReceiverState {
  readonly words: string[]
}

export interface MailOptions {
  readonly storage?: ActorStorage
  readonly clock?: ManualClock
  /** Handles an outbox message at the receiver: throws to refuse it, waits to delay it. */
  readonly receive?: (word: string, request: RequestMeta) => Promise<void>
  /** Awaited by a sender before it consults the receiver. */
  readonly consult?: () => Promise<void>
  readonly isIrreplaceable?: boolean
  readonly activeMax?: number
  readonly idleTtlMs?: number
  readonly sharesStorage?: boolean
  readonly subjectSessionsMax?: number
  readonly subjectBytesMax?: number
  /** What the node knows of other nodes. Default: there is none. */
  readonly nodes?: Partial<Nodes>
  /** True: one of several nodes, of which the others do nothing. */
  readonly isMember?: boolean
}

/** Joins the others as soon as it starts. */
const BELONGING = { state: 'up', start: async () => {}, leave: () => {} } as unknown as Nodes['membership']

export const SENDER: Address = { kind: 'region', subject: 'tester', id: 'sender' }
export const RECEIVER: Address = { kind: 'cluster', subject: 'tester', id: 'receiver' }

export async function startMail(options: MailOptions = {}) {
  const clock = options.clock ?? createManualClock()
  const storage = options.storage ?? createMemoryStorage({ retains: true })
  const bus = createInProcessBus({ clock })
  const ids = createSystemIds()
  const system = createActorSystem(
    {
      storage,
      bus,
      clock,
      ids,
      watch: UNWATCHED,
      logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      tracer: { isEnabled: false, emit: () => {} },
      activeMax: options.activeMax ?? 100,
      idleTtlMs: options.idleTtlMs ?? 1_800_000,
      sweepMs: 10_000,
      workFinished: async () => {},
      counters: { count: () => undefined },
      recordBytesMax: Infinity,
      budget: unlimitedBudget(),
      fenced: () => undefined,
      failed: () => {},
      ...(options.sharesStorage !== undefined && { sharesStorage: options.sharesStorage }),
      ...(options.subjectSessionsMax !== undefined && { subjectSessionsMax: options.subjectSessionsMax }),
      ...(options.subjectBytesMax !== undefined && { subjectBytesMax: options.subjectBytesMax }),
      ...(options.isMember === true && { join: () => ({ ...createLoneNode(bus), membership: BELONGING }) }),
      ...(options.nodes !== undefined && { join: () => ({ ...createLoneNode(bus), ...options.nodes }) })
    },
    (ask) => [createSender(options, ask), createReceiver(options), createListBehaviour()]
  )
  await system.node.start()
  const askActor: AskActor = createAskActor({ bus, ids })
  const send = (command: SenderCommand, id = SENDER.id) => askActor({ ...SENDER, id }, command, { deadlineMs: 60_000 })
  return {
    clock,
    storage,
    bus,
    node: system.node,
    catalogOf: system.catalogOf,
    askActor,
    send,
    write: (...words: string[]) => send({ type: 'sender.write', words, isAwaited: true }),
    /** Words that a receiver holds, including duplicates. */
    received: () => askActor(RECEIVER, { type: 'receiver.read' }, { deadlineMs: 60_000 }) as Promise<string[]>,
    /** Outbox messages in the sender's stored record. */
    async stored(id = SENDER.id): Promise<string[]> {
      const record = await storage.activate({ ...SENDER, id })
      return (record?.rows ?? []).filter((row) => row.collection === 'outbox').map((row) => row.id)
    }
  }
}

function createSender(
  { isIrreplaceable = false, consult = async () => {} }: MailOptions,
  ask: Ask
): Behaviour<unknown, { readonly type: string }, unknown, unknown> {
  const behaviour: Behaviour<SenderState, SenderCommand, number, number> = {
    kind: 'region',
    restore: (_address, record) => atOnce(() => ({ written: record.rows.filter((row) => row.collection === 'word').length })),
    initiate: async (_address, command) =>
      command.type === 'sender.write' ? { state: { written: 0 }, changes: { head: { written: 0 }, put: [], remove: [] } } : null,
    missing: () => new DomainError('region_missing', 'No such sender'),
    async prepare(_state, command) {
      if (command.type !== 'sender.consult') return 0
      await consult()
      const { isMember } = await ask(RECEIVER, { type: 'cluster.checkMember', sessionId: 'anybody' }, { deadlineMs: 60_000 })
      return isMember ? 1 : 2
    },
    *step(state, command, prepared, meta): Pieces<StepResult<number>> {
      if (command.type === 'sender.consult') return { reply: prepared, changes: null }
      if (command.type === 'sender.remove') return { reply: 0, changes: null, isRemoval: true }
      refuseWhenOutboxFull(meta)
      if (command.type === 'sender.refuse') throw new DomainError('invalid_input', 'Refused')
      const isCleared = command.type === 'sender.clear'
      if (isCleared) state.written = 0
      const put: StoredRow[] = []
      const outbox: OutboxMessage[] = []
      for (const word of command.words ?? []) {
        state.written += 1
        put.push({ collection: 'word', id: word, body: word })
        const to = command.type === 'sender.write' && command.subject !== undefined ? { ...RECEIVER, subject: command.subject } : RECEIVER
        const isAwaited = command.type === 'sender.write' && command.isAwaited === true
        outbox.push({ id: word, to, command: { type: 'cluster.dropMember', sessionId: word }, isAwaited })
      }
      return {
        reply: state.written,
        changes: { head: { written: state.written }, put, remove: [], ...(isCleared && { clear: true }) },
        outbox
      }
    },
    isIrreplaceable: () => isIrreplaceable
  }
  return behaviour
}

function createReceiver({ receive = async () => {} }: MailOptions): Behaviour<unknown, { readonly type: string }, unknown, unknown> {
  type Command =
    | { readonly type: 'cluster.dropMember' | 'cluster.checkMember'; readonly sessionId: string }
    | { readonly type: 'receiver.read' }
  const behaviour: Behaviour<ReceiverState, Command, void, unknown> = {
    kind: 'cluster',
    restore: (_address, record) => atOnce(() => ({ words: [...(record.head as ReceiverState).words] })),
    initiate: async () => ({ state: { words: [] }, changes: { head: { words: [] }, put: [], remove: [] } }),
    missing: () => new DomainError('cluster_missing', 'No such receiver'),
    prepare: async (_state, command, request) => (command.type === 'cluster.dropMember' ? receive(command.sessionId, request) : undefined),
    *step(state, command) {
      if (command.type === 'receiver.read') return { reply: [...state.words], changes: null }
      if (command.type === 'cluster.checkMember') return { reply: { isMember: state.words.includes(command.sessionId) }, changes: null }
      state.words.push(command.sessionId)
      return { reply: { removed: true }, changes: { head: { words: [...state.words] }, put: [], remove: [] } }
    }
  }
  return behaviour
}
