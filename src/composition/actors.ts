/** Assembles the actors of a node. */
import { createClusterBehaviour } from '../../actors/cluster/behaviour.js'
import { createNetworkBehaviour } from '../../actors/network/behaviour.js'
import { createObserverBehaviour } from '../../actors/observer/behaviour.js'
import { createHandedOnStorage } from '../../actors/placement/handed-on-storage.js'
import { createLoneNode, createNodes, type Nodes } from '../../actors/placement/nodes.js'
import { createAnswerPeers, describeNode } from '../../actors/placement/self.js'
import { createRegionBehaviour } from '../../actors/region/behaviour.js'
import { createSessionBehaviour } from '../../actors/session/behaviour.js'
import { PACKED_FORMAT } from '../../actors/session/record/stored-head.js'
import { createLookups } from '../../actors/scheduling/lookups.js'
import { createActorSystem, type OwnParts } from '../../actors/system.js'
import { createNodeBudget } from '../../actors/weight/node-budget.js'
import { createInProcessBus } from '../bus/in-process.js'
import type { Config } from '../config.js'
import { ACTOR_KINDS } from '../domain/address.js'
import { PACKED_MAX } from '../domain/limits.js'
import { isReadByAll } from '../domain/nodes/membership.js'
import { createExactIndexes } from '../vectors/exact-index.js'
import { createScanHelper } from '../vectors/scan-helper.js'
import type { Describe } from './debugger.js'
import { createShownPendings } from './gauges.js'
import type { Allowances } from '../domain/fairness/allowances.js'
import type { StallWatch } from '../domain/fairness/stall-watch.js'
import type { Metrics } from '../metrics/prometheus.js'
import type { Counters, Logger } from '../ports.js'
import type { Parts, ServiceOverrides } from './parts.js'

/** What the actors need from outside. */
interface ActorParts extends Pick<Parts, 'clock' | 'ids' | 'tracer' | 'storage' | 'embedders' | 'nodeBus' | 'nodeId'> {
  readonly allowances: Allowances
  readonly logger: Logger
  readonly metrics: Counters & Pick<Metrics, 'showPending'>
  readonly recorder: Pick<Parts['recorder'], 'forget'>
  readonly telemetry: Pick<Parts['telemetry'], 'spans'>
  readonly tickets: Pick<Parts['tickets'], 'redeemHash'>
  readonly watch: StallWatch
}

/** Creates the actors of a node, the bus between them, and their routes to other nodes. */
export function createActors(
  config: Pick<Config, 'sessions' | 'subjects' | 'compliance'>,
  parts: ActorParts,
  { failed = () => undefined, inspect, sharesStorage = false }: Pick<ServiceOverrides, 'failed' | 'inspect' | 'sharesStorage'>
) {
  const { clock, ids, tracer, logger, embedders, metrics: counters, recorder, tickets, nodeBus, nodeId } = parts
  const { driftThreshold, updateThreshold, contextTokensMax, memoriesMax, bytesMax, activeMax, idleTtlS, sweepS } = config.sessions
  const bus = createInProcessBus({ clock })
  const { spans } = parts.telemetry
  // Records in a node's own memory move with their actors from node to node.
  const isHandedOn = nodeBus !== null && !parts.storage.isDurable
  const storage = isHandedOn ? createHandedOnStorage(parts.storage, () => system.nodes.peers) : parts.storage
  const lookups = createLookups(storage, clock)
  const budget = createNodeBudget({ clock, counters, isDurable: storage.isDurable, ...parts.allowances })
  const lives = {
    subjectConcurrency: config.subjects.concurrency,
    subjectSessionsMax: config.subjects.sessionsMax,
    subjectBytesMax: config.subjects.bytesMax,
    activeMax,
    idleTtlMs: idleTtlS * 1000,
    sweepMs: sweepS * 1000
  }
  const outside = {
    storage,
    bus,
    clock,
    ids,
    logger,
    tracer,
    counters,
    budget,
    watch: parts.watch,
    spans,
    recordBytesMax: bytesMax,
    failed,
    sharesStorage,
    inspect
  }
  const scanHelper = createScanHelper({ logger })
  const workFinished = async (): Promise<void> => {
    await Promise.all([embedders.close(), scanHelper.close()])
  }
  const hooks = { workFinished, fenced: () => counters.count({ name: 'fenced_write' }) }
  const caches = [embedders, recorder]
  const pendings = createShownPendings(counters)
  const join = (own: OwnParts): Nodes =>
    nodeBus === null
      ? createLoneNode(bus)
      : createNodes({
          ...{ nodeId, bus: nodeBus, local: bus, clock, ids, logger, tracer, counters, admission: own.admission, superseded: failed },
          spans,
          keepsLog: storage.isDurable,
          checkStorage: () => storage.check(),
          activeSessions: () => own.catalogOf('session').activeCount,
          fence() {
            // Without durable storage no other node can have taken an actor over, and fencing would lose its state for nothing.
            if (storage.isDurable) own.fence()
            // A node that was cut off may have missed an erasure on another node.
            for (const cache of caches) cache.forget()
          },
          answerPeers: createAnswerPeers({
            catalogOf: own.catalogOf,
            describe: (subject) => describe.node(subject),
            caches,
            redeemTicket: (hash) => tickets.redeemHash(hash),
            ownMemory: isHandedOn ? parts.storage : null
          })
        })
  const system = createActorSystem({ ...outside, ...hooks, ...lives, join }, (ask, live) => [
    createSessionBehaviour({
      ask,
      clock,
      storage,
      ids,
      tracer,
      counters,
      logger,
      embedders,
      pendings,
      createVectorIndex: createExactIndexes(scanHelper),
      monotonicMs: () => clock.monotonicMs(),
      audits: config.compliance,
      storesWords: storage.isDurable,
      packedMax: storage.isDurable ? PACKED_MAX : 0,
      arePacksRead: () => isReadByAll(nodes.membership?.members() ?? [], PACKED_FORMAT),
      driftThreshold,
      updateThreshold,
      contextTokensMax,
      memoriesMax
    }),
    createClusterBehaviour({ ask, clock, tracer, counters, storage: lookups }),
    createRegionBehaviour({ ask, clock, ids, tracer, counters, storage: lookups }),
    createObserverBehaviour({ ask, clock, ids, tracer, counters }),
    createNetworkBehaviour({ ask, clock, tracer, counters, logger, storage: lookups, sessions: live })
  ])
  const { node, nodes, ask, live, catalogOf } = system
  const self = { nodeId, catalogs: ACTOR_KINDS.map(catalogOf), nodeState: () => nodes.membership?.state ?? node.state }
  const describe: Describe = {
    node: (subject) => describeNode(self, subject),
    actor: ({ kind, subject, id }) => catalogOf(kind).describe(subject, id)
  }
  return { bus, ask, node, nodes, live, storage, lookups, budget, catalogOf, describe }
}
