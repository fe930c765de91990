/** Puts the parts together: the only file that knows them all. */
import { createAdmission } from '../actors/admission.js'
import { createAsk } from '../actors/ask.js'
import type { Behaviour } from '../actors/behaviour.js'
import { createCatalog, type Catalog } from '../actors/catalog.js'
import { createNode } from '../actors/node.js'
import { createSessionBehaviour } from '../actors/session/behaviour.js'
import { createLicenseVerifier } from './auth/license.js'
import { createInProcessBus } from './bus/in-process.js'
import type { Config, StorageConfig } from './config.js'
import { OPERATIONS_IN_FLIGHT_MAX } from './domain/limits.js'
import { createEmbedders, type RunningEmbedders } from './embedders/registry.js'
import type { CheckResult, Directory, Http } from './http/contracts.js'
import { createLogger, type LogDestination } from './http/logger.js'
import { createHttp } from './http/server.js'
import { createRequestMetrics } from './metrics/prometheus.js'
import { createSystemClock } from './platform/clock.js'
import { createSystemIds } from './platform/ids.js'
import { createSystemRandomness } from './platform/randomness.js'
import { nextTurn } from './platform/turns.js'
import type { ActorStorage, Clock, Ids, Logger, Randomness, Tracer } from './ports.js'
import { createMemoryStorage } from './storage/memory.js'
import { createExactIndex } from './vectors/exact-index.js'

/** What a test may own in place of the real thing. */
export interface ServiceOverrides {
  readonly clock?: Clock
  readonly ids?: Ids
  readonly randomness?: Randomness
  readonly tracer?: Tracer
  readonly storage?: ActorStorage
  readonly logDestination?: LogDestination
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

/** Milliseconds a readiness check may take before it counts as failed. */
const CHECK_MS_MAX = 2_000

const SILENT_TRACER: Tracer = { isEnabled: false, emit: () => undefined }

/** A whole node, not yet started. Throws when the configuration names something that cannot be used here. */
export async function createService(config: Config, overrides: ServiceOverrides = {}): Promise<Service> {
  const clock = overrides.clock ?? createSystemClock()
  const ids = overrides.ids ?? createSystemIds()
  const randomness = overrides.randomness ?? createSystemRandomness()
  const tracer = overrides.tracer ?? SILENT_TRACER
  const { logDestination } = overrides
  const logger = createLogger({ level: config.logLevel, ...(logDestination !== undefined && { destination: logDestination }) })
  const storage = overrides.storage ?? openStorage(config.storage)
  const embedders = await createEmbedders({
    mode: config.embedder.kind,
    modelDir: config.embedder.modelDir,
    ...(config.embedder.endpoint !== undefined && { http: toHttpEmbedder(config.embedder.endpoint) }),
    clock,
    randomness,
    logger,
  })
  const bus = createInProcessBus({ clock })
  const admission = createAdmission({ inFlightMax: OPERATIONS_IN_FLIGHT_MAX })
  const ask = createAsk({ bus, ids })
  const behaviour = createSessionBehaviour({
    ask,
    clock,
    ids,
    tracer,
    monotonicMs: () => clock.monotonicMs(),
    driftThreshold: config.sessions.driftThreshold,
    updateThreshold: config.sessions.updateThreshold,
    contextTokensMax: config.sessions.contextTokensMax,
    memoriesMax: config.sessions.memoriesMax,
    embedders,
    createVectorIndex: createExactIndex,
  })
  const sessions = createCatalog({
    behaviour: behaviour as Behaviour<unknown, { type: string }, unknown, unknown>,
    storage,
    clock,
    logger,
    tracer,
    admission,
    activeMax: config.sessions.activeMax,
    idleTtlMs: config.sessions.idleTtlS * 1000,
  })
  const node = createNode({
    catalogs: [sessions],
    admission,
    bus,
    clock,
    logger,
    tracer,
    sweepMs: config.sessions.sweepS * 1000,
    check: () => storage.check(),
    workFinished: () => embedders.close(),
    failed: overrides.failed ?? (() => undefined),
  })
  const http = await createHttp({
    ask,
    directory: createDirectory({ sessions, embedders, clock, isRunning: () => node.state === 'running' }),
    verifyLicense: createVerifier(config, clock),
    metrics: createRequestMetrics(),
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
    await Promise.all([http.close(), node.drain()])
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

function openStorage(config: StorageConfig): ActorStorage {
  if (config.backend !== 'memory') throw new Error(`The ${config.backend} storage is not part of this build`)
  // Interface, States: with persistence off, what is evicted is gone.
  return createMemoryStorage({ retains: false })
}

function createVerifier(config: Config, clock: Clock) {
  const { allowAnonymous, licensePublicKey } = config.auth
  if (allowAnonymous || licensePublicKey === undefined) return null
  return createLicenseVerifier({ publicKey: licensePublicKey, clock })
}

function toHttpEmbedder({ url, apiKey }: { url: string; apiKey: string | undefined }): { url: string; apiKey?: string } {
  return apiKey === undefined ? { url } : { url, apiKey }
}

function createDirectory(parts: { sessions: Catalog; embedders: RunningEmbedders; clock: Clock; isRunning: () => boolean }): Directory {
  const { sessions, embedders, clock } = parts
  return {
    activeSessions: () => sessions.activeCount,
    lastUsedSession: async (subject) => sessions.mostRecent(subject) ?? null,
    async readiness() {
      const embedder = await checked(() => embedders.check(), clock)
      return { ready: parts.isRunning() && embedder === 'ok', checks: { redis: 'not_configured', database: 'not_configured', embedder } }
    },
  }
}

/** `"ok"`, or what failed without saying where: details are in the log, addresses in neither. */
async function checked(check: () => Promise<void>, clock: Clock): Promise<CheckResult> {
  let cancel = (): void => undefined
  const late = new Promise<CheckResult>((resolve) => {
    cancel = clock.after(CHECK_MS_MAX, () => resolve('error: no answer in time'))
  })
  try {
    return await Promise.race([check().then(() => 'ok', () => 'error: not available'), late])
  } finally {
    cancel()
  }
}
