/** Routes for the operator of the service: health, readiness, metrics. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { RequestMetrics } from '../../ports.js'
import { type Directory, type HttpOptions, INTERFACE_VERSION } from '../contract/contracts.js'
import type { Http } from '../contract/typed-http.js'
import { HttpProblem } from '../contract/problem.js'

const Health = Type.Object({
  status: Type.Literal('ok', { description: 'Always `ok`: the process answers.' }),
  active_sessions: Type.Integer({ description: 'Number of sessions in memory, on all nodes together.' }),
  version: Type.String({ description: 'Version of this interface.' }),
  node_id: Type.Optional(Type.String({ description: 'Node that answers; present if the service is one of several nodes (`NATS_URL`).' }))
})

const CheckResult = Type.String({ description: 'Result of the check: "ok", "not_configured" or "error: …".' })

const Ready = Type.Object({
  ready: Type.Boolean({ description: 'Whether no configured dependency fails. If false, the status is 503.' }),
  checks: Type.Object(
    {
      redis: CheckResult,
      database: CheckResult,
      embedder: CheckResult,
      mongo: Type.Optional(CheckResult),
      nats: Type.Optional(CheckResult)
    },
    { title: 'DependencyChecks', description: 'The dependencies by name. `mongo` and `nats` are there only if they are configured.' }
  ),
  embedder_model: Type.String({ description: 'Embedding model that new sessions are pinned to. It tells which embedder `auto` took.' })
})

interface OperationsOptions {
  readonly directory: Directory
  readonly metrics: RequestMetrics
  readonly config: Pick<HttpOptions['config'], 'metricsCredentials' | 'nodeId'>
  /** Whether this node still answers but accepts no new requests. */
  readonly isLeaving: () => boolean
}

/** Adds the routes of health, readiness and metrics. */
export function addOperationsRoutes(app: Http, { directory, metrics, config, isLeaving }: OperationsOptions): void {
  app.get(
    '/v1/health',
    {
      config: { access: 'public' },
      schema: { operationId: 'health', tags: ['operations'], summary: 'Liveness and active sessions', response: { 200: Health } }
    },
    async () => {
      // For balancers, which have no token for readiness. Interface, Errors: the body of an error has only a `detail`.
      if (isLeaving()) throw new HttpProblem(503, 'The service is shutting down', { 'retry-after': '1' })
      return {
        status: 'ok' as const,
        active_sessions: directory.activeSessions(),
        version: INTERFACE_VERSION,
        ...(config.nodeId !== undefined && { node_id: config.nodeId })
      }
    }
  )

  app.get(
    '/v1/readyz',
    {
      // Monitoring of the service must not wait.
      config: { lane: null },
      schema: {
        operationId: 'readyz',
        tags: ['operations'],
        summary: 'Check whether every dependency can be reached',
        response: { 200: Ready, 503: Ready }
      }
    },
    async (_request, reply) => {
      const { ready, checks, embedderModel } = await directory.readiness()
      return reply.code(ready ? 200 : 503).send({ ready, checks, embedder_model: embedderModel })
    }
  )

  const isScraper = createBasicCheck(config.metricsCredentials)
  app.get(
    '/metrics',
    { config: { access: 'basic' }, schema: { operationId: 'metrics', tags: ['operations'], summary: 'Metrics for Prometheus' } },
    async (request, reply) => {
      if (!isScraper(request.headers.authorization)) {
        throw new HttpProblem(401, 'Invalid metrics credentials', { 'www-authenticate': 'Basic realm="metrics", charset="UTF-8"' })
      }
      const { contentType, body } = await metrics.expose()
      return reply.type(contentType).send(body)
    }
  )
}

/** Compares digests, which have a fixed length, in constant time. Throws HttpProblem 503 when no credentials are configured. */
function createBasicCheck(credentials: { user: string; password: string } | undefined): (header: string | undefined) => boolean {
  if (credentials === undefined) {
    return () => {
      throw new HttpProblem(503, 'Metrics are not configured: METRICS_USER and METRICS_PASSWORD must be set')
    }
  }
  const expected = digest(`${credentials.user}:${credentials.password}`)
  return (header) => {
    const encoded = /^basic\s+(\S.*)$/i.exec(header ?? '')?.[1] ?? ''
    return timingSafeEqual(digest(Buffer.from(encoded, 'base64').toString('utf8')), expected)
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
