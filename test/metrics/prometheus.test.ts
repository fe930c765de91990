import t from 'tap'
import { createMetrics } from '../../src/metrics/prometheus.js'
import type { ActorCount } from '../../src/ports.js'

async function linesOf(metrics: ReturnType<typeof createMetrics>): Promise<string[]> {
  return (await metrics.expose()).body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

t.test('what actors decide, is counted under its name and label, from none on', async (t) => {
  const metrics = createMetrics()
  t.strictSame(await linesOf(metrics), ['service_drift_events_total 0', 'service_realignments_total 0', 'service_feedbacks_total 0', 'service_transfers_total 0', 'service_fenced_writes_total 0'])
  metrics.count({ name: 'drift_event' })
  metrics.count({ name: 'drift_event' })
  metrics.count({ name: 'realignment' })
  metrics.count({ name: 'feedback' })
  metrics.count({ name: 'transfer' })
  metrics.count({ name: 'anomaly', type: 'systemic_drift' })
  metrics.count({ name: 'consensus', outcome: 'accepted' })
  metrics.count({ name: 'consensus', outcome: 'refused' })
  t.strictSame(await linesOf(metrics), [
    'service_drift_events_total 2',
    'service_realignments_total 1',
    'service_feedbacks_total 1',
    'service_transfers_total 1',
    'service_fenced_writes_total 0',
    'service_anomalies_total{type="systemic_drift"} 1',
    'service_consensus_total{outcome="accepted"} 1',
    'service_consensus_total{outcome="refused"} 1',
  ])
})

t.test('live actors, are shown as they are at each scrape', async (t) => {
  const metrics = createMetrics()
  let counts: ActorCount[] = [{ kind: 'session', count: 2 }]
  metrics.showActors(() => counts)
  t.ok((await linesOf(metrics)).includes('service_active_actors{kind="session"} 2'))
  counts = [{ kind: 'session', count: 0 }, { kind: 'network', count: 1 }]
  const lines = await linesOf(metrics)
  t.ok(lines.includes('service_active_actors{kind="session"} 0'))
  t.ok(lines.includes('service_active_actors{kind="network"} 1'))
})

t.test('metrics of two services in one process, know nothing of each other', async (t) => {
  const [one, other] = [createMetrics(), createMetrics()]
  one.count({ name: 'feedback' })
  t.ok((await linesOf(other)).includes('service_feedbacks_total 0'))
})
