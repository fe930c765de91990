/** Health, readiness, metrics and the schema itself. */
import type { Reference } from './entry.js'

export const OPERATIONS: Reference = {
  'GET /v1/health': {
    description:
      'Answers as long as the process does, without a token. `active_sessions` counts the sessions in memory; with several nodes, on ' +
      'all of them. One of several nodes that is about to stop answers 503.',
    refusals: { 400: 'Not a well-formed HTTP request.' },
    answer: { name: 'Health', example: { status: 'ok', active_sessions: 2, version: '1.0.0' } }
  },
  'GET /v1/readyz': {
    description: 'Probes every dependency, once a second at most. 503 has the same body as 200, and its `checks` name what fails.',
    answer: {
      name: 'Readiness',
      example: {
        ready: true,
        checks: { redis: 'not_configured', database: 'ok', embedder: 'ok' },
        embedder_model: 'lexical-hash-v1'
      }
    }
  },
  'GET /metrics': {
    description:
      'Metrics in the text format of Prometheus. Wants the Basic credentials `METRICS_USER` and `METRICS_PASSWORD` instead of a ' +
      'license token.',
    mediaType: 'text/plain'
  },
  'GET /openapi.json': {
    description: 'This document: OpenAPI 3.1 of every route that is always there.',
    answer: { name: 'OpenApiDocument' }
  },
  'GET /docs': { description: 'This document as a page that can send requests.', mediaType: 'text/html' },
  'GET /redoc': { description: 'This document as a page to read.', mediaType: 'text/html' }
}
