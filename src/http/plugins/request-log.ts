/** One count and one log line a request. Both name the route's template: a path may hold what a caller would not have logged. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RequestMetrics } from '../../ports.js'
import { toTemplate } from './route-table.js'

/** Label of every request that matched no route, so that scanners cannot make series. */
const UNMATCHED = 'unmatched'

/** Counted for a client that left before there was an answer: nginx's number for it. It is never sent. */
export const STATUS_LEFT = 499

/** Counts and logs every request when its response has left, or its client has. */
export function registerRequestLog(app: FastifyInstance, metrics: RequestMetrics): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply
    reply.header('x-request-id', request.id)
    // Fastify's own hook for it follows the request, which is over once its body is read: it misses clients that leave while waiting or
    // reading.
    let isCounted = false
    const counted = (): void => {
      isCounted = true
    }
    // What `onResponse` below follows.
    raw.once('finish', counted).once('error', counted)
    raw.once('close', () => {
      if (isCounted) return
      const status = raw.headersSent ? raw.statusCode : STATUS_LEFT
      const { method } = request
      const endpoint = endpointOf(request)
      metrics.observe({ method, endpoint, status, durationS: reply.elapsedTime / 1000 })
      request.log.info({ method, endpoint, status, durationMs: reply.elapsedTime }, 'response cut off')
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const endpoint = endpointOf(request)
    const { statusCode, elapsedTime } = reply
    metrics.observe({ method: request.method, endpoint, status: statusCode, durationS: elapsedTime / 1000 })
    request.log.info({ method: request.method, endpoint, status: statusCode, durationMs: elapsedTime }, 'request completed')
    done()
  })
}

function endpointOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  return request.is404 || url === undefined || url === '*' ? UNMATCHED : toTemplate(url)
}
