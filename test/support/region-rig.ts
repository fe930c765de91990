/** A region without the runtime: commands are prepared, stepped and committed here, and the test decides what its clusters answer. */
import type { OutboxMessage } from '../../actors/behaviour/behaviour.js'
import { createRegionBehaviour } from '../../actors/region/behaviour.js'
import { Ledger, rowWeight } from '../../actors/weight/ledger.js'
import type { Address } from '../../src/domain/address.js'
import type { ClusterSample } from '../../src/domain/commands/cluster-commands.js'
import type { Command, ReplyOf } from '../../src/domain/commands/commands.js'
import type { Occurrence } from '../../src/domain/commands/occurrences.js'
import type { RegionCommand } from '../../src/domain/commands/region-commands.js'
import { DomainError } from '../../src/domain/errors.js'
import { inOneGo } from '../../src/domain/pieces.js'
import { plus, totalOf, WEIGHTLESS } from '../../src/domain/fairness/weight.js'
import type { DebugEvent } from '../../src/ports.js'
import { createMemoryStorage } from '../../src/storage/memory.js'
import { createManualClock } from './manual-clock.js'
import { createCountingIds } from './session-rig.js'
import { UNBOUNDED, unbounded } from './unbounded.js'

export const REGION: Address = { kind: 'region', subject: 'tester', id: 'r' }

export interface Asked {
  readonly id: string
  readonly command: Command
}

interface RegionRigOptions {
  readonly consensusThreshold?: number
  readonly voteWindowS?: number
  /** A cluster's answer to `cluster.sample`; null if it is gone. A DomainError is thrown. */
  readonly sampleOf?: (clusterId: string) => ClusterSample | DomainError | null
}

/** A cluster's sample with default values, except for `fields`. */
export function sample(fields: Partial<ClusterSample> = {}): ClusterSample {
  return {
    aggregate: { vector: Float32Array.of(1, 0), users: [] },
    dimension: 2,
    modelName: 'model-1',
    couplingFactor: 0.5,
    phase: 'exploration',
    driftPhase: 'stable',
    driftScore: 0,
    interactionCount: 3,
    ...fields
  }
}

export async function createRegionRig({ consensusThreshold = 0.5, voteWindowS = 60, sampleOf = () => sample() }: RegionRigOptions = {}) {
  const storage = createMemoryStorage({ retains: true })
  const clock = createManualClock()
  const events: DebugEvent[] = []
  const asked: Asked[] = []
  const counted: Occurrence[] = []
  const messages: OutboxMessage[] = []
  const meta = {
    dimension: 2,
    modelName: 'model-1',
    interactionCount: 0,
    totalMemories: 0,
    phase: 'initialization',
    driftPhase: 'stable',
    driftScore: 0,
    state: null
  } as const
  let hasMeta = false

  function answer({ kind, id }: Address, command: Command): unknown {
    if (kind === 'session') {
      if (command.type === 'session.create') hasMeta = true
      else if (!hasMeta) throw new DomainError('session_missing', 'Session not found')
      if (command.type === 'session.delete') hasMeta = false
      return command.type === 'state.read' ? meta : {}
    }
    const found = sampleOf(id)
    if (found === null) throw new DomainError('cluster_missing', 'Cluster not found')
    if (found instanceof DomainError) throw found
    return command.type === 'cluster.sample' ? found : {}
  }
  const behaviour = createRegionBehaviour({
    storage,
    clock,
    ids: createCountingIds(),
    tracer: { isEnabled: true, emit: (event) => void events.push(event) },
    counters: { count: (occurrence) => void counted.push(occurrence) },
    ask: async <C extends Command>(address: Address, command: C) => {
      asked.push({ id: address.id, command })
      return answer(address, command) as ReplyOf<C>
    }
  })
  const meta0 = () => ({ address: REGION, now: clock.now(), requestId: 'r', room: UNBOUNDED })
  const settings = { dimension: 2, useCortex: false, enableTopicSwitch: true, policyVectors: [] }
  const made = await behaviour.initiate(REGION, { type: 'region.create', consensusThreshold, voteWindowS, settings }, meta0())
  if (made === null) throw new Error('no region was made')
  let token = await storage.create(REGION, structuredClone(made.changes))
  let { state } = made
  const ledger = new Ledger()
  let posted = WEIGHTLESS

  const rig = {
    clock,
    events,
    asked,
    counted,
    /** Posted but not yet delivered by the test. */
    messages,
    get state() {
      return state
    },
    /** Bytes of the record's rows, and of everything ever posted. */
    rowBytes: () => totalOf(plus(ledger.weight(), posted)),
    get hasMeta() {
      return hasMeta
    },
    prepare: (command: RegionCommand, signal?: AbortSignal) =>
      behaviour.prepare(state, command, unbounded({ requestId: 'r', now: 0 }, signal)),
    /** Steps and commits a command that was prepared before. */
    async step<C extends RegionCommand>(command: C, prepared: Awaited<ReturnType<typeof behaviour.prepare>>): Promise<ReplyOf<C>> {
      const { reply, changes, outbox = [] } = inOneGo(behaviour.step(state, command, prepared, { ...meta0(), isFresh: false }))
      messages.push(...outbox)
      posted = plus(posted, ...outbox.map(rowWeight))
      if (changes !== null) inOneGo(ledger.apply({ ...changes, head: null }))
      if (changes !== null && token !== null) token = await storage.commit(REGION, token, structuredClone(changes))
      return reply as ReplyOf<C>
    },
    ask: async <C extends RegionCommand>(command: C): Promise<ReplyOf<C>> => rig.step(command, await rig.prepare(command)),
    /** Continues from the stored record. */
    async restart(): Promise<void> {
      const record = await storage.activate(REGION)
      if (record === null) throw new Error('no such record')
      token = record.token
      state = inOneGo(behaviour.restore(REGION, structuredClone({ ...record, rows: [...record.rows].reverse() })))
    },
    /** Delivers the region's messages to itself, and those that result from them. Drops those to others. */
    async deliverAll(): Promise<void> {
      for (let message = messages.shift(); message !== undefined; message = messages.shift())
        if (message.to.kind === 'region') await rig.ask(message.command as RegionCommand)
    }
  }
  return rig
}

export type RegionRig = Awaited<ReturnType<typeof createRegionRig>>
