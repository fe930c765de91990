/** Counts and logs each request. Both use the route's template, because a path may contain what the caller would not want logged. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RequestMetrics } from '../../ports.js'
import { routeOf } from '../contract/route.js'
import { toTemplate } from './route-table.js'
import { whenOver } from './when-over.js'

/** Label of all requests that matched no route, so that scanners cannot create new series. */
const UNMATCHED = 'unmatched'

/** Recorded for a client that left before its answer; nginx uses the same number. Never sent. */
export const STATUS_LEFT = 499

/** Counts and logs every request when its response was sent or its client has left. */
export function registerRequestLog(app: FastifyInstance, metrics: RequestMetrics): void {
  /** Templates by those of the router. */
  const templates = new Map<string, string>()
  function endpointOf(request: FastifyRequest): string {
    const { url } = routeOf(request)
    if (request.is404 || url === undefined || url === '*') return UNMATCHED
    const template = templates.get(url) ?? toTemplate(url)
    templates.set(url, template)
    return template
  }
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply
    reply.header('x-request-id', request.id)
    // Fastify's hook for this misses clients that leave while they wait or read.
    whenOver(raw, (isSent) => {
      const { method } = request
      const endpoint = endpointOf(request)
      const status = isSent || raw.headersSent ? raw.statusCode : STATUS_LEFT
      const durationMs = reply.elapsedTime
      metrics.observe({ method, endpoint, status, durationS: durationMs / 1000 })
      request.log.info({ method, endpoint, status, durationMs }, isSent ? 'request completed' : 'response cut off')
    })
    done()
  })
}
