/** A cluster without the runtime: commands are prepared, stepped and committed here, and the test decides what its sessions answer. */
import type { AskOptions } from '../../actors/asking/ask.js'
import type { OutboxMessage } from '../../actors/behaviour/behaviour.js'
import { createClusterBehaviour } from '../../actors/cluster/behaviour.js'
import { Ledger, rowWeight } from '../../actors/weight/ledger.js'
import type { Address } from '../../src/domain/address.js'
import type { AggregationMode, ClusterCommand } from '../../src/domain/commands/cluster-commands.js'
import type { Command, ReplyOf } from '../../src/domain/commands/commands.js'
import type { SessionStateView, SharedVector } from '../../src/domain/commands/coordination-commands.js'
import type { Occurrence } from '../../src/domain/commands/occurrences.js'
import { DomainError, isDomainError } from '../../src/domain/errors.js'
import { inOneGo } from '../../src/domain/pieces.js'
import { plus, totalOf, WEIGHTLESS } from '../../src/domain/fairness/weight.js'
import type { DebugEvent } from '../../src/ports.js'
import { createMemoryStorage } from '../../src/storage/memory.js'
import { createManualClock } from './manual-clock.js'
import { UNBOUNDED, unbounded } from './unbounded.js'

export const CLUSTER: Address = { kind: 'cluster', subject: 'tester', id: 'c' }

interface ClusterRigOptions {
  readonly mode?: AggregationMode
  readonly couplingFactor?: number
  /** State of a session; null if it is gone. A DomainError is thrown. */
  readonly stateOf?: (sessionId: string) => SharedVector | DomainError | null
  /** Whether a region has attached the cluster. Default: none has. */
  readonly isAttached?: (regionId: string) => boolean
  /** Called before every answer; throws to refuse. */
  readonly intercept?: (id: string, command: Command) => void | Promise<void>
}

const VIEW: SessionStateView = {
  state: null,
  dimension: 2,
  modelName: 'model-1',
  phase: 'exploration',
  driftPhase: 'stable',
  driftScore: 0.1,
  interactionCount: 3,
  totalMemories: 4
}

export async function createClusterRig(options: ClusterRigOptions = {}) {
  const {
    mode = 'weighted_average',
    couplingFactor = 0.5,
    stateOf = () => ({ vector: Float32Array.of(1, 0), users: [] }),
    isAttached = () => false,
    intercept
  } = options
  const storage = createMemoryStorage({ retains: true })
  const clock = createManualClock()
  const events: DebugEvent[] = []
  const counted: Occurrence[] = []
  const asked: { readonly id: string; readonly command: Command }[] = []
  const messages: OutboxMessage[] = []
  let hasBacking = false
  let backedBy: string | undefined
  let requests = 0

  async function answer(id: string, command: Command, requestId?: string): Promise<unknown> {
    await intercept?.(id, command)
    if (command.type === 'session.create') {
      if (hasBacking && backedBy !== requestId) throw new DomainError('already_exists', 'Session already exists')
      hasBacking = true
      backedBy = requestId
      return { modelName: 'model-1' }
    }
    if (command.type === 'session.delete') {
      hasBacking = false
      return { deleted: true }
    }
    if (command.type === 'region.dropCluster') return { removed: true }
    if (command.type === 'region.checkCluster') return { isAttached: isAttached(id) }
    const state = id === CLUSTER.id && !hasBacking ? null : stateOf(id)
    if (state === null) throw new DomainError('session_missing', 'Session not found')
    if (isDomainError(state)) throw state
    if (command.type === 'state.read') return { ...VIEW, state } satisfies SessionStateView
    return command.type === 'state.blend' ? { isApplied: true } : { added: true }
  }
  const behaviour = createClusterBehaviour({
    storage,
    clock,
    tracer: { isEnabled: true, emit: (event) => void events.push(event) },
    counters: { count: (occurrence) => void counted.push(occurrence) },
    ask: async <C extends Command>({ id }: Address, command: C, { requestId }: AskOptions) => {
      asked.push({ id, command })
      return (await answer(id, command, requestId)) as ReplyOf<C>
    }
  })
  const meta = () => ({ address: CLUSTER, now: clock.now(), requestId: `request-${String(requests)}`, room: UNBOUNDED })
  const settings = { dimension: 2, useCortex: false, enableTopicSwitch: true, policyVectors: [] }
  const create: ClusterCommand = { type: 'cluster.create', aggregationMode: mode, couplingFactor, settings }
  const made = await behaviour.initiate(CLUSTER, create, meta())
  if (made === null) throw new Error('no cluster was made')
  let token = await storage.create(CLUSTER, structuredClone(made.changes))
  let { state } = made
  const ledger = new Ledger()
  let posted = WEIGHTLESS

  const rig = {
    clock,
    asked,
    events,
    counted,
    /** Posted but not yet delivered by the test. */
    messages,
    get state() {
      return state
    },
    /** Bytes of the record's rows, and of everything ever posted. */
    rowBytes: () => totalOf(plus(ledger.weight(), posted)),
    initiate: (requestId: string) => behaviour.initiate(CLUSTER, create, { ...meta(), requestId }),
    prepare: (command: ClusterCommand, signal?: AbortSignal) =>
      behaviour.prepare(state, command, unbounded({ requestId: 'r', now: 0 }, signal)),
    /** Steps and commits a command that was prepared before. */
    async step<C extends ClusterCommand>(
      command: C,
      prepared: Awaited<ReturnType<typeof behaviour.prepare>>,
      outboxPending = 0
    ): Promise<ReplyOf<C>> {
      requests += 1
      const {
        reply,
        changes,
        outbox = []
      } = inOneGo(behaviour.step(state, command, prepared, { ...meta(), isFresh: false, outboxPending }))
      messages.push(...outbox)
      posted = plus(posted, ...outbox.map(rowWeight))
      if (changes !== null) inOneGo(ledger.apply({ ...changes, head: null }))
      if (changes !== null && token !== null) token = await storage.commit(CLUSTER, token, structuredClone(changes))
      return reply as ReplyOf<C>
    },
    ask: async <C extends ClusterCommand>(command: C): Promise<ReplyOf<C>> => rig.step(command, await rig.prepare(command)),
    /** Deletes the cluster, whose outbox message goes on with that. */
    async end(): Promise<void> {
      await rig.ask({ type: 'cluster.delete' })
      asked.length = 0
    },
    async add(...sessionIds: string[]): Promise<void> {
      for (const sessionId of sessionIds) await rig.ask({ type: 'cluster.addMember', sessionId, weight: 1 })
      asked.length = 0
    },
    /** Continues from the stored record. */
    async restart(): Promise<void> {
      const record = await storage.activate(CLUSTER)
      if (record === null) throw new Error('no such record')
      token = record.token
      state = inOneGo(behaviour.restore(CLUSTER, structuredClone({ ...record, rows: [...record.rows].reverse() })))
    },
    /** Ids of the sessions that received this command. */
    askedOf: (type: Command['type']) => asked.filter(({ command }) => command.type === type).map(({ id }) => id)
  }
  return rig
}
