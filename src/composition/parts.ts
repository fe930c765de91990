/** Creates everything that touches the outside, as configured. */
import type { InspectActors } from '../../actors/node.js'
import { createLicenseVerifier } from '../auth/license.js'
import { createWorkerBus } from '../bus/workers/bus.js'
import type { Config } from '../config.js'
import { createRecorder } from '../debug/recorder.js'
import { createTickets } from '../debug/tickets.js'
import { checkModelFolder } from '../embedders/model-files.js'
import { createEmbedders } from '../embedders/registry.js'
import { createLogger, type LogDestination } from '../http/plugins/logger.js'
import { createMetrics } from '../metrics/prometheus.js'
import { createStallWatch } from '../metrics/stall-watch.js'
import { createSystemClock } from '../platform/clock.js'
import { createLogOutput } from '../platform/log-output.js'
import { readAllowances } from '../platform/machine.js'
import { createSystemIds, createSystemRandomness, createSystemSecrets } from '../platform/random-sources.js'
import type { ActorStorage, Clock, Ids, NodeBus, Randomness, Tracer, VerifyLicense } from '../ports.js'
import { openStorage } from './durable-storage.js'
import { openedBy } from './start-refusal.js'
import { openTelemetry } from './telemetry.js'
import type { WorkerPlace } from './workers.js'

/** Replacements that a program or a test may give for parts of a service. */
export interface ServiceOverrides {
  readonly clock?: Clock
  readonly ids?: Ids
  readonly randomness?: Randomness
  readonly tracer?: Tracer
  readonly storage?: ActorStorage
  readonly logDestination?: LogDestination
  /** Folder of the built debugger page. Default: beside the compiled service. */
  readonly debugPageFolder?: string
  /** Sees every actor; for development. */
  readonly inspect?: InspectActors
  /** Called when the supervision tree has given up. Default: no-op. */
  readonly failed?: () => void
  /** Whether the storage is also used by processes that this one does not know of. Default: false. */
  readonly sharesStorage?: boolean
  /** Set when this process is one of several workers of its machine. */
  readonly place?: WorkerPlace
}

/** The parts of a service that touch the outside, and those that observe it. */
export type Parts = Awaited<ReturnType<typeof createParts>>

/** Creates the parts, real unless overridden. */
export async function createParts(config: Config, overrides: ServiceOverrides) {
  const clock = overrides.clock ?? createSystemClock()
  const logger = createLogger({ level: config.logLevel, destination: overrides.logDestination ?? createLogOutput() })
  const { ringMax, trace: isTracing } = config.debug
  const allowances = readAllowances({
    memoryLimitBytes: config.memoryLimitBytes,
    workers: config.workers,
    eventsMax: isTracing ? ringMax : 0
  })
  const recorder = createRecorder({ clock, ringMax, bytesMax: allowances.tracesBytes, isTracing })
  const {
    embedder: { endpoint },
    nodes
  } = config
  const ids = overrides.ids ?? createSystemIds()
  // Without NATS a worker's name serves as its node id, also for the process that replaces it.
  const place = nodes === undefined ? overrides.place : undefined
  const nodeId = nodes?.nodeId ?? place?.name ?? `node-${ids.uuid()}`
  // First, because these may refuse the start.
  const verifyLicense = await openedBy('SERVICE_LICENSE_PUBLIC_KEY', () => createVerifier(config, clock))
  await openedBy('SERVICE_MODEL_DIR', () => checkModelFolder(config.embedder.modelDir))
  // The NATS client is loaded only where it is configured.
  const openBus = async (url: string) =>
    (await import('../bus/nats/bus.js')).createNatsBus({ url, name: nodeId, clock, logger, transferBytesMax: allowances.work.total })
  /** Bus to the other nodes; null when there are none. */
  const nodeBus: NodeBus | null =
    nodes !== undefined
      ? await openedBy('NATS_URL', () => openBus(nodes.natsUrl))
      : place !== undefined
        ? createWorkerBus({ name: place.name, line: place.line, clock, logger, transferBytesMax: allowances.work.total })
        : null
  const embedders = await createEmbedders({
    mode: config.embedder.kind,
    modelDir: config.embedder.modelDir,
    ...(endpoint !== undefined && { http: { url: endpoint.url, ...(endpoint.apiKey !== undefined && { apiKey: endpoint.apiKey }) } }),
    clock,
    randomness: overrides.randomness ?? createSystemRandomness(),
    logger
  })
  const metrics = createMetrics()
  return {
    ...{ clock, ids, logger, metrics, verifyLicense, nodeBus, nodeId, allowances },
    tracer: overrides.tracer ?? recorder.tracer,
    recorder,
    tickets: createTickets({ clock, secrets: createSystemSecrets() }),
    storage: overrides.storage ?? (await openStorage(config.storage, { clock, logger })),
    embedders,
    telemetry: await openTelemetry(config, { nodeId, clock }),
    watch: createStallWatch({ clock, logger, counters: metrics })
  }
}

/** Null: every request is anonymous. */
function createVerifier(config: Config, clock: Clock): VerifyLicense | null {
  const { allowAnonymous, licensePublicKey } = config.auth
  if (allowAnonymous || licensePublicKey === undefined) return null
  return createLicenseVerifier({ publicKey: licensePublicKey, clock })
}
