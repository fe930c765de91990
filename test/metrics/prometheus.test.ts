import t from 'tap'
import { createMetrics } from '../../src/metrics/prometheus.js'

const evictions = (counts: Readonly<Record<string, number>> = {}) => [
  'service_literals_loaded_total 0',
  ...['removed', 'replaced', 'put_away'].map((reason) => `service_literals_evicted_total{reason="${reason}"} ${counts[reason] ?? 0}`)
]

const refusals = (counts: Readonly<Record<string, number>> = {}) =>
  ['record', 'actors', 'work'].map((budget) => `service_memory_refusals_total{budget="${budget}"} ${counts[budget] ?? 0}`)

const zeros = (name: string, label: string, values: readonly string[]) => values.map((value) => `${name}{${label}="${value}"} 0`)

const anomalies = (counts: Readonly<Record<string, number>> = {}) =>
  ['cross_cluster_convergence', 'systemic_drift', 'cluster_divergence'].map(
    (type) => `service_anomalies_total{type="${type}"} ${counts[type] ?? 0}`
  )

const NODES_AT_REST = [
  ...zeros('service_forwards_total', 'outcome', ['answered', 'refused', 'unknown']),
  ...zeros('service_ask_retries_total', 'reason', ['not_owner', 'unreachable', 'draining', 'fenced', 'busy']),
  ...zeros('service_membership_changes_total', 'change', ['joined', 'left', 'lost', 'isolated'])
]

const KINDS = ['session', 'cluster', 'region', 'observer', 'network']

const NOTHING_CAME_BACK = [
  ...KINDS.flatMap((kind) => ['sum', 'count'].map((part) => `service_rehydration_seconds_${part}{kind="${kind}"} 0`)),
  ...zeros('service_rehydrated_memories_total', 'kind', KINDS)
]

/** What it counts; the process speaks for itself. */
async function linesOf(metrics: ReturnType<typeof createMetrics>): Promise<string[]> {
  return (await metrics.expose()).body.split('\n').filter((line) => /^service_(?!event_loop|rehydration_seconds_bucket)/.test(line))
}

t.test('requests are counted by method, endpoint and status, and timed by method and endpoint', async (t) => {
  const metrics = createMetrics()
  for (const [status, durationS] of [
    [200, 0.25],
    [200, 0.5],
    [404, 0.5]
  ] as const)
    metrics.observe({ method: 'POST', endpoint: '/v1/run', status, durationS })
  const lines = (await linesOf(metrics)).filter((line) => line.startsWith('service_request') && !line.includes('_bucket'))
  t.strictSame(lines, [
    'service_requests_total{method="POST",endpoint="/v1/run",status="200"} 2',
    'service_requests_total{method="POST",endpoint="/v1/run",status="404"} 1',
    'service_request_duration_seconds_sum{method="POST",endpoint="/v1/run"} 1.25',
    'service_request_duration_seconds_count{method="POST",endpoint="/v1/run"} 3'
  ])
  const { body } = await metrics.expose()
  const upTo = (seconds: string) => new RegExp(`_seconds_bucket{le="${seconds}",method="POST",endpoint="/v1/run"} (\\d)`).exec(body)?.[1]
  t.same(['0.001', '0.1', '0.25', '0.5', '30', '\\+Inf'].map(upTo), ['0', '0', '1', '3', '3', '3'], 'up to the deadline of a request')
})

t.test('what actors decide is counted under its name and label, from none on', async (t) => {
  const metrics = createMetrics()
  t.strictSame(await linesOf(metrics), [
    'service_drift_events_total 0',
    'service_realignments_total 0',
    'service_feedbacks_total 0',
    'service_transfers_total 0',
    'service_retrieval_failures_total 0',
    'service_memory_evictions_total 0',
    'service_fenced_writes_total 0',
    ...anomalies(),
    ...refusals(),
    ...zeros('service_consensus_total', 'outcome', ['accepted', 'refused']),
    ...NODES_AT_REST,
    ...NOTHING_CAME_BACK,
    ...evictions()
  ])
  metrics.count({ name: 'drift_event' })
  metrics.count({ name: 'drift_event' })
  metrics.count({ name: 'realignment' })
  metrics.count({ name: 'feedback' })
  metrics.count({ name: 'transfer' })
  metrics.count({ name: 'retrieval_failure' })
  metrics.count({ name: 'anomaly', type: 'systemic_drift' })
  metrics.count({ name: 'consensus', outcome: 'accepted' })
  metrics.count({ name: 'consensus', outcome: 'refused' })
  metrics.count({ name: 'memory_eviction' })
  metrics.count({ name: 'memory_refusal', budget: 'actors' })
  metrics.count({ name: 'literals_evicted', entities: 3, reason: 'put_away' })
  t.strictSame(await linesOf(metrics), [
    'service_drift_events_total 2',
    'service_realignments_total 1',
    'service_feedbacks_total 1',
    'service_transfers_total 1',
    'service_retrieval_failures_total 1',
    'service_memory_evictions_total 1',
    'service_fenced_writes_total 0',
    ...anomalies({ systemic_drift: 1 }),
    ...refusals({ actors: 1 }),
    'service_consensus_total{outcome="accepted"} 1',
    'service_consensus_total{outcome="refused"} 1',
    ...NODES_AT_REST,
    ...NOTHING_CAME_BACK,
    ...evictions({ put_away: 3 })
  ])
  metrics.count({ name: 'literals_loaded', entities: 3 })
  t.ok((await linesOf(metrics)).includes('service_literals_loaded_total 3'))
})

t.test('live actors are shown as they are at each scrape', async (t) => {
  const metrics = createMetrics()
  let counts = [{ kind: 'session', count: 2 }]
  metrics.showActors(() => counts)
  t.ok((await linesOf(metrics)).includes('service_active_actors{kind="session"} 2'))
  counts = [
    { kind: 'session', count: 0 },
    { kind: 'network', count: 1 }
  ]
  const lines = await linesOf(metrics)
  t.ok(lines.includes('service_active_actors{kind="session"} 0'))
  t.ok(lines.includes('service_active_actors{kind="network"} 1'))
})

t.test('bytes that are held are shown with their budgets', async (t) => {
  const metrics = createMetrics()
  metrics.showHeldBytes(() => [
    { kind: 'session', count: 1_000 },
    { kind: 'request', count: 10 }
  ])
  metrics.showHeldHeapBytes(() => [{ kind: 'session', count: 600 }])
  metrics.showMemoryBudgets(() => [{ budget: 'actors', count: 5_000 }])
  const lines = await linesOf(metrics)
  t.ok(lines.includes('service_held_bytes{kind="session"} 1000'))
  t.ok(lines.includes('service_held_bytes{kind="request"} 10'))
  t.ok(lines.includes('service_held_heap_bytes{kind="session"} 600'))
  t.ok(lines.includes('service_memory_budget_bytes{budget="actors"} 5000'))
})

t.test('what happens between nodes is counted under its name and label', async (t) => {
  const metrics = createMetrics()
  metrics.count({ name: 'forward', outcome: 'answered' })
  metrics.count({ name: 'retry', reason: 'not_owner' })
  metrics.count({ name: 'fenced_write' })
  metrics.count({ name: 'rehydration', kind: 'session', size: 40, durationMs: 20 })
  metrics.count({ name: 'membership_change', change: 'lost' })
  const lines = await linesOf(metrics)
  t.ok(lines.includes('service_forwards_total{outcome="answered"} 1'))
  t.ok(lines.includes('service_ask_retries_total{reason="not_owner"} 1'))
  t.ok(lines.includes('service_fenced_writes_total 1'))
  t.ok(lines.includes('service_rehydrated_memories_total{kind="session"} 40'))
  t.ok(lines.includes('service_rehydration_seconds_sum{kind="session"} 0.02'))
  t.ok(lines.includes('service_membership_changes_total{change="lost"} 1'))
})

t.test(
  'nodes, mailboxes and placements are shown as they are at each scrape; nodes of one state are added up, and a state that none is in goes',
  async (t) => {
    const metrics = createMetrics()
    let nodes = [
      { state: 'up', count: 1 },
      { state: 'gone', count: 1 },
      { state: 'up', count: 1 }
    ]
    metrics.showNodes(() => nodes)
    metrics.showMailboxes(() => [{ kind: 'session', count: 7 }])
    metrics.showPlacements(() => [
      { placement: 'own', count: 5 },
      { placement: 'foreign', count: 1 }
    ])
    t.strictSame((await linesOf(metrics)).slice(-5), [
      'service_nodes{state="up"} 2',
      'service_nodes{state="gone"} 1',
      'service_mailbox_commands{kind="session"} 7',
      'service_placed_actors{placement="own"} 5',
      'service_placed_actors{placement="foreign"} 1'
    ])
    nodes = [{ state: 'up', count: 3 }]
    t.strictSame(
      (await linesOf(metrics)).filter((line) => line.startsWith('service_nodes')),
      ['service_nodes{state="up"} 3']
    )
  }
)

t.test('readiness is asked for at each scrape, and a question that fails is a no', async (t) => {
  const metrics = createMetrics()
  let answer = Promise.resolve(true)
  metrics.showReadiness(() => answer)
  t.ok((await linesOf(metrics)).includes('service_ready 1'))
  answer = Promise.resolve(false)
  t.ok((await linesOf(metrics)).includes('service_ready 0'))
  answer = Promise.reject(new Error('late'))
  t.ok((await linesOf(metrics)).includes('service_ready 0'))
})

t.test('the process shows its processor time, memory, start and the lag of its event loop, at each scrape anew', async (t) => {
  const metrics = createMetrics()
  await metrics.expose()
  const { user, system } = process.cpuUsage()
  const { body } = await metrics.expose()
  const after = process.cpuUsage()
  const valueOf = (series: string) =>
    Number(
      body
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1]
    )
  const cpuS = valueOf('process_cpu_seconds_total')
  t.ok(cpuS >= (user + system) / 1e6 && cpuS <= (after.user + after.system) / 1e6, `${cpuS} s`)
  t.ok(valueOf('process_resident_memory_bytes') > 1_000_000)
  t.ok(Math.abs(Date.now() / 1000 - process.uptime() - valueOf('process_start_time_seconds')) < process.uptime())
  for (const stat of ['p50', 'p99', 'max']) t.ok(valueOf(`service_event_loop_lag_seconds{stat="${stat}"}`) >= 0)
})

t.test('metrics of two services in one process know nothing of each other', async (t) => {
  const [one, other] = [createMetrics(), createMetrics()]
  one.count({ name: 'feedback' })
  t.ok((await linesOf(other)).includes('service_feedbacks_total 0'))
})
