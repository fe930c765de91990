/** Assembles a node of the service from its parts. */
import { processorOf } from '../actors/scheduling/processor.js'
import { createErasure } from '../actors/subject/erasure.js'
import { createActors } from './composition/actors.js'
import { createDebugger } from './composition/debugger.js'
import { createDirectory } from './composition/directory.js'
import { showGauges } from './composition/gauges.js'
import { createLanes } from './composition/lanes.js'
import { createParts, type Parts, type ServiceOverrides } from './composition/parts.js'
import { toListenError } from './composition/start-refusal.js'
import { withSpans } from './composition/telemetry.js'
import { createWorkerMetrics } from './composition/worker-metrics.js'
import type { Config } from './config.js'
import { ACTOR_KINDS } from './domain/address.js'
import { connectionsOf } from './domain/fairness/allowances.js'
import { DRAIN_MS_MAX, STOP_MS_MAX } from './domain/limits.js'
import type { HostRules } from './http/contract/contracts.js'
import type { Http } from './http/contract/typed-http.js'
import { createHttp } from './http/server.js'
import { yieldToEventLoop } from './platform/event-loop.js'
import type { Logger, ModelService } from './ports.js'
import { orTimeout, pause } from './time-limit.js'
import { createModelService } from './upstream/model-service.js'

export interface Service {
  readonly http: Http
  readonly logger: Logger
  /** Starts the actors and listens. Resolves to the base URL; throws StartError. */
  listen(): Promise<string>
  /** Starts the actors without listening, for injected requests. */
  start(): Promise<void>
  /** Interface, States: stops accepting, lets requests in flight finish, closes the embedders, empties the session table. Idempotent. */
  close(): Promise<void>
}

/** Interface, Other shapes: the name of the readiness check for each backend. */
const STORAGE_CHECKS = { memory: null, sql: 'database', redis: 'redis', mongo: 'mongo' } as const

/**
 * Milliseconds for which a leaving node keeps answering, so that no request is lost. A balancer that looks at its health or readiness every
 * second sees a 503 in that time, and each answer closes the connection that it is sent on.
 */
const LEAVING_MS = 2_000

/** Milliseconds that a closing worker waits for connections from a process that may stand still. */
const HANDED_OVER_MS_MAX = 500

/** Creates a whole node that is not yet started. Throws StartError when the configuration names something that cannot be used here. */
export async function createService(config: Config, overrides: ServiceOverrides = {}): Promise<Service> {
  const parts = await createParts(config, overrides)
  const { clock, ids, logger, embedders, metrics, watch, recorder, tickets, nodeBus, verifyLicense, telemetry } = parts
  const { bus, ask, node, nodes, live, storage, lookups, budget, catalogOf, describe } = createActors(config, parts, overrides)
  const { membership } = nodes
  showGauges(metrics, { catalogs: ACTOR_KINDS.map(catalogOf), budget, membership })
  const modelService = openModelService(config, parts)
  const check = STORAGE_CHECKS[config.storage.backend]
  const directory = createDirectory({
    sessions: catalogOf('session'),
    live,
    membership,
    storage: lookups,
    ask,
    clock,
    isRunning: () => node.state === 'running',
    defaultModelName: () => embedders.defaultModelName,
    probes: {
      embedder: () => embedders.check(),
      ...(check !== null && { [check]: () => storage.check() }),
      ...(nodeBus !== null && config.nodes !== undefined && { nats: () => nodeBus.check() })
    }
  })
  metrics.showReadiness(async () => (await directory.readiness()).ready)
  const shown = { storage: config.storage.backend, embedderModel: () => embedders.defaultModelName, hasProxy: modelService !== null }
  const debug = config.debug.ui ? createDebugger({ recorder, clock, tickets, describe, peers: nodes.peers, directory, shown }) : null
  const { place } = overrides
  const isBesideWorkers = place !== undefined && nodeBus !== null && config.nodes === undefined
  const exposed = isBesideWorkers ? createWorkerMetrics({ metrics, bus: nodeBus, name: place.name }) : metrics
  const http = await createHttp({
    ask,
    directory,
    verifyLicense,
    metrics: exposed,
    ...(telemetry.spans !== undefined && { spans: telemetry.spans }),
    eraseUser: config.compliance
      ? createErasure({ ask, storage: lookups, clock, caches: [embedders, recorder], peers: nodes.peers })
      : null,
    hasMcp: config.mcp,
    debug,
    ...(overrides.debugPageFolder !== undefined && { debugPageFolder: overrides.debugPageFolder }),
    lanes: createLanes({ clock, subjectConcurrency: config.subjects.concurrency }),
    memory: budget,
    takePieces: processorOf(clock).takePieces,
    admit: processorOf(clock).admit,
    ...{ clock, ids, yieldToEventLoop, watch, logger, modelService },
    config: {
      ...config.http,
      connectionsMax: connectionsOf(budget.allowances),
      hosts: hostsOf(config),
      metricsCredentials: config.metrics,
      ...(membership !== null && { nodeId: membership.self.nodeId })
    },
    isLeaving: () => membership?.state === 'draining',
    ...(place !== undefined && { handedOver: () => orTimeout(place.handedOver(), { clock, limitMs: HANDED_OVER_MS_MAX }) }),
    ...(nodes.counts !== null && { countShared: nodes.counts.count })
  })

  let closing: Promise<void> | undefined
  async function closeAll(): Promise<void> {
    // All steps share one deadline: each gets what the steps before it have left.
    const beganAtMs = clock.monotonicMs()
    const leftOf = (ms: number): number => Math.max(0, beganAtMs + ms - clock.monotonicMs())
    // Interface, States: new requests stop being accepted, those in flight complete, then the table empties.
    if (membership !== null) {
      membership.drain()
      await pause(clock, LEAVING_MS)
    }
    await orTimeout(http.close(), { clock, limitMs: leftOf(DRAIN_MS_MAX) })
    http.server.closeAllConnections()
    modelService?.close()
    await orTimeout(node.drain(leftOf(DRAIN_MS_MAX)), { clock, limitMs: leftOf(STOP_MS_MAX) })
    for (const part of [nodeBus, bus, storage, telemetry])
      if (part !== null) await orTimeout(part.close(), { clock, limitMs: leftOf(STOP_MS_MAX) })
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
    close: () => (closing ??= closeAll())
  }
}

/** The model service behind the chat proxy; null when none is configured. */
function openModelService({ upstream }: Config, { clock, logger, telemetry }: Parts): ModelService | null {
  return upstream === undefined ? null : withSpans(createModelService({ ...upstream, clock, logger }), telemetry.spans)
}

/**
 * Rules for host names; null when they are not checked. With a token required, a foreign host name does no harm, so names matter only for
 * anonymous access or where a list is configured.
 */
function hostsOf({ auth, http: { host, allowedHosts } }: Config): HostRules | null {
  return auth.allowAnonymous || allowedHosts.length > 0 ? { listensOn: host, listed: allowedHosts } : null
}
