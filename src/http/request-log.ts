/** One count and one log line a request. Both name the route's template: a path may hold what a caller would not have logged. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RequestMetrics } from '../ports.js'
import { toTemplate } from './route-table.js'

/** Label of every request that matched no route, so that scanners cannot make series. */
const UNMATCHED = 'unmatched'

/** Counts and logs every request when its response has left, or its client has. */
export function registerRequestLog(app: FastifyInstance, metrics: RequestMetrics): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const endpoint = endpointOf(request)
    const { statusCode, elapsedTime } = reply
    metrics.observe({ method: request.method, endpoint, status: statusCode, durationS: elapsedTime / 1000 })
    request.log.info({ method: request.method, endpoint, status: statusCode, durationMs: elapsedTime }, 'request completed')
  })
  app.addHook('onRequestAbort', async (request) => {
    request.log.info({ method: request.method, endpoint: endpointOf(request) }, 'request aborted by the client')
  })
}

function endpointOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  return request.is404 || url === undefined || url === '*' ? UNMATCHED : toTemplate(url)
}
