/** Assembles the HTTP server: its limits, the hooks in their order, and the routes by group. */
import Fastify, { LogController } from 'fastify'
import { addChatRoutes } from './chat/chat.js'
import type { HttpOptions, RunFairlyFor } from './contract/contracts.js'
import type { Http } from './contract/typed-http.js'
import { registerErrorHandler } from './contract/errors.js'
import { createAsks } from './contract/resource-ask.js'
import { addDebugRoutes } from './debug/debug.js'
import { addDebugPageRoutes } from './debug/page.js'
import { addDocumentationRoutes } from './documentation/documentation.js'
import { registerOpenApi } from './documentation/openapi.js'
import { registerAuthentication } from './plugins/authentication.js'
import { registerServerRefusals } from './plugins/client-errors.js'
import { registerClosing } from './plugins/closing.js'
import { registerConnections } from './plugins/connections.js'
import { registerCrossOrigin } from './plugins/cross-origin.js'
import { registerCrossSiteCheck } from './plugins/cross-site.js'
import { registerHostCheck } from './plugins/host-check.js'
import { registerLanes } from './plugins/lanes.js'
import { registerAnswers } from './plugins/large-answers.js'
import { registerMemoryShares } from './plugins/memory-shares.js'
import { registerNoStore } from './plugins/no-store.js'
import { registerRateLimit } from './plugins/rate-limit.js'
import { registerRequestLog } from './plugins/request-log.js'
import { registerSpans } from './plugins/spans.js'
import { registerUnmatched } from './plugins/route-table.js'
import { createUnreadablePaths } from './plugins/unreadable-paths.js'
import { compileValidator } from './plugins/validation.js'
import { addClusterTurnRoutes } from './routes/cluster-turns.js'
import { addClusterRoutes, addMemberRoutes } from './routes/clusters.js'
import { addComplianceRoutes } from './routes/compliance.js'
import { addControlRoutes } from './routes/control.js'
import { addLiteralRoutes } from './routes/literals.js'
import { addDayRoutes } from './routes/days.js'
import { addMcpRoutes } from './routes/mcp.js'
import { addMemoryRoutes } from './routes/memories.js'
import { addMemoryEditRoutes } from './routes/memory-edits.js'
import { addNetworkRoutes } from './routes/network.js'
import { addObserverRoutes } from './routes/observer.js'
import { addOperationsRoutes } from './routes/operations.js'
import { addRegionRoutes } from './routes/regions.js'
import { addSearchRoutes } from './routes/search.js'
import { addSessionListRoutes } from './routes/session-list.js'
import { addSessionRoutes } from './routes/sessions.js'
import { addStateRoutes } from './routes/state.js'
import { addTransferRoutes } from './routes/transfer.js'
import { addTurnRoutes } from './routes/turns.js'
import { registerBodyParsers } from './wire/json-body.js'

/**
 * Maximum bytes of a request line with its headers. An entity's key is a path parameter of up to 4,096 characters. Percent-encoded, each
 * takes up to twelve bytes: 48 KiB. A token has at most 8 KiB.
 */
const HEADER_BYTES_MAX = 65_536

/** Milliseconds in which a whole request must arrive, so that slow senders do not accumulate. */
const REQUEST_TIMEOUT_MS = 60_000

/** Above the 60 s of common load balancers: the service must not be the side that closes an idle connection. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000

/** Milliseconds without traffic on a connection. Above the request deadline, so that only dead peers reach it. */
const CONNECTION_TIMEOUT_MS = 120_000

/** Creates the HTTP server, ready to listen or for injected requests. Closing it stops listening and waits for requests in flight. */
export async function createHttp(options: HttpOptions): Promise<Http> {
  const { ask, directory, verifyLicense, metrics, modelService, ids, clock, yieldToEventLoop, admit, logger, config, isLeaving } = options
  const unreadablePaths = createUnreadablePaths()
  const app: Http = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => ids.uuid(),
    bodyLimit: config.bodyLimitBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    // A request without Host is refused by `registerServerRefusals`; Node.js would refuse it without a body.
    http: { maxHeaderSize: HEADER_BYTES_MAX, requireHostHeader: false },
    // As long as the header limit allows, so 414 never occurs: an id that is too long is not found.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: HEADER_BYTES_MAX },
    // Fastify's own answer while closing has a different envelope; see `refuseWhileClosing`.
    return503OnClosing: false,
    // `registerServerRefusals` answers, as it knows what the connection still waits for.
    clientErrorHandler: () => undefined,
    frameworkErrors: (_error, { raw }, reply) => unreadablePaths.route(app, raw, reply.raw)
  })
  const runFairlyFor: RunFairlyFor = (subject) => (work) => options.takePieces(subject, work)
  app.setValidatorCompiler(compileValidator)
  registerErrorHandler(app)
  registerBodyParsers(app, options)
  registerAnswers(app, runFairlyFor)

  // The order of hooks is the order of checks: what does not exist or is not allowed is never parsed. Hooks that wait for nothing call
  // `done`, which saves about a dozen promises per request.
  const connections = registerConnections(app, { idleMax: config.connectionsMax, yieldToEventLoop })
  registerSpans(app, options.spans)
  registerRequestLog(app, metrics)
  registerNoStore(app)
  registerClosing(app, { isLeaving, idle: connections.idle, clock, accepted: options.handedOver ?? yieldToEventLoop })
  registerServerRefusals(app, connections)
  if (config.hosts !== null) registerHostCheck(app, config.hosts)
  await registerCrossOrigin(app, config.corsOrigins)
  if (verifyLicense === null) registerCrossSiteCheck(app, config.corsOrigins)
  unreadablePaths.register(app)
  registerUnmatched(app)
  registerAuthentication(app, verifyLicense)
  registerRateLimit(app, { ...options, perMinute: config.rateLimitPerMinute })
  registerLanes(app, options.lanes, admit)
  registerMemoryShares(app, options.memory, { connectionTimeoutMs: CONNECTION_TIMEOUT_MS, yieldToEventLoop, admit })
  await registerOpenApi(app)

  const { askSession, askCluster, askShared, askRegion, askObserver, askNetwork } = createAsks(ask)
  addOperationsRoutes(app, { directory, metrics, config, isLeaving })
  addTurnRoutes(app, { askSession, ids })
  addSessionRoutes(app, { askSession, ids })
  addStateRoutes(app, { askSession, directory })
  addSearchRoutes(app, { askSession })
  addControlRoutes(app, { askSession })
  addMemoryRoutes(app, { askSession })
  addMemoryEditRoutes(app, { askSession })
  addDayRoutes(app, { askSession, directory })
  addTransferRoutes(app, { askSession, runFairlyFor, importLimitBytes: config.importLimitBytes })
  addLiteralRoutes(app, { askSession })
  addSessionListRoutes(app, { directory })
  addClusterRoutes(app, { askCluster, directory, ids })
  addMemberRoutes(app, { askCluster })
  addClusterTurnRoutes(app, { askShared })
  addRegionRoutes(app, { askRegion, directory, ids })
  addObserverRoutes(app, { askObserver })
  addNetworkRoutes(app, { askNetwork, askSession, runFairlyFor })
  addChatRoutes(app, { askSession, ids, modelService, runFairlyFor, admit })
  addOptionalRoutes(app, options, runFairlyFor)
  addDocumentationRoutes(app)
  return app
}

/** Interface, Optional surfaces. */
function addOptionalRoutes(app: Http, options: HttpOptions, runFairlyFor: RunFairlyFor): void {
  const { eraseUser, debug, hasMcp, ids, admit, yieldToEventLoop, takePieces, debugPageFolder } = options
  if (eraseUser !== null) addComplianceRoutes(app, { eraseUser })
  if (hasMcp) addMcpRoutes(app, { erasesUsers: eraseUser !== null, ids, runFairlyFor, admit, yieldToEventLoop })
  if (debug === null) return
  addDebugRoutes(app, { ...debug, yieldToEventLoop, takePieces })
  addDebugPageRoutes(app, debugPageFolder)
}
