/** Health, readiness, metrics and the schema itself. */
import type { Reference } from './entry.js'

export const OPERATIONS: Reference = {
  'GET /v1/health': {
    description:
      'Answers as long as the process runs, and needs no token. `active_sessions` counts the sessions in memory, on all nodes together. ' +
      'With several nodes, a node that is about to stop answers 503.',
    refusals: { 400: 'The HTTP request is malformed.' },
    answer: { name: 'Health', example: { status: 'ok', active_sessions: 2, version: '1.0.0' } }
  },
  'GET /v1/readyz': {
    description: 'Probes every dependency, at most once a second. A 503 has the same body as a 200; its `checks` name what fails.',
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
      'Metrics in the text format of Prometheus. Needs the Basic credentials `METRICS_USER` and `METRICS_PASSWORD` instead of a ' +
      'license token.',
    mediaType: 'text/plain'
  },
  'GET /openapi.json': {
    description: 'This document: OpenAPI 3.1 of every route that does not depend on configuration.',
    answer: { name: 'OpenApiDocument' }
  },
  'GET /docs': { description: 'This document as a page that can send requests.', mediaType: 'text/html' },
  'GET /redoc': { description: 'This document as a page to read.', mediaType: 'text/html' }
}
