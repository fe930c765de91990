// Clusters over HTTP against the real service: every row of the interface, and what it refuses.
import t, { type Test } from 'tap'
import { type AnswerBody, type Caller, finding, startService } from '../../support/real-service.js'

const DIMENSION = 64

async function startAlice(t: Test): Promise<Caller> {
  return (await startService(t)).as('alice')
}

async function make(caller: Caller, id: string, more: object = {}): Promise<void> {
  await caller.post('/v1/cluster/', { cluster_id: id, dimension: DIMENSION, ...more })
}

/** Creates sessions with some content and adds them to the cluster. */
async function join(caller: Caller, cluster: string, ...sessions: string[]): Promise<void> {
  for (const session_id of sessions) {
    await caller.post('/v1/session/create', { session_id, dimension: DIMENSION })
    await caller.post('/v1/run', { session_id, message: `What does ${session_id} know about the river?` })
    await caller.post(`/v1/cluster/${cluster}/members`, { session_id })
  }
}

t.test('a cluster: made, listed, read and deleted with its session', async (t) => {
  const alice = await startAlice(t)
  const made = await alice.post('/v1/cluster/', {})
  t.match(made, { status: 201, body: { name: null, aggregation_mode: 'weighted_average', coupling_factor: 0 } })
  const id = String(made.body['cluster_id'])
  t.match(id, /^[0-9a-f-]{36}$/)
  const info = { cluster_id: 'team', name: 'The team', aggregation_mode: 'attention', coupling_factor: 0.25 }
  t.strictSame(await alice.post('/v1/cluster', { ...info, dimension: DIMENSION }), { status: 201, body: info })
  t.strictSame(await alice.get('/v1/cluster'), await alice.get('/v1/cluster/'))
  const listed = (await alice.get('/v1/cluster/')).body as unknown as AnswerBody[]
  t.strictSame(
    listed.find((one) => one['cluster_id'] === 'team'),
    { ...info, member_count: 0 }
  )
  t.strictSame(listed.length, 2)
  t.strictSame(await alice.get('/v1/cluster/team'), {
    status: 200,
    body: {
      ...info,
      member_count: 0,
      members: [],
      member_weights: {},
      phase: 'initialization',
      drift_phase: 'stable',
      drift_score: 0,
      interaction_count: 0,
      total_memories: 0,
      aggregate_vector: null
    }
  })
  t.match(await alice.get('/v1/metrics/team'), { status: 200, body: { dimension: DIMENSION } })
  t.strictSame(await alice.delete('/v1/cluster/team'), { status: 200, body: { cluster_id: 'team', deleted: true } })
  t.equal((await alice.get('/v1/metrics/team')).status, 404)
  t.match(await alice.get('/v1/cluster/team'), { status: 404, body: { detail: 'Cluster not found' } })
  t.equal(((await alice.get('/v1/cluster/')).body as unknown as AnswerBody[]).length, 1)
  t.equal((await alice.post('/v1/cluster/', { cluster_id: 'team' })).status, 201, 'and made anew')
})

t.test('a cluster: refused with what is wrong', async (t) => {
  const alice = await startAlice(t)
  await alice.post('/v1/session/create', { session_id: 'taken' })
  await make(alice, 'c')
  t.match(await alice.post('/v1/cluster/', { cluster_id: 'taken' }), { status: 409, body: { detail: 'Session already exists' } })
  t.match(await alice.post('/v1/cluster/', { cluster_id: 'c' }), { status: 409, body: { detail: 'Cluster already exists' } })
  t.match(await alice.post('/v1/cluster/', { aggregation_mode: 'median' }), { status: 400, body: { detail: /aggregation_mode/ } })
  for (const [body, outcome] of [
    [{ aggregation_mode: 5 }, 'body.aggregation_mode: string_type'],
    [{ coupling_factor: 1.01 }, 'body.coupling_factor: less_than_equal'],
    [{ coupling_factor: -0.01 }, 'body.coupling_factor: greater_than_equal'],
    [{ coupling_factor: '0.5' }, 'body.coupling_factor: float_type'],
    [{ name: '' }, 'body.name: string_too_short'],
    [{ name: 'x'.repeat(257) }, 'body.name: string_too_long'],
    [{ cluster_id: 'a b' }, 'body.cluster_id: string_pattern_mismatch'],
    [{ dimension: 0 }, 'body.dimension: greater_than_equal'],
    [{ dimension: 4, template_embedding: [1, 2] }, 'body.template_embedding: value_error']
  ] as const) {
    t.equal(finding(await alice.post('/v1/cluster/', body)), outcome, outcome)
  }
  t.equal((await alice.post('/v1/cluster/', { name: null, aggregation_mode: null, coupling_factor: null })).status, 201, 'null is none')
})

t.test('members: added, weighed, removed; and the reasons against it', async (t) => {
  const alice = await startAlice(t)
  await make(alice, 'c')
  await make(alice, 'd')
  await join(alice, 'c', 'a', 'b')
  const added = { cluster_id: 'c', session_id: 'a', added: true, member_count: 2 }
  t.strictSame(await alice.post('/v1/cluster/c/members', { session_id: 'a', weight: 2.5 }), { status: 200, body: added })
  t.match((await alice.get('/v1/cluster/c')).body, { member_count: 2, members: ['a', 'b'], member_weights: { a: 2.5, b: 1 } })
  t.match((await alice.post('/v1/cluster/d/members', { session_id: 'c' })).body, { added: true }, "another cluster's session may be one")
  await alice.post('/v1/session/create', { session_id: 'wide', dimension: 128 })
  t.equal(finding(await alice.post('/v1/cluster/c/members', { session_id: 'c' })), 'body.session_id: value_error', 'its own may not')
  t.equal(finding(await alice.post('/v1/cluster/c/members', { session_id: 'wide' })), 'body.session_id: value_error')
  t.equal(finding(await alice.post('/v1/cluster/c/members', {})), 'body.session_id: missing')
  for (const weight of [0, -1])
    t.equal(finding(await alice.post('/v1/cluster/c/members', { session_id: 'a', weight })), 'body.weight: greater_than')
  t.match(await alice.post('/v1/cluster/c/members', { session_id: 'nobody' }), { status: 404, body: { detail: 'Session not found' } })
  t.match(await alice.post('/v1/cluster/none/members', { session_id: 'a' }), { status: 404, body: { detail: 'Cluster not found' } })
  t.strictSame(await alice.delete('/v1/cluster/c/members/b'), { status: 200, body: { cluster_id: 'c', session_id: 'b', removed: true } })
  t.match(await alice.delete('/v1/cluster/c/members/b'), { status: 404, body: { detail: 'Member not found' } })
  t.match(await alice.delete('/v1/cluster/none/members/b'), { status: 404, body: { detail: 'Cluster not found' } })
  t.match((await alice.get('/v1/cluster/')).body, [
    { cluster_id: 'c', member_count: 1 },
    { cluster_id: 'd', member_count: 1 }
  ])
})

t.test('sessions and clusters: a session that ends leaves its clusters, and stays while a cluster needs it', async (t) => {
  const alice = await startAlice(t)
  await make(alice, 'c')
  await join(alice, 'c', 'a', 'b')
  t.match(await alice.delete('/v1/session/c'), { status: 409, body: { detail: 'Session belongs to a cluster: delete the cluster' } })
  await alice.delete('/v1/session/a')
  t.match((await alice.get('/v1/cluster/c')).body, { members: ['b'] })
  await alice.delete('/v1/cluster/c')
  await make(alice, 'c')
  await alice.post('/v1/store', { session_id: 'b', response: 'It rises in spring.' })
  t.match((await alice.get('/v1/cluster/c')).body, { total_memories: 0 }, 'a member of the former cluster tells the new one nothing')
  t.equal((await alice.delete('/v1/session/b')).status, 200)
})

t.test('a cluster in memory that retains nothing: outlives evictions, without the members that did not', async (t) => {
  // One node: several share a storage, which retains records.
  const alice = await (await startService(t, { nodes: 1, env: { SERVICE_MAX_SESSIONS: '3' } })).as('alice')
  await make(alice, 'c')
  await alice.post('/v1/cluster/c/store', { message: 'Who wrote Faust?', response: 'Goethe wrote it.' })
  await join(alice, 'c', 'a', 'b', 'd')
  await make(alice, 'other')
  t.equal((await alice.get('/v1/metrics/a')).status, 404)
  t.match((await alice.get('/v1/cluster/c')).body, { members: ['d'], total_memories: 2 })
  t.match((await alice.post('/v1/cluster/c/run', { message: 'Who wrote Faust?' })).body, { short_circuit: true })
})

t.test('clusters of one subject: not there for another', async (t) => {
  const { as } = await startService(t)
  const [alice, mallory] = [await as('alice'), await as('mallory')]
  await make(alice, 'c')
  await join(alice, 'c', 'a')
  await mallory.post('/v1/session/create', { session_id: 'm', dimension: DIMENSION })
  const missing = { status: 404, body: { detail: 'Cluster not found' } }
  t.strictSame(await mallory.get('/v1/cluster/'), { status: 200, body: [] })
  t.strictSame(await mallory.get('/v1/cluster/c'), missing)
  t.strictSame(await mallory.delete('/v1/cluster/c'), missing)
  t.strictSame(await mallory.post('/v1/cluster/c/members', { session_id: 'm' }), missing)
  t.strictSame(await mallory.delete('/v1/cluster/c/members/a'), missing)
  t.strictSame(await mallory.post('/v1/cluster/c/feedback'), missing)
  t.strictSame(await mallory.post('/v1/cluster/c/store', { message: 'q', response: 'a' }), missing)
  t.strictSame(await mallory.post('/v1/cluster/c/run', { message: 'q' }), missing)
  t.equal((await mallory.post('/v1/cluster/', { cluster_id: 'c' })).status, 201, 'and the id is free for her')
  t.match(await mallory.post('/v1/cluster/c/members', { session_id: 'a' }), { status: 404, body: { detail: 'Session not found' } })
  t.match((await alice.get('/v1/cluster/c')).body, { members: ['a'] })
})

t.test('a cluster: 401 without a licence, on every row', async (t) => {
  const { service } = await startService(t)
  for (const [method, path] of [
    ['POST', ''],
    ['GET', ''],
    ['GET', 'c'],
    ['DELETE', 'c'],
    ['POST', 'c/members'],
    ['DELETE', 'c/members/s'],
    ['POST', 'c/store'],
    ['POST', 'c/run'],
    ['POST', 'c/feedback']
  ] as const) {
    t.equal((await service.http.inject({ method, url: `/v1/cluster/${path}` })).statusCode, 401, `${method} ${path}`)
  }
})

t.test('ids that no cluster can have: not found', async (t) => {
  const alice = await startAlice(t)
  for (const id of ['a%20b', 'a.b', 'x'.repeat(129)]) {
    t.equal((await alice.get(`/v1/cluster/${id}`)).status, 404)
    t.match(await alice.post(`/v1/cluster/${id}/run`, { message: 'q' }), { status: 404, body: { detail: 'Cluster not found' } })
  }
})
