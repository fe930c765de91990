/** Puts the parts together: the only file that knows them all. */
import type { Ask } from '../actors/ask.js'
import type { Catalog } from '../actors/catalog.js'
import { createNetworkBehaviour } from '../actors/network/behaviour.js'
import { createObserverBehaviour } from '../actors/observer/behaviour.js'
import { createRecordList } from '../actors/record-list.js'
import { createRegionBehaviour, readRegionHead } from '../actors/region/behaviour.js'
import { createClusterBehaviour } from '../actors/cluster/behaviour.js'
import { readSummary as readClusterHead } from '../actors/cluster/state.js'
import { createSessionList, lastStoredSession } from '../actors/session-list.js'
import { createSessionBehaviour } from '../actors/session/behaviour.js'
import { createErasure } from '../actors/erasure.js'
import type { InspectActors } from '../actors/node.js'
import { createActorSystem } from '../actors/system.js'
import { createLicenseVerifier } from './auth/license.js'
import { createInProcessBus } from './bus/in-process.js'
import type { Config, StorageConfig } from './config.js'
import { DRAIN_MS_MAX } from './domain/limits.js'
import { createRecorder, type Recorder } from './debug/recorder.js'
import { createDebugger } from './debugger.js'
import { openDurableStorage } from './durable-storage.js'
import { createEmbedders, type RunningEmbedders } from './embedders/registry.js'
import type { Directory, Http } from './http/contracts.js'
import { createLogger, type LogDestination } from './http/logger.js'
import { createHttp } from './http/server.js'
import { createMetrics, type Metrics } from './metrics/prometheus.js'
import { createSystemClock } from './platform/clock.js'
import { createSystemIds } from './platform/ids.js'
import { createSystemRandomness } from './platform/randomness.js'
import { createSystemSecrets } from './platform/secrets.js'
import { nextTurn } from './platform/turns.js'
import type { ActorStorage, Cancel, Clock, Ids, Logger, Randomness, Tracer } from './ports.js'
import { createReadiness } from './readiness.js'
import { createMemoryStorage } from './storage/memory.js'
import { createModelService } from './upstream/model-service.js'
import { createExactIndex } from './vectors/exact-index.js'

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
  /** Starts the actors and listens. Resolves to the base URL. */
  listen(): Promise<string>
  /** Starts the actors without listening, for requests that are injected. */
  start(): Promise<void>
  /** Interface, States: stops accepting, lets requests in flight finish, closes the embedders, empties the session table. Twice is fine. */
  close(): Promise<void>
}

/** Interface, Other shapes: the readiness check that a backend answers for. */
const STORAGE_CHECKS = { memory: null, sql: 'database', redis: 'redis', mongo: 'mongo' } as const

/** Kinds of actors that this build runs. */
const ACTOR_KINDS = ['session', 'cluster', 'region', 'observer', 'network'] as const

/** A whole node, not yet started. Throws when the configuration names something that cannot be used here. */
export async function createService(config: Config, overrides: ServiceOverrides = {}): Promise<Service> {
  refuseUnbuilt(config)
  const parts = await createParts(config, overrides)
  const { clock, ids, logger, embedders, storage, metrics, recorder } = parts
  const { bus, ask, sessions, node, activeActors, catalogOf } = createActors(config, parts, overrides)
  metrics.showActors(activeActors)
  const modelService = config.upstream === undefined ? null : createModelService({ ...config.upstream, clock, logger })
  const directory = createDirectory({ sessions, storage, ask, embedders, clock, isRunning: () => node.state === 'running', storageCheck: STORAGE_CHECKS[config.storage.backend] })
  const catalogs = ACTOR_KINDS.map(catalogOf)
  const shown = { storage: config.storage.backend, embedderModel: () => embedders.defaultModelName, hasProxy: modelService !== null }
  const debug = config.debug.ui ? createDebugger({ recorder, clock, secrets: createSystemSecrets(), catalogs, directory, nodeState: () => node.state, shown }) : null
  const http = await createHttp({
    ask,
    directory,
    verifyLicense: createVerifier(config, clock),
    metrics,
    modelService,
    eraseUser: config.compliance ? createErasure({ ask, storage, clock, caches: [embedders, recorder] }) : null,
    debug,
    ...(overrides.debugPageFolder !== undefined && { debugPageFolder: overrides.debugPageFolder }),
    ids,
    nextTurn,
    logger,
    config: {
      bodyLimitBytes: config.http.bodyLimitBytes,
      rateLimitPerMinute: config.http.rateLimitPerMinute,
      corsOrigins: config.http.corsOrigins,
      metricsCredentials: config.metrics,
    },
  })

  let closing: Promise<void> | undefined
  async function closeAll(): Promise<void> {
    // Interface, States: new requests stop being accepted, those in flight complete, then the table empties.
    await within(http.close(), { clock, limitMs: DRAIN_MS_MAX })
    http.server.closeAllConnections()
    modelService?.close()
    await node.drain()
    await bus.close()
    await storage.close()
  }

  return {
    http,
    logger,
    start: () => node.start(),
    async listen() {
      await node.start()
      return http.listen({ host: config.http.host, port: config.http.port })
    },
    close: () => (closing ??= closeAll()),
  }
}

/** What is set but would have no effect must not look as if it had one. */
function refuseUnbuilt({ nodes }: Config): void {
  if (nodes !== undefined) throw new Error('NATS_URL is set, and this build runs as a single node only.')
}

interface Parts {
  readonly clock: Clock
  readonly ids: Ids
  readonly tracer: Tracer
  readonly recorder: Recorder
  readonly logger: ReturnType<typeof createLogger>
  readonly storage: ActorStorage
  readonly embedders: RunningEmbedders
  readonly metrics: Metrics
}

/** Everything that touches the outside, real unless overridden. */
async function createParts(config: Config, overrides: ServiceOverrides): Promise<Parts> {
  const clock = overrides.clock ?? createSystemClock()
  const { logDestination } = overrides
  const logger = createLogger({ level: config.logLevel, ...(logDestination !== undefined && { destination: logDestination }) })
  const recorder = createRecorder({ clock, ringMax: config.debug.ringMax, isTracing: config.debug.trace })
  const { endpoint } = config.embedder
  const embedders = await createEmbedders({
    mode: config.embedder.kind,
    modelDir: config.embedder.modelDir,
    ...(endpoint !== undefined && { http: { url: endpoint.url, ...(endpoint.apiKey !== undefined && { apiKey: endpoint.apiKey }) } }),
    clock,
    randomness: overrides.randomness ?? createSystemRandomness(),
    logger,
  })
  return {
    clock,
    ids: overrides.ids ?? createSystemIds(),
    tracer: overrides.tracer ?? recorder.tracer,
    recorder,
    logger,
    storage: overrides.storage ?? (await openStorage(config.storage, { clock, logger })),
    embedders,
    metrics: createMetrics(),
  }
}

/** The actors of a node and the bus between them. */
function createActors(config: Config, parts: Parts, { failed = () => undefined, inspect }: Pick<ServiceOverrides, 'failed' | 'inspect'>) {
  const { clock, ids, tracer, logger, storage, embedders, metrics: counters } = parts
  const { driftThreshold, updateThreshold, contextTokensMax, memoriesMax, activeMax, idleTtlS, sweepS } = config.sessions
  const bus = createInProcessBus({ clock })
  const lives = { activeMax, idleTtlMs: idleTtlS * 1000, sweepMs: sweepS * 1000 }
  const outside = { storage, bus, clock, ids, logger, tracer, failed, workFinished: () => embedders.close(), ...(inspect !== undefined && { inspect }) }
  const system = createActorSystem({ ...outside, ...lives }, (ask, catalogOf) => [
    createSessionBehaviour({
      ask,
      clock,
      storage,
      ids,
      tracer,
      counters,
      embedders,
      createVectorIndex: createExactIndex,
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
    createNetworkBehaviour({ ask, clock, tracer, counters, logger, storage, sessions: () => catalogOf('session') }),
  ])
  const activeActors = () => ACTOR_KINDS.map((kind) => ({ kind, count: system.catalogOf(kind).activeCount }))
  return { bus, ask: system.ask, sessions: system.catalogOf('session'), node: system.node, activeActors, catalogOf: system.catalogOf }
}

function openStorage(config: StorageConfig, outside: { clock: Clock; logger: Logger }): Promise<ActorStorage> | ActorStorage {
  // Interface, States: with persistence off, what is evicted is gone.
  return config.backend === 'memory' ? createMemoryStorage({ retains: false }) : openDurableStorage(config, outside)
}

function createVerifier(config: Config, clock: Clock) {
  const { allowAnonymous, licensePublicKey } = config.auth
  if (allowAnonymous || licensePublicKey === undefined) return null
  return createLicenseVerifier({ publicKey: licensePublicKey, clock })
}

interface DirectoryParts {
  readonly sessions: Catalog
  readonly storage: ActorStorage
  readonly ask: Ask
  readonly embedders: RunningEmbedders
  readonly clock: Clock
  readonly isRunning: () => boolean
  /** The check that the storage answers for; null for the memory of this process. */
  readonly storageCheck: 'database' | 'redis' | 'mongo' | null
}

function createDirectory(parts: DirectoryParts): Directory {
  const { sessions, storage, ask, embedders, clock } = parts
  const listSessions = createSessionList({ catalog: sessions, storage, ask, clock })
  const clusters = createRecordList({ storage, kind: 'cluster', readItem: (_, id, head) => readClusterHead(id, head) })
  const regions = createRecordList({ storage, kind: 'region', readItem: (_, id, head) => ({ regionId: id, ...readRegionHead(head) }) })
  const stored = parts.storageCheck === null ? {} : { [parts.storageCheck]: () => storage.check() }
  const checkAll = createReadiness({ clock, probes: { embedder: () => embedders.check(), ...stored } })
  return {
    activeSessions: () => sessions.activeCount,
    lastUsedSession: async (subject) => sessions.mostRecent(subject) ?? (await lastStoredSession(listSessions, subject)),
    listSessions,
    listClusters: clusters.all,
    listRegions: regions.all,
    async readiness() {
      const { ready, checks } = await checkAll()
      return { ready: ready && parts.isRunning(), checks, embedderModel: embedders.defaultModelName }
    },
  }
}

/** What the work resolves to, or undefined when it has not by then. */
async function within<T>(work: Promise<T>, { clock, limitMs }: { clock: Clock; limitMs: number }): Promise<T | undefined> {
  let cancel: Cancel = () => undefined
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.after(limitMs, () => resolve(undefined))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    cancel()
  }
}
