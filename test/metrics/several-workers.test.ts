/** What the workers of one machine count, in the one answer that Prometheus gets. */
import t, { type Test } from 'tap'
import { createMetrics } from '../../src/metrics/prometheus.js'

async function together(t: Test, ...all: readonly ReturnType<typeof createMetrics>[]): Promise<string[]> {
  const { body, contentType } = await createMetrics().exposeAll(await Promise.all(all.map((one) => one.snapshot())))
  t.match(contentType, /^text\/plain; version=0\.0\.4/)
  return body.split('\n')
}

t.test('of several workers what each counts and holds is added up', async (t) => {
  const workers = [1, 2].map((count) => {
    const metrics = createMetrics()
    metrics.observe({ method: 'POST', endpoint: '/v1/run', status: 200, durationS: count })
    metrics.count({ name: 'feedback' })
    metrics.showActors(() => [{ kind: 'session', count }])
    metrics.showMailboxes(() => [{ kind: 'session', count: 10 * count }])
    metrics.showHeldBytes(() => [{ kind: 'session', count: 100 * count }])
    metrics.showPlacements(() => [{ placement: 'own', count }])
    metrics.showPending(() => count)
    return metrics
  })
  const lines = await together(t, ...workers)
  for (const line of [
    'service_requests_total{method="POST",endpoint="/v1/run",status="200"} 2',
    'service_request_duration_seconds_sum{method="POST",endpoint="/v1/run"} 3',
    'service_feedbacks_total 2',
    'service_active_actors{kind="session"} 3',
    'service_mailbox_commands{kind="session"} 30',
    'service_held_bytes{kind="session"} 300',
    'service_placed_actors{placement="own"} 3',
    'service_pending_vectors 3'
  ])
    t.ok(lines.includes(line), line)
})

t.test('of several workers each sees the same nodes, and the machine is ready when all of them are', async (t) => {
  const workers = [true, false, true].map((isReady) => {
    const metrics = createMetrics()
    metrics.showReadiness(async () => isReady)
    metrics.showNodes(() => [{ state: 'up', count: 4 }])
    return metrics
  })
  const lines = await together(t, ...workers)
  t.ok(lines.includes('service_nodes{state="up"} 4'), 'not twelve')
  t.ok(lines.includes('service_ready 0'))
  const [first, , third] = workers
  if (first !== undefined && third !== undefined) t.ok((await together(t, first, third)).includes('service_ready 1'))
})

t.test('of several workers the start is that of the first, and the lag that of the latest', async (t) => {
  const others = [
    { start: 5, lag: 40 },
    { start: 7, lag: 30 }
  ].map(async ({ start, lag }) => {
    const snapshot = await createMetrics().snapshot()
    return snapshot.map((metric) => {
      const value = metric.name === 'process_start_time_seconds' ? start : metric.name === 'service_event_loop_lag_seconds' ? lag : null
      return value === null ? metric : { ...metric, values: metric.values.map((one) => ({ ...one, value })) }
    })
  })
  const lines = (await createMetrics().exposeAll(await Promise.all([createMetrics().snapshot(), ...others]))).body.split('\n')
  t.ok(lines.includes('process_start_time_seconds 5'))
  for (const stat of ['p50', 'p99', 'max']) t.ok(lines.includes(`service_event_loop_lag_seconds{stat="${stat}"} 40`), stat)
})
