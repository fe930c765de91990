/** Metrics for Prometheus: requests, live actors, and what actors decide. The only file that knows `prom-client`. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Occurrence } from '../domain/occurrences.js'
import type { ActorCount, Counters, RequestMetrics } from '../ports.js'

/** Seconds. From a cache hit to the request deadline of 30 s; a run takes a few milliseconds without its model. */
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export interface Metrics extends RequestMetrics, Counters {
  /** Shows from now on what `counts` says at each scrape. */
  showActors(counts: () => Iterable<ActorCount>): void
}

/** A registry of its own for each service instance, so that two in one process do not share counts. Interface, Limits: metrics exposed. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const requests = new Counter({
    name: 'service_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'endpoint', 'status'] as const,
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'service_request_duration_seconds',
    help: 'Time from the request to the end of its response.',
    labelNames: ['method', 'endpoint'] as const,
    buckets: DURATION_BUCKETS_S,
    registers: [registry],
  })

  return {
    observe({ method, endpoint, status, durationS }) {
      requests.inc({ method, endpoint, status })
      durations.observe({ method, endpoint }, durationS)
    },
    ...createCounters(registry),
    showActors(counts) {
      const actors = new Gauge({
        name: 'service_active_actors',
        help: 'Actors in the memory of this process.',
        labelNames: ['kind'] as const,
        registers: [registry],
        collect() {
          for (const { kind, count } of counts()) actors.set({ kind }, count)
        },
      })
    },
    async expose() {
      return { contentType: registry.contentType, body: await registry.metrics() }
    },
  }
}

function createCounters(registry: Registry): Counters {
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] })
  const plain = {
    drift_event: counter('service_drift_events_total', 'Drift events of clusters.'),
    realignment: counter('service_realignments_total', 'Realignments of regions.'),
    feedback: counter('service_feedbacks_total', 'Aggregates of clusters blended back into their members.'),
    transfer: counter('service_transfers_total', 'Deltas transferred from one session to another.'),
    fenced_write: counter('service_fenced_writes_total', 'Writes refused because another writer had taken the record over.'),
  }
  const anomalies = counter('service_anomalies_total', 'Anomalies recorded by observers.', 'type')
  const consensus = counter('service_consensus_total', 'Consensus proposals voted on.', 'outcome')
  const forwards = counter('service_forwards_total', 'Asks that went to the node that owns their actor.', 'outcome')
  const retries = counter('service_ask_retries_total', 'Asks that were tried once more.', 'reason')
  const changes = counter('service_membership_changes_total', 'Nodes that came or went, as this one sees it.', 'change')
  return {
    count(occurrence: Occurrence) {
      switch (occurrence.name) {
        case 'anomaly':
          { anomalies.inc({ type: occurrence.type }); return; }
        case 'consensus':
          { consensus.inc({ outcome: occurrence.outcome }); return; }
        case 'forward':
          { forwards.inc({ outcome: occurrence.outcome }); return; }
        case 'retry':
          { retries.inc({ reason: occurrence.reason }); return; }
        case 'membership_change':
          { changes.inc({ change: occurrence.change }); return; }
        default:
          { plain[occurrence.name].inc(); return; }
      }
    },
  }
}
