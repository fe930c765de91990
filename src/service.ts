/** Puts the parts together: the only file that knows them all. */
import { createNetworkBehaviour } from '../actors/network/behaviour.js'
import { createObserverBehaviour } from '../actors/observer/behaviour.js'
import { createRegionBehaviour } from '../actors/region/behaviour.js'
import { createClusterBehaviour } from '../actors/cluster/behaviour.js'
import { createHandedOnStorage } from '../actors/nodes/handed-on-storage.js'
import { createLoneNode, createNodes, type Nodes } from '../actors/nodes/nodes.js'
import { createAnswerPeers, describeNode } from '../actors/nodes/self.js'
import { createSessionBehaviour } from '../actors/session/behaviour.js'
import { createErasure } from '../actors/erasure.js'
import { processorOf } from '../actors/processor.js'
import { createNodeBudget } from '../actors/weight/node-budget.js'
import type { InspectActors } from '../actors/node.js'
import { createActorSystem, type OwnParts } from '../actors/system.js'
import { createLicenseVerifier } from './auth/license.js'
import { createInProcessBus } from './bus/in-process.js'
import type { Config } from './config.js'
import { connectionsOf } from './domain/allowances.js'
import { DRAIN_MS_MAX } from './domain/limits.js'
import type { NodeDescription } from './domain/topology.js'
import { createRecorder, type Recorder } from './debug/recorder.js'
import { createTickets, type Tickets } from './debug/tickets.js'
import { createDebugger } from './debugger.js'
import { createDirectory } from './directory.js'
import { openStorage } from './durable-storage.js'
import { checkModelFolder } from './embedders/model-files.js'
import { createEmbedders, type RunningEmbedders } from './embedders/registry.js'
import type { Http } from './http/contracts.js'
import type { HostRules } from './http/host-check.js'
import { createShownPendings, showGauges } from './gauges.js'
import { createLanes } from './http/lanes.js'
import { createLogger, type LogDestination } from './http/logger.js'
import { createHttp } from './http/server.js'
import { createMetrics, type Metrics } from './metrics/prometheus.js'
import { createStallWatch, type RunningStallWatch } from './metrics/stall-watch.js'
import { createSystemClock } from './platform/clock.js'
import { createSystemIds } from './platform/ids.js'
import { readAllowances } from './platform/machine.js'
import { createSystemRandomness } from './platform/randomness.js'
import { createSystemSecrets } from './platform/secrets.js'
import { nextTurn } from './platform/turns.js'
import { within } from './platform/within.js'
import type { ActorStorage, Clock, Ids, Logger, NodeBus, Randomness, Tracer, VerifyLicense } from './ports.js'
import { openedBy, toListenError } from './start-refusal.js'
import { createModelService } from './upstream/model-service.js'
import { createExactIndexes } from './vectors/exact-index.js'

/** What a test may own in place of the real thing. */
export interface ServiceOverrides {
  readonly clock?: Clock
  readonly ids?: Ids
  readonly randomness?: Randomness
  readonly tracer?: Tracer
  readonly storage?: ActorStorage
  readonly logDestination?: LogDestination
  /** Where the debugger's page was built; default: beside the compiled service. */
  readonly debugPageFolder?: string
  /** Looks at every actor, for development. */
  readonly inspect?: InspectActors
  /** Called when the supervision tree gave up; default: nothing. */
  readonly failed?: () => void
}

export interface Service {
  readonly http: Http
  readonly logger: Logger
  /** Starts the actors and listens. Resolves to the base URL; throws StartError. */
  listen(): Promise<string>
  /** Starts the actors without listening, for requests that are injected. */
  start(): Promise<void>
  /** Interface, States: stops accepting, lets requests in flight finish, closes the embedders, empties the session table. Twice is fine. */
  close(): Promise<void>
}

/** Interface, Other shapes: the readiness check that a backend answers for. */
const STORAGE_CHECKS = { memory: null, sql: 'database', redis: 'redis', mongo: 'mongo' } as const

/**
 * Milliseconds in which a node that leaves still answers, so that no request is lost: a balancer that looks every second sees that it is
 * not ready, and each answer ends the connection that it is sent on.
 */
const LEAVING_MS = 2_000

/** Kinds of actors that this build runs. */
const ACTOR_KINDS = ['session', 'cluster', 'region', 'observer', 'network'] as const

/** A whole node, not yet started. Throws StartError when the configuration names something that cannot be used here. */
export async function createService(config: Config, overrides: ServiceOverrides = {}): Promise<Service> {
  const parts = await createParts(config, overrides)
  const { clock, ids, logger, embedders, metrics, watch, recorder, tickets, nodeBus, verifyLicense } = parts
  const { bus, ask, node, nodes, live, storage, budget, catalogOf, describe } = createActors(config, parts, overrides)
  const { membership } = nodes
  showGauges(metrics, { catalogs: ACTOR_KINDS.map(catalogOf), budget, membership })
  const modelService = config.upstream === undefined ? null : createModelService({ ...config.upstream, clock, logger })
  const check = STORAGE_CHECKS[config.storage.backend]
  const directory = createDirectory({
    sessions: catalogOf('session'),
    live,
    membership,
    storage,
    ask,
    clock,
    isRunning: () => node.state === 'running',
    defaultModelName: () => embedders.defaultModelName,
    probes: {
      embedder: () => embedders.check(),
      ...(check !== null && { [check]: () => storage.check() }),
      ...(nodeBus !== null && { nats: () => nodeBus.check() }),
    },
  })
  metrics.showReadiness(async () => (await directory.readiness()).ready)
  const shown = { storage: config.storage.backend, embedderModel: () => embedders.defaultModelName, hasProxy: modelService !== null }
  const debug = config.debug.ui ? createDebugger({ recorder, clock, tickets, describe, peers: nodes.peers, directory, shown }) : null
  const http = await createHttp({
    ask,
    directory,
    verifyLicense,
    metrics,
    modelService,
    eraseUser: config.compliance ? createErasure({ ask, storage, clock, caches: [embedders, recorder], peers: nodes.peers }) : null,
    debug,
    ...(overrides.debugPageFolder !== undefined && { debugPageFolder: overrides.debugPageFolder }),
    lanes: createLanes({ clock, subjectConcurrency: config.subjects.concurrency }),
    memory: budget,
    takePieces: processorOf(clock).takePieces,
    ...{ ids, nextTurn, watch, logger },
    config: {
      bodyLimitBytes: config.http.bodyLimitBytes,
      connectionsMax: connectionsOf(budget.allowances),
      rateLimitPerMinute: config.http.rateLimitPerMinute,
      corsOrigins: config.http.corsOrigins,
      hosts: hostsOf(config),
      metricsCredentials: config.metrics,
      ...(membership !== null && { nodeId: membership.self.nodeId }),
    },
    isLeaving: () => membership?.state === 'draining',
    ...(nodes.counts !== null && { countShared: nodes.counts.count }),
  })

  let closing: Promise<void> | undefined
  async function closeAll(): Promise<void> {
    // Interface, States: new requests stop being accepted, those in flight complete, then the table empties.
    if (membership !== null) {
      membership.drain()
      await new Promise<void>((resolve) => clock.after(LEAVING_MS, resolve))
    }
    await within(http.close(), { clock, limitMs: DRAIN_MS_MAX })
    http.server.closeAllConnections()
    modelService?.close()
    await node.drain()
    await nodeBus?.close()
    await bus.close()
    await storage.close()
    watch.stop()
  }
  const start = async (): Promise<void> => {
    watch.start()
    await node.start()
  }

  return {
    http,
    logger,
    start,
    async listen() {
      await start()
      return http.listen({ host: config.http.host, port: config.http.port }).catch((error: unknown) => Promise.reject(toListenError(error)))
    },
    close: () => (closing ??= closeAll()),
  }
}

interface Parts {
  readonly clock: Clock
  readonly ids: Ids
  readonly allowances: ReturnType<typeof readAllowances>
  readonly tracer: Tracer
  readonly recorder: Recorder
  readonly tickets: Tickets
  readonly logger: ReturnType<typeof createLogger>
  readonly storage: ActorStorage
  readonly embedders: RunningEmbedders
  readonly metrics: Metrics
  readonly watch: RunningStallWatch
  /** Null: every request is anonymous. */
  readonly verifyLicense: VerifyLicense | null
  /** To the other nodes; null when there are none. */
  readonly nodeBus: NodeBus | null
  readonly nodeId: string
}

/** Everything that touches the outside, real unless overridden. */
async function createParts(config: Config, overrides: ServiceOverrides): Promise<Parts> {
  const clock = overrides.clock ?? createSystemClock()
  const { logDestination } = overrides
  const logger = createLogger({ level: config.logLevel, ...(logDestination !== undefined && { destination: logDestination }) })
  const allowances = readAllowances({ memoryLimitBytes: config.memoryLimitBytes, isTracing: config.debug.trace })
  const recorder = createRecorder({ clock, ringMax: config.debug.ringMax, bytesMax: allowances.tracesBytes, isTracing: config.debug.trace })
  const { embedder: { endpoint }, nodes } = config
  const ids = overrides.ids ?? createSystemIds()
  const nodeId = nodes?.nodeId ?? `node-${ids.uuid()}`
  // First, for these may refuse the start.
  const verifyLicense = await openedBy('SERVICE_LICENSE_PUBLIC_KEY', () => createVerifier(config, clock))
  await openedBy('SERVICE_MODEL_DIR', () => checkModelFolder(config.embedder.modelDir))
  // Its client is loaded only where there are other nodes.
  const openBus = async (url: string) => (await import('./bus/nats/bus.js')).createNatsBus({ url, name: nodeId, clock, logger, transferBytesMax: allowances.work.total })
  const nodeBus = nodes === undefined ? null : await openedBy('NATS_URL', () => openBus(nodes.natsUrl))
  const embedders = await createEmbedders({
    mode: config.embedder.kind,
    modelDir: config.embedder.modelDir,
    ...(endpoint !== undefined && { http: { url: endpoint.url, ...(endpoint.apiKey !== undefined && { apiKey: endpoint.apiKey }) } }),
    clock,
    randomness: overrides.randomness ?? createSystemRandomness(),
    logger,
  })
  const metrics = createMetrics()
  return {
    ...{ clock, ids, logger, metrics, verifyLicense, nodeBus, nodeId, allowances },
    tracer: overrides.tracer ?? recorder.tracer,
    recorder,
    tickets: createTickets({ clock, secrets: createSystemSecrets() }),
    storage: overrides.storage ?? (await openStorage(config.storage, { clock, logger })),
    embedders,
    watch: createStallWatch({ clock, logger, counters: metrics }),
  }
}

/** The actors of a node, the bus between them, and their ways to other nodes. */
function createActors(config: Config, parts: Parts, { failed = () => undefined, inspect }: Pick<ServiceOverrides, 'failed' | 'inspect'>) {
  const { clock, ids, tracer, logger, embedders, metrics: counters, recorder, tickets, nodeBus, nodeId } = parts
  const { driftThreshold, updateThreshold, contextTokensMax, memoriesMax, bytesMax, activeMax, idleTtlS, sweepS } = config.sessions
  const bus = createInProcessBus({ clock })
  // What each node alone keeps follows its actors from node to node.
  const isHandedOn = nodeBus !== null && !parts.storage.isDurable
  const storage = isHandedOn ? createHandedOnStorage(parts.storage, () => system.nodes.peers) : parts.storage
  const budget = createNodeBudget({ clock, counters, isDurable: storage.isDurable, ...parts.allowances })
  const lives = { subjectConcurrency: config.subjects.concurrency, subjectSessionsMax: config.subjects.sessionsMax, subjectBytesMax: config.subjects.bytesMax, activeMax, idleTtlMs: idleTtlS * 1000, sweepMs: sweepS * 1000 }
  const outside = { storage, bus, clock, ids, logger, tracer, counters, budget, watch: parts.watch, recordBytesMax: bytesMax, failed, ...(inspect !== undefined && { inspect }) }
  const hooks = { workFinished: () => embedders.close(), fenced: () => counters.count({ name: 'fenced_write' }) }
  const caches = [embedders, recorder]
  const pendings = createShownPendings(counters)
  const join = (own: OwnParts): Nodes =>
    nodeBus === null
      ? createLoneNode(bus)
      : createNodes({
          ...{ nodeId, bus: nodeBus, local: bus, clock, ids, logger, tracer, counters, admission: own.admission, superseded: failed },
          checkStorage: () => storage.check(),
          activeSessions: () => own.catalogOf('session').activeCount,
          fence() {
            // What nothing keeps would be lost for nothing: no other node can have taken it over.
            if (storage.isDurable) own.fence()
            // An erasure elsewhere may not have been heard here.
            for (const cache of caches) cache.forget()
          },
          answerPeers: createAnswerPeers({ catalogOf: own.catalogOf, describe: (subject) => describe(subject), caches, redeemTicket: (hash) => tickets.redeemHash(hash), ownMemory: isHandedOn ? parts.storage : null }),
        })
  const system = createActorSystem({ ...outside, ...hooks, ...lives, join }, (ask, live) => [
    createSessionBehaviour({
      ask,
      clock,
      storage,
      ids,
      tracer,
      counters,
      embedders,
      pendings,
      createVectorIndex: createExactIndexes(),
      monotonicMs: () => clock.monotonicMs(),
      audits: config.compliance,
      driftThreshold,
      updateThreshold,
      contextTokensMax,
      memoriesMax,
    }),
    createClusterBehaviour({ ask, clock, tracer, counters, storage }),
    createRegionBehaviour({ ask, clock, ids, tracer, counters, storage }),
    createObserverBehaviour({ ask, clock, ids, tracer, counters }),
    createNetworkBehaviour({ ask, clock, tracer, counters, logger, storage, sessions: live }),
  ])
  const { node, nodes, ask, live, catalogOf } = system
  const describe = (subject: string): NodeDescription =>
    describeNode({ nodeId, catalogs: ACTOR_KINDS.map(catalogOf), nodeState: () => nodes.membership?.state ?? node.state }, subject)
  return { bus, ask, node, nodes, live, storage, budget, catalogOf, describe }
}

/** A token is as good as a name; only without one, or where names are listed, do they matter. */
function hostsOf({ auth, http: { host, allowedHosts } }: Config): HostRules | null {
  return auth.allowAnonymous || allowedHosts.length > 0 ? { listensOn: host, listed: allowedHosts } : null
}

function createVerifier(config: Config, clock: Clock) {
  const { allowAnonymous, licensePublicKey } = config.auth
  if (allowAnonymous || licensePublicKey === undefined) return null
  return createLicenseVerifier({ publicKey: licensePublicKey, clock })
}
