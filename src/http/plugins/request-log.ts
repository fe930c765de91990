/** Counts and logs each request. Both use the route's template, because a path may contain what the caller would not want logged. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RequestMetrics } from '../../ports.js'
import { toTemplate } from './route-table.js'

/** Label of all requests that matched no route, so that scanners cannot create new series. */
const UNMATCHED = 'unmatched'

/** Recorded for a client that left before its answer; nginx uses the same number. Never sent. */
export const STATUS_LEFT = 499

/** Counts and logs every request when its response was sent or its client has left. */
export function registerRequestLog(app: FastifyInstance, metrics: RequestMetrics): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply
    reply.header('x-request-id', request.id)
    // Fastify's hook for this follows the request, which is over once its body is read. It misses clients that leave while they wait or
    // read.
    let isCounted = false
    const counted = (): void => {
      isCounted = true
    }
    // `onResponse` below handles these.
    raw.once('finish', counted).once('error', counted)
    raw.once('close', () => {
      if (isCounted) return
      const status = raw.headersSent ? raw.statusCode : STATUS_LEFT
      note({ metrics, request, status, durationMs: reply.elapsedTime }, 'response cut off')
    })
    done()
  })
  app.addHook('onResponse', (request, { statusCode: status, elapsedTime: durationMs }, done) => {
    note({ metrics, request, status, durationMs }, 'request completed')
    done()
  })
}

interface Noted {
  readonly metrics: RequestMetrics
  readonly request: FastifyRequest
  readonly status: number
  readonly durationMs: number
}

function note({ metrics, request, status, durationMs }: Noted, message: string): void {
  const { method } = request
  const endpoint = endpointOf(request)
  metrics.observe({ method, endpoint, status, durationS: durationMs / 1000 })
  request.log.info({ method, endpoint, status, durationMs }, message)
}

function endpointOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  return request.is404 || url === undefined || url === '*' ? UNMATCHED : toTemplate(url)
}
