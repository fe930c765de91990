/** Metrics of all workers of a machine: whichever worker is scraped answers for all of them. */
import type { Metrics, MetricsSnapshot } from '../metrics/prometheus.js'
import type { Bus, RequestMetrics } from '../ports.js'
import type { WorkerPlace } from './workers.js'

/** Milliseconds to wait for another worker. One that stays busy for longer is missing from the scrape. */
const SNAPSHOT_MS_MAX = 2_000

interface WorkerMetricsOptions {
  readonly metrics: Metrics
  /** Bus between the workers. */
  readonly bus: Pick<Bus, 'serve' | 'request'>
  readonly place: Pick<WorkerPlace, 'name' | 'names'>
}

export function createWorkerMetrics({ metrics, bus, place: { name, names } }: WorkerMetricsOptions): RequestMetrics {
  bus.serve(topicOf(name), () => metrics.snapshot())
  const others = names.filter((other) => other !== name)
  const ask = (other: string): Promise<MetricsSnapshot[]> =>
    bus.request(topicOf(other), null, { deadlineMs: SNAPSHOT_MS_MAX }).then(
      (snapshot) => [snapshot as MetricsSnapshot],
      () => []
    )
  return {
    observe: metrics.observe,
    expose: async () => metrics.exposeWith((await Promise.all(others.map(ask))).flat())
  }
}

function topicOf(name: string): string {
  return `engram.workers.${name}.metrics`
}
