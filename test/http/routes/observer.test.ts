// The observer over HTTP, on a real service with real clusters: every row of the interface, and what it refuses.
import { join } from 'node:path'
import t from 'tap'
import { type AnswerBody, type Caller, finding, startService } from '../../support/real-service.js'

const TALK = ['Which invoice was paid twice?', 'The invoice of March was paid twice.', 'Please refund the invoice that was paid twice.']
const ELSEWHERE = 'A violin concerto by Sibelius, its first movement in D minor.'

async function makeRegion(caller: Caller, ...clusters: string[]): Promise<string> {
  const id = String((await caller.post('/v1/region/', {})).body['region_id'])
  for (const cluster_id of clusters) await caller.post(`/v1/region/${id}/clusters`, { cluster_id })
  return id
}

async function makeCluster(caller: Caller, cluster_id: string, messages: readonly string[] = []): Promise<string> {
  await caller.post('/v1/cluster/', { cluster_id })
  for (const message of messages) await caller.post(`/v1/cluster/${cluster_id}/run`, { message })
  return cluster_id
}

const anomaliesOf = async (caller: Caller, query = '') =>
  (await caller.get(`/v1/observer/anomalies${query}`)).body as unknown as AnswerBody[]

t.test('an observer made with nothing has its defaults; made again it comes back', async (t) => {
  const alice = await (await startService(t)).as('alice')
  for (const url of ['/v1/observer/summary', '/v1/observer/anomalies'])
    t.strictSame(await alice.get(url), { status: 404, body: { detail: 'Observer not found' } })
  t.equal((await alice.post('/v1/observer/sample')).status, 404)
  t.equal((await alice.delete('/v1/observer/anomalies')).status, 404)
  const made = await alice.post('/v1/observer/', {})
  const id = String(made.body['observer_id'])
  t.strictSame(made, {
    status: 201,
    body: { observer_id: id, registered_regions: [], sample_interval_seconds: 30, meta_session_id: `meta-${id}` }
  })
  t.strictSame(await alice.post('/v1/observer', { sample_interval_seconds: 5 }), made, 'the one there is, as it is')
  t.equal((await alice.post('/v1/observer', { region_ids: ['nowhere'] })).status, 404)
  t.match(await alice.get(`/v1/metrics/meta-${id}`), { status: 200, body: { total_memories: 0 } })
  t.match(await alice.delete(`/v1/session/meta-${id}`), { status: 409, body: { detail: /belongs to the observer/ } })
  t.strictSame((await alice.get('/v1/observer/summary')).body, {
    observer_id: id,
    registered_regions: [],
    total_clusters_observed: 0,
    last_sample_at: null,
    anomaly_count: 0,
    recent_anomalies: []
  })
})

t.test('an observer that is deleted takes its meta-session with it, and nobody else has', async (t) => {
  const service = await startService(t)
  const [alice, bob] = [await service.as('alice'), await service.as('bob')]
  for (const caller of [alice, bob]) t.match(await caller.delete('/v1/observer/'), { status: 404, body: { detail: 'Observer not found' } })
  const region = await makeRegion(alice, await makeCluster(alice, 'a'))
  const { observer_id, meta_session_id } = (await alice.post('/v1/observer/', { region_ids: [region] })).body
  await bob.post('/v1/observer/')
  t.strictSame(await alice.delete('/v1/observer'), { status: 200, body: { observer_id, deleted: true } })
  for (const url of ['/v1/observer/summary', `/v1/metrics/${String(meta_session_id)}`]) t.equal((await alice.get(url)).status, 404, url)
  t.equal((await alice.get(`/v1/region/${region}`)).status, 200, 'what it observed stays')
  t.equal((await bob.get('/v1/observer/summary')).status, 200)
  t.not((await alice.post('/v1/observer/', {})).body['observer_id'], observer_id)
})

t.test('an observer asked for with what does not fit is refused field by field', async (t) => {
  const alice = await (await startService(t)).as('alice')
  t.equal(finding(await alice.post('/v1/observer/', { sample_interval_seconds: 0 })), 'body.sample_interval_seconds: greater_than')
  t.equal(finding(await alice.post('/v1/observer/', { region_ids: 'r' })), 'body.region_ids: list_type')
  t.equal(finding(await alice.post('/v1/observer/', { region_ids: ['a b'] })), 'body.region_ids.0: string_pattern_mismatch')
  t.strictSame(await alice.post('/v1/observer/', { region_ids: ['nowhere'] }), { status: 404, body: { detail: 'Region not found' } })
  t.equal((await alice.get('/v1/observer/summary')).status, 404, 'nothing was made')
  await alice.post('/v1/observer/', {})
  t.equal(finding(await alice.post('/v1/observer/regions', {})), 'body.region_id: missing')
  t.equal(finding(await alice.get('/v1/observer/anomalies?limit=0')), 'query.limit: greater_than_equal')
  t.equal(finding(await alice.get('/v1/observer/anomalies?limit=1001')), 'query.limit: less_than_equal')
})

t.test('regions are registered and unregistered, and counted by their clusters', async (t) => {
  const alice = await (await startService(t)).as('alice')
  const [a, b] = [await makeCluster(alice, 'a'), await makeCluster(alice, 'b')]
  const [one, two] = [await makeRegion(alice, a), await makeRegion(alice, a, b)]
  await alice.post('/v1/observer/', {})
  t.match(await alice.post('/v1/observer/', { region_ids: [one, 'nowhere'] }), { status: 404 })
  t.match(await alice.get('/v1/observer/summary'), { body: { registered_regions: [] } }, 'all or none')
  const { body: made } = await alice.post('/v1/observer/', { region_ids: [one] })
  const { observer_id } = made
  t.strictSame(await alice.post('/v1/observer/regions', { region_id: two }), {
    status: 200,
    body: { observer_id, region_id: two, registered_regions: [one, two] }
  })
  t.match((await alice.get('/v1/observer/summary')).body, { registered_regions: [one, two], total_clusters_observed: 2 })
  t.match((await alice.post('/v1/observer/sample')).body, {
    clusters_sampled: 2,
    regions_sampled: 2,
    new_anomalies: 0,
    sample_duration_ms: Number,
    sampled_at: Number
  })
  t.strictSame(await alice.delete(`/v1/observer/regions/${one}`), { status: 200, body: { observer_id, region_id: one, removed: true } })
  t.strictSame(await alice.delete(`/v1/observer/regions/${one}`), {
    status: 404,
    body: { detail: 'Region not registered with the observer' }
  })
  t.strictSame(await alice.post('/v1/observer/regions', { region_id: 'nowhere' }), { status: 404, body: { detail: 'Region not found' } })
  await alice.delete(`/v1/region/${two}`)
  t.match((await alice.get('/v1/observer/summary')).body, { registered_regions: [], total_clusters_observed: 0 })
  t.match((await alice.post('/v1/observer/sample')).body, { clusters_sampled: 0, regions_sampled: 0 })
  t.match((await alice.get('/v1/observer/summary')).body, { registered_regions: [] })
})

t.test('clusters that diverge and drift are recorded once, listed, counted and cleared', async (t) => {
  const { nodes, as } = await startService(t, { env: { METRICS_USER: 'scraper', METRICS_PASSWORD: 'secret' } })
  const alice = await as('alice')
  const ids = ['quiet', 'still', 'mute']
  for (const id of ids) await makeCluster(alice, id)
  await makeCluster(alice, 'busy', TALK)
  const region = await makeRegion(alice, ...ids, 'busy')
  await alice.post('/v1/observer/', { region_ids: [region] })
  t.match((await alice.post('/v1/observer/sample')).body, { clusters_sampled: 4, new_anomalies: 1 }, '3 interactions, and 0.75 on average')
  t.match((await alice.post('/v1/observer/sample')).body, { new_anomalies: 0 })
  for (const id of ['quiet', 'still']) await makeCluster(alice, id, TALK)
  for (const id of ['quiet', 'still', 'busy']) {
    t.match((await alice.post(`/v1/cluster/${id}/run`, { message: ELSEWHERE })).body, { drift_detected: true })
  }
  t.match((await alice.post('/v1/observer/sample')).body, { new_anomalies: 1 })
  const anomalies = await anomaliesOf(alice)
  t.match(anomalies, [
    {
      anomaly_type: 'systemic_drift',
      affected_cluster_ids: ['quiet', 'still', 'busy'],
      severity: 0.75,
      description: '3 of 4 observed clusters drift'
    },
    { anomaly_type: 'cluster_divergence', affected_cluster_ids: ['busy'], severity: 0.75 }
  ])
  for (const { anomaly_id, timestamp } of anomalies)
    t.match({ anomaly_id, timestamp }, { anomaly_id: /^[0-9a-f-]{36}$/, timestamp: Number })
  t.strictSame(await anomaliesOf(alice, '?limit=1'), anomalies.slice(0, 1))
  t.match((await alice.get('/v1/observer/summary')).body, { anomaly_count: 2, recent_anomalies: anomalies, last_sample_at: Number })
  const authorization = `Basic ${Buffer.from('scraper:secret').toString('base64')}`
  const scraped = await Promise.all(nodes.map(({ http }) => http.inject({ url: '/metrics', headers: { authorization } })))
  // Each node counts what it did itself.
  const valueOf = (text: string, name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1] ?? 0
    )
  const sumOf = (name: string) => scraped.reduce((sum, { body }) => sum + valueOf(body, name), 0)
  for (const [name, count] of [
    ['service_anomalies_total{type="systemic_drift"}', 1],
    ['service_anomalies_total{type="cluster_divergence"}', 1],
    ['service_drift_events_total', 3],
    ['service_realignments_total', 1],
    ['service_active_actors{kind="cluster"}', 4],
    ['service_active_actors{kind="observer"}', 1],
    ['service_active_actors{kind="network"}', 0]
  ] as const)
    t.equal(sumOf(name), count, name)
  t.strictSame((await alice.delete('/v1/observer/anomalies')).body, { cleared: 2 })
  t.strictSame(await anomaliesOf(alice), [])
  t.match((await alice.post('/v1/observer/sample')).body, { new_anomalies: 0 }, 'what goes on is not recorded again')
})

t.test('clusters of two regions that come to one phase are recorded; the log and what is known outlive a restart', async (t) => {
  const env = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(t.testdir(), 'sessions.db')}` }
  const first = await startService(t, { env })
  const alice = await first.as('alice')
  for (const id of ['a', 'b', 'c']) await makeCluster(alice, id, TALK)
  const regions = [await makeRegion(alice, 'a', 'b'), await makeRegion(alice, 'c')]
  const { body: made } = await alice.post('/v1/observer/', { region_ids: regions })
  const phase = String((await alice.get('/v1/cluster/a')).body['phase'])
  t.not(phase, 'initialization')
  t.match((await alice.post('/v1/observer/sample')).body, { regions_sampled: 2, clusters_sampled: 3, new_anomalies: 1 })
  const anomalies = await anomaliesOf(alice)
  t.match(anomalies, [
    { anomaly_type: 'cross_cluster_convergence', severity: 1, description: `3 clusters in 2 regions are in the phase ${phase}` }
  ])
  await first.service.close()

  const after = await (await startService(t, { env })).as('alice')
  t.strictSame(await anomaliesOf(after), anomalies)
  t.strictSame((await after.post('/v1/observer/', {})).body, made)
  t.match((await after.post('/v1/observer/sample')).body, { clusters_sampled: 3, new_anomalies: 0 })
})

t.test('the observer of another licence is not there', async (t) => {
  const { as } = await startService(t)
  const [alice, mallory] = [await as('alice'), await as('mallory')]
  const region = await makeRegion(alice)
  await alice.post('/v1/observer/', { region_ids: [region] })
  t.equal((await mallory.get('/v1/observer/summary')).status, 404)
  t.equal((await mallory.post('/v1/observer/', { region_ids: [region] })).status, 404)
  await mallory.post('/v1/observer/', {})
  t.equal((await mallory.post('/v1/observer/regions', { region_id: region })).status, 404)
})

t.test('every route is refused without a licence', async (t) => {
  const { service } = await startService(t)
  const routes = [
    ['POST', '/v1/observer/'],
    ['GET', '/v1/observer/summary'],
    ['POST', '/v1/observer/sample'],
    ['GET', '/v1/observer/anomalies'],
    ['DELETE', '/v1/observer/anomalies'],
    ['POST', '/v1/observer/regions'],
    ['DELETE', '/v1/observer/regions/r']
  ] as const
  for (const [method, url] of routes) {
    const { statusCode, body } = await service.http.inject({ method, url })
    t.strictSame([statusCode, JSON.parse(body)], [401, { detail: 'Missing license token' }], `${method} ${url}`)
  }
})
