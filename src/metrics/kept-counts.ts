/** Counts of processes that have ended. */
import type { MetricsSnapshot } from './prometheus.js'

type Metric = MetricsSnapshot[number]
type Value = Metric['values'][number]

/** Types of metrics that never fall. What a gauge showed ends with its process. Plain data has their names, unlike prom-client's types. */
const COUNTED: readonly unknown[] = ['counter', 'histogram']

/** Returns the counters and histograms of a snapshot. */
export function countsOf(snapshot: MetricsSnapshot): MetricsSnapshot {
  return snapshot.filter(({ type }) => COUNTED.includes(type))
}

/** Returns the counts of two snapshots together, each series once, so that the result grows with the number of series alone. */
export function addCounts(one: MetricsSnapshot, other: MetricsSnapshot): MetricsSnapshot {
  const metrics = new Map<string, Metric>()
  for (const metric of countsOf([...one, ...other])) {
    const known = metrics.get(metric.name)
    metrics.set(metric.name, known === undefined ? metric : { ...metric, values: addValues(known.values, metric.values) })
  }
  return [...metrics.values()]
}

function addValues(one: readonly Value[], other: readonly Value[]): Value[] {
  const series = new Map<string, Value>()
  for (const value of [...one, ...other]) {
    const key = seriesOf(value)
    series.set(key, { ...value, value: value.value + (series.get(key)?.value ?? 0) })
  }
  return [...series.values()]
}

/** A histogram's values are told apart by their names too: buckets, sum and count. */
function seriesOf(value: Value): string {
  const { metricName } = value as { readonly metricName?: string }
  return JSON.stringify([metricName, Object.entries(value.labels).sort(([a], [b]) => (a < b ? -1 : 1))])
}
