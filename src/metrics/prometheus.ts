/** Request metrics for Prometheus. The only file that knows `prom-client`. */
import { Counter, Histogram, Registry } from 'prom-client'
import type { RequestMetrics } from '../ports.js'

/** Seconds. From a cache hit to the request deadline of 30 s; a run takes a few milliseconds without its model. */
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** A registry of its own for each service instance, so that two in one process do not share counts. Interface, Limits: metrics exposed. */
export function createRequestMetrics(): RequestMetrics {
  const registry = new Registry()
  const requests = new Counter({
    name: 'service_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'endpoint', 'status'] as const,
    registers: [registry]
  })
  const durations = new Histogram({
    name: 'service_request_duration_seconds',
    help: 'Time from the request to the end of its response.',
    labelNames: ['method', 'endpoint'] as const,
    buckets: DURATION_BUCKETS_S,
    registers: [registry]
  })

  return {
    observe({ method, endpoint, status, durationS }) {
      requests.inc({ method, endpoint, status })
      durations.observe({ method, endpoint }, durationS)
    },
    async expose() {
      return { contentType: registry.contentType, body: await registry.metrics() }
    }
  }
}
