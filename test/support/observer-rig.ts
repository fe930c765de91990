/** The real observer on the real runtime. The test defines its regions and clusters, and owns the clock. */
import { createAsk } from '../../actors/asking/ask.js'
import type { Behaviour } from '../../actors/behaviour/behaviour.js'
import type { InspectActors } from '../../actors/node.js'
import { createObserverBehaviour } from '../../actors/observer/behaviour.js'
import { createActorSystem } from '../../actors/system.js'
import { createInProcessBus } from '../../src/bus/in-process.js'
import { type ActorKind, type Address, ONLY_ONE } from '../../src/domain/address.js'
import type { Command, ReplyOf } from '../../src/domain/commands/commands.js'
import type { ObserverCommand } from '../../src/domain/commands/observer-commands.js'
import type { Occurrence } from '../../src/domain/commands/occurrences.js'
import type { ObservedCluster } from '../../src/domain/coordination/anomalies.js'
import { DomainError } from '../../src/domain/errors.js'
import { atOnce } from '../../src/domain/pieces.js'
import { createSystemIds } from '../../src/platform/random-sources.js'
import type { ActorStorage } from '../../src/ports.js'
import { createMemoryStorage } from '../../src/storage/memory.js'
import { createManualClock } from './manual-clock.js'
import { unlimitedBudget } from './unlimited-budget.js'
import { UNWATCHED } from './unwatched.js'

export interface World {
  /** Cluster ids by region; other regions are missing. */
  readonly regions: Map<string, string[]>
  readonly clusters: Map<string, Omit<ObservedCluster, 'clusterId'>>
  /** Ids that fail with an error. */
  readonly broken: Set<string>
  /** Promises that regions await before they answer, by id. */
  readonly held: Map<string, Promise<void>>
  /** Ids of the regions that were asked, in order. */
  readonly asked: string[]
}

export interface ObserverRigOptions {
  readonly storage?: ActorStorage
  readonly world?: World
  /** Epoch seconds. */
  readonly now?: number
  readonly idleTtlMs?: number
  readonly inspect?: InspectActors
}

/** Creates a world without regions and clusters. */
export function createWorld(): World {
  return { regions: new Map(), clusters: new Map(), broken: new Set(), held: new Map(), asked: [] }
}

function answer(world: World, { kind, id }: Address): object {
  if (world.broken.has(id)) throw new DomainError('internal', 'Internal error')
  if (kind === 'session') return { modelName: 'model-1' }
  if (kind === 'region') {
    const clusters = world.regions.get(id)
    if (clusters === undefined) throw new DomainError('region_missing', 'Region not found')
    return { clusters: [...clusters], realignmentCount: 0 }
  }
  const cluster = world.clusters.get(id)
  if (cluster === undefined) throw new DomainError('cluster_missing', 'Cluster not found')
  return { ...cluster, aggregate: null, dimension: 2, modelName: 'model-1', couplingFactor: 0, driftScore: 0 }
}

function createPuppet(kind: ActorKind, world: World): Behaviour<Address, { type: string }, null, object> {
  return {
    kind,
    restore: (address) => atOnce(() => address),
    missing: () => new DomainError('internal', 'Internal error'),
    initiate: async (address) => ({ state: address, changes: { head: null, put: [], remove: [] } }),
    async prepare(address) {
      if (kind === 'region') await world.held.get(address.id)
      return null
    },
    *step(address) {
      if (kind === 'region') world.asked.push(address.id)
      return { reply: answer(world, address), changes: null }
    }
  }
}

export async function startObserverRig(options: ObserverRigOptions = {}) {
  const world = options.world ?? createWorld()
  const clock = createManualClock(options.now)
  const storage = options.storage ?? createMemoryStorage({ retains: true })
  const bus = createInProcessBus({ clock })
  const ids = createSystemIds()
  const counted: Occurrence[] = []
  const tracer = { isEnabled: false, emit: () => undefined }
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
  const system = createActorSystem(
    {
      storage,
      bus,
      clock,
      ids,
      watch: UNWATCHED,
      logger,
      tracer,
      activeMax: 10_000,
      idleTtlMs: options.idleTtlMs ?? 1_800_000,
      sweepMs: 60_000,
      workFinished: async () => undefined,
      counters: { count: () => undefined },
      recordBytesMax: Infinity,
      budget: unlimitedBudget(),
      fenced: () => undefined,
      failed: () => undefined,
      ...(options.inspect !== undefined && { inspect: options.inspect })
    },
    (ask) => [
      ...(['session', 'cluster', 'region'] as const).map((kind) => createPuppet(kind, world)),
      createObserverBehaviour({ ask, clock, ids, tracer, counters: { count: (occurrence) => void counted.push(occurrence) } })
    ]
  )
  await system.node.start()
  const ask = createAsk({ bus, ids })
  return {
    world,
    clock,
    storage,
    counted,
    node: system.node,
    catalogOf: system.catalogOf,
    ask: <C extends Command & ObserverCommand>(command: C, subject = 'tester'): Promise<ReplyOf<C>> =>
      ask({ kind: 'observer', subject, id: ONLY_ONE }, command, { deadlineMs: 30_000 })
  }
}
