// How clusters use what their sessions know: store, run, aggregate and feedback, over HTTP against the real service.
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ATTENTION_TEMPERATURE } from '../../../src/domain/coordination/aggregate.js'
import { type AnswerBody, type Caller, finding, startService } from '../../support/real-service.js'

const DIMENSION = 64

const TALKS: Readonly<Record<string, string>> = {
  a: 'The invoice of March was paid twice by the bank.',
  b: 'Please refund the invoice that the bank has paid.',
  d: 'A violin concerto by Sibelius in D minor.'
}

async function startAlice(t: Test, env: Record<string, string> = {}): Promise<Caller> {
  return (await startService(t, { env })).as('alice')
}

async function makeCluster(caller: Caller, id: string, more: object = {}): Promise<void> {
  await caller.post('/v1/cluster/', { cluster_id: id, dimension: DIMENSION, ...more })
}

const add = (caller: Caller, cluster: string, session_id: string, weight = 1) =>
  caller.post(`/v1/cluster/${cluster}/members`, { session_id, weight })

/** Creates sessions with some turns, each also in a cluster of its own, whose aggregate is the session's state. */
async function makeSessions(caller: Caller, ...ids: string[]): Promise<void> {
  for (const session_id of ids) {
    await caller.post('/v1/session/create', { session_id, dimension: DIMENSION })
    await caller.post('/v1/run', { session_id, message: TALKS[session_id] })
    await makeCluster(caller, `of-${session_id}`)
    await add(caller, `of-${session_id}`, session_id)
  }
}

const aggregateOf = async (caller: Caller, cluster: string) =>
  (await caller.get(`/v1/cluster/${cluster}`)).body['aggregate_vector'] as number[]
const stateOf = (caller: Caller, session: string) => aggregateOf(caller, `of-${session}`)
const checksumOf = async (caller: Caller, session: string) => (await caller.get(`/v1/session/${session}/export`)).body['checksum']

function weighted(...terms: readonly (readonly [weight: number, vector: readonly number[]])[]): number[] {
  const sum = Array.from({ length: DIMENSION }, (_, at) => terms.reduce((so, [weight, vector]) => so + weight * (vector[at] ?? 0), 0))
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}

const cosine = (a: readonly number[], b: readonly number[]) => a.reduce((so, value, at) => so + value * (b[at] ?? 0), 0)

function same(t: Test, actual: readonly number[], expected: readonly number[], message: string): void {
  t.equal(actual.length, expected.length)
  t.ok(
    actual.every((value, at) => Math.abs(value - (expected[at] ?? Number.NaN)) < 1e-6),
    message
  )
}

t.test('aggregates: as computed from the states of the members', async (t) => {
  const alice = await startAlice(t)
  await makeSessions(alice, 'a', 'b', 'd')
  await makeCluster(alice, 'mean')
  await makeCluster(alice, 'attentive', { aggregation_mode: 'attention' })
  t.equal((await alice.get('/v1/cluster/mean')).body['aggregate_vector'], null)
  for (const cluster of ['mean', 'attentive'])
    for (const [session, weight] of [
      ['a', 1],
      ['b', 0.5],
      ['d', 3]
    ] as const)
      await add(alice, cluster, session, weight)
  const [a, b, d] = [await stateOf(alice, 'a'), await stateOf(alice, 'b'), await stateOf(alice, 'd')]
  same(t, await aggregateOf(alice, 'mean'), weighted([1, a], [0.5, b], [3, d]), 'weighted average')
  same(t, await aggregateOf(alice, 'attentive'), weighted([1, a], [0.5, b], [3, d]), 'attention, before the cluster has a state')
  await alice.post('/v1/cluster/attentive/run', { message: 'Has the invoice been paid by the bank?' })
  await makeCluster(alice, 'of-attentive')
  await add(alice, 'of-attentive', 'attentive')
  const own = await stateOf(alice, 'attentive')
  const attention = (state: number[]) => Math.exp(cosine(state, own) / ATTENTION_TEMPERATURE)
  same(t, await aggregateOf(alice, 'attentive'), weighted([attention(a), a], [0.5 * attention(b), b], [3 * attention(d), d]), 'attention')
  for (const session of ['a', 'b', 'd']) await alice.delete(`/v1/cluster/attentive/members/${session}`)
  same(t, await aggregateOf(alice, 'attentive'), own, 'without members: its own')
})

t.test('feedback: coupling 0 leaves members byte for byte, 1 makes them the aggregate, 0.25 a quarter of it', async (t) => {
  const alice = await startAlice(t)
  await makeSessions(alice, 'a', 'b', 'd')
  for (const [id, coupling_factor] of [
    ['loose', 0],
    ['quarter', 0.25],
    ['tight', 1]
  ] as const) {
    await makeCluster(alice, id, { coupling_factor })
    for (const session of ['a', 'b', 'd']) await add(alice, id, session)
  }
  const before = await checksumOf(alice, 'a')
  t.strictSame(await alice.post('/v1/cluster/loose/feedback'), { status: 200, body: { cluster_id: 'loose', sessions_updated: 0 } })
  t.equal(await checksumOf(alice, 'a'), before)

  const states = new Map<string, number[]>()
  for (const session of ['a', 'b', 'd']) states.set(session, await stateOf(alice, session))
  const aggregate = await aggregateOf(alice, 'quarter')
  t.strictSame(await alice.post('/v1/cluster/quarter/feedback'), { status: 200, body: { cluster_id: 'quarter', sessions_updated: 3 } })
  for (const [session, state] of states)
    same(t, await stateOf(alice, session), weighted([0.75, state], [0.25, aggregate]), `a quarter: ${session}`)

  const target = await aggregateOf(alice, 'tight')
  t.match(await alice.post('/v1/cluster/tight/feedback'), { body: { sessions_updated: 3 } })
  for (const session of states.keys()) same(t, await stateOf(alice, session), target, `all of it: ${session}`)
  const after = await checksumOf(alice, 'a')
  await alice.post('/v1/cluster/loose/feedback')
  t.equal(await checksumOf(alice, 'a'), after)
  t.match(await alice.post('/v1/cluster/none/feedback'), { status: 404, body: { detail: 'Cluster not found' } })
})

t.test('store: pairs that every member finds, and short-circuits on', async (t) => {
  const alice = await startAlice(t)
  await makeCluster(alice, 'c')
  await makeSessions(alice, 'a')
  await add(alice, 'c', 'a')
  t.strictSame(await alice.post('/v1/cluster/c/store', { message: 'Who wrote Faust?', response: 'Goethe wrote it.' }), {
    status: 200,
    body: { cluster_id: 'c', stored: 1 }
  })
  const pairs = [
    { message: 'Where is the harbour?', response: 'South of the bridge.' },
    { message: 'When does it open?', response: 'At nine.', user_id: 'ann' }
  ]
  t.match(await alice.post('/v1/cluster/c/store', { pairs }), { body: { stored: 2 } })
  t.match((await alice.get('/v1/cluster/c')).body, { total_memories: 6, interaction_count: 0 })
  await alice.post('/v1/cluster/c/store', { pairs })
  t.match((await alice.get('/v1/cluster/c')).body, { total_memories: 6 }, 'the same again changes nothing')
  const found = await alice.post('/v1/run', { session_id: 'a', message: 'Who wrote Faust?' })
  t.match(found.body, { session_id: 'a', short_circuit: true, context: /A: Goethe wrote it\./ })
})

t.test('store: neither a pair nor pairs, 422 with the loc of the field', async (t) => {
  const alice = await startAlice(t)
  await makeCluster(alice, 'c')
  const pair = { message: 'q', response: 'a' }
  for (const [body, outcome] of [
    [{}, 'body.pairs: missing'],
    [{ pairs: [] }, 'body.pairs: too_short'],
    [{ pairs: Array.from({ length: 501 }, () => pair) }, 'body.pairs: too_long'],
    [{ pairs: [{ message: 'q' }] }, 'body.pairs.0.response: missing'],
    [{ pairs: [{ ...pair, response: '' }] }, 'body.pairs.0.response: string_too_short'],
    [{ message: 'q' }, 'body.response: value_error'],
    [{ response: 'a' }, 'body.pairs: missing'],
    [{ ...pair, pairs: [pair] }, 'body.message: value_error'],
    [[pair], 'body: model_attributes_type']
  ] as const) {
    t.equal(finding(await alice.post('/v1/cluster/c/store', body)), outcome, outcome)
  }
  t.match(await alice.post('/v1/cluster/none/store', pair), { status: 404, body: { detail: 'Cluster not found' } })
  await alice.post('/v1/session/create', { session_id: 'plain' })
  t.match(
    await alice.post('/v1/cluster/plain/store', pair),
    { status: 404, body: { detail: 'Cluster not found' } },
    'a session that backs no cluster'
  )
})

t.test('run: on the shared session, whatever session the body names; never makes a cluster', async (t) => {
  const alice = await startAlice(t)
  await makeCluster(alice, 'c')
  await alice.post('/v1/cluster/c/store', { message: 'Who wrote Faust?', response: 'Goethe wrote it.' })
  const message = 'Who is the author of Faust?'
  const strict = await alice.post('/v1/cluster/c/run', { session_id: 'another', message, short_circuit_threshold: 1 })
  t.match(strict, { status: 200, body: { session_id: 'c', short_circuit: false, turn: 1 } })
  t.match((await alice.post('/v1/cluster/c/run', { message, short_circuit_threshold: 0.85 })).body, { short_circuit: true, turn: 2 })
  t.match((await alice.get('/v1/cluster/c')).body, { interaction_count: 2 })
  t.equal(finding(await alice.post('/v1/cluster/c/run', {})), 'body.message: missing')
  t.equal(finding(await alice.post('/v1/cluster/c/run', { session_id: 'not an id!', message })), 'body.session_id: string_pattern_mismatch')
  t.equal(
    finding(await alice.post('/v1/cluster/c/run', { message: 'q', short_circuit_threshold: 2 })),
    'body.short_circuit_threshold: less_than_equal'
  )
  await alice.post('/v1/session/create', { session_id: 'plain' })
  for (const id of ['none', 'plain']) {
    t.match(await alice.post(`/v1/cluster/${id}/run`, { message: 'q' }), { status: 404, body: { detail: 'Cluster not found' } })
  }
  t.equal((await alice.get('/v1/metrics/none')).status, 404)
})

t.test('a cluster on disk: as it was after evictions and a restart, and deleted for good', async (t) => {
  // One active actor per kind, so that each request passivates what the one before used.
  const env = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(t.testdir(), 'records.db')}`, SERVICE_MAX_SESSIONS: '1' }
  const { service, as } = await startService(t, { env })
  const before = await as('alice')
  await makeSessions(before, 'a', 'b', 'd')
  await makeCluster(before, 'c', { name: 'kept', coupling_factor: 1 })
  for (const session of ['a', 'b', 'd']) await add(before, 'c', session, 2)
  await before.post('/v1/cluster/c/store', { message: 'Who wrote Faust?', response: 'Goethe wrote it.' })
  t.match(await before.post('/v1/cluster/c/feedback'), { body: { sessions_updated: 3 } })
  const read = await before.get('/v1/cluster/c')
  await service.close()

  const alice = await startAlice(t, env)
  const again = await alice.get('/v1/cluster/c')
  const vector = ({ body }: { body: AnswerBody }) => body['aggregate_vector'] as number[]
  same(t, vector(again), vector(read), 'the same aggregate')
  t.strictSame({ ...again.body, aggregate_vector: null }, { ...read.body, aggregate_vector: null })
  t.match((await alice.get('/v1/cluster/')).body, { 0: { cluster_id: 'c', name: 'kept', member_count: 3 } })
  same(t, await stateOf(alice, 'a'), vector(read), 'and the feedback is in the members')
  t.match((await alice.post('/v1/run', { session_id: 'b', message: 'Who wrote Faust?' })).body, { short_circuit: true })
  t.equal((await alice.delete('/v1/session/c')).status, 409)
  t.equal((await alice.delete('/v1/cluster/c')).status, 200)
  t.equal((await alice.get('/v1/metrics/c')).status, 404)
  t.match((await alice.post('/v1/run', { session_id: 'd', message: 'Who wrote Faust?' })).body, { short_circuit: false })
})

t.test('a drift of a cluster: one event in each of its two regions', async (t) => {
  const alice = await startAlice(t, { SERVICE_DRIFT_THRESHOLD: '0.1' })
  await makeCluster(alice, 'c')
  const regions: string[] = []
  for (let n = 0; n < 2; n++) {
    const region = String((await alice.post('/v1/region/', { vote_window_seconds: 3_600 })).body['region_id'])
    await alice.post(`/v1/region/${region}/clusters`, { cluster_id: 'c' })
    regions.push(region)
  }
  for (const message of [TALKS['a'], TALKS['b']]) await alice.post('/v1/cluster/c/run', { message })
  t.match((await alice.post('/v1/cluster/c/run', { message: TALKS['d'] })).body, { drift_detected: true })
  const events = await Promise.all(
    regions.map(async (region) => (await alice.get(`/v1/region/${region}/events`)).body as unknown as AnswerBody[])
  )
  t.strictSame(
    events.map((own) => own.length),
    [1, 1]
  )
  t.match(events[0]?.[0], { cluster_id: 'c', event_id: events[1]?.[0]?.['event_id'] })
  t.match((await alice.get('/v1/cluster/c')).body, { drift_phase: /shifting|drifted/ })
  await alice.delete('/v1/cluster/c')
  t.match((await alice.get(`/v1/region/${String(regions[0])}`)).body, { cluster_count: 0, clusters: [] })
})
