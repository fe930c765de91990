/**
 * Metrics of all workers of a machine: whichever worker is scraped answers for all of them. The process that starts the workers gathers
 * them, because it outlives each: what a worker had counted is kept and added when it has ended or does not answer, so that no counter
 * falls.
 */
import { createSharedWork } from '../../actors/asking/shared-work.js'
import { addCounts, countsOf } from '../metrics/kept-counts.js'
import type { Metrics, MetricsSnapshot } from '../metrics/prometheus.js'
import type { Bus, Cancel, RequestMetrics } from '../ports.js'

/** Milliseconds to wait for a worker. Of one that stays busy for longer, a scrape has the counts of the last one, and no gauges. */
const SNAPSHOT_MS_MAX = 2_000

/** Milliseconds for which a scraped worker waits: for a gathering that had begun before, and for its own. */
const GATHERED_MS_MAX = 2 * SNAPSHOT_MS_MAX + 1_000

/** Name on the bus of the process that starts the workers. No worker has it. */
export const STARTER = 'starter'

interface WorkerMetricsOptions {
  readonly metrics: Metrics
  /** Bus between the workers. */
  readonly bus: Pick<Bus, 'serve' | 'request'>
  /** Name of this worker. */
  readonly name: string
}

/** `expose` throws as a request on the bus does: a scrape that fails is a gap, and not counters that fall. */
export function createWorkerMetrics({ metrics, bus, name }: WorkerMetricsOptions): RequestMetrics {
  bus.serve(topicOf(name), () => metrics.snapshot())
  return {
    observe: metrics.observe,
    async expose() {
      const gathered = await bus.request(topicOf(STARTER), null, { deadlineMs: GATHERED_MS_MAX })
      return metrics.exposeAll(gathered as readonly MetricsSnapshot[])
    }
  }
}

/** One process of a worker. */
interface Counting {
  readonly name: string
  last: MetricsSnapshot | null
}

/** Gathers for the workers. Call the returned function when a worker's process starts, and its result once that has ended. */
export function gatherWorkerMetrics(bus: Pick<Bus, 'serve' | 'request'>): (name: string) => Cancel {
  const counting = new Set<Counting>()
  let ended: MetricsSnapshot = []

  /** Returns whether the process has answered. An answer that is read after its process has ended is too late to be kept. */
  async function ask(one: Counting): Promise<boolean> {
    const snapshot = await bus.request(topicOf(one.name), null, { deadlineMs: SNAPSHOT_MS_MAX }).catch(() => null)
    if (snapshot === null) return false
    one.last = snapshot as MetricsSnapshot
    return true
  }
  // One at a time: an older answer never replaces a newer one.
  const gather = createSharedWork(async () => {
    const answered = new Set<Counting>()
    await Promise.all([...counting].map(async (one) => ((await ask(one)) ? answered.add(one) : undefined)))
    const snapshots = [...counting].map((one) => (answered.has(one) ? (one.last ?? []) : countsOf(one.last ?? [])))
    return [...snapshots, ended]
  })
  bus.serve(topicOf(STARTER), gather)
  return (name) => {
    const one: Counting = { name, last: null }
    counting.add(one)
    return () => {
      if (counting.delete(one) && one.last !== null) ended = addCounts(ended, one.last)
    }
  }
}

function topicOf(name: string): string {
  return `engram.workers.${name}.metrics`
}
