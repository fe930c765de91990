/** Regions through HTTP, on a real service. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Address } from '../../../src/domain/address.js'
import { DomainError } from '../../../src/domain/errors.js'
import { createSystemClock } from '../../../src/platform/clock.js'
import type { ActorStorage, Logger } from '../../../src/ports.js'
import { createSqlStorage } from '../../../src/storage/sql/storage.js'
import { type Answer, type AnswerBody, type Caller, finding, startService } from '../../support/real-service.js'
import { until } from '../../support/until.js'

const TALK = ['Which invoice was paid twice?', 'The invoice of March was paid twice.', 'Please refund the invoice that was paid twice.']
const ELSEWHERE = 'A violin concerto by Sibelius, its first movement in D minor.'

/** Creates a region and returns the answer. */
async function makeRegion(
  caller: Caller,
  body: object = {}
): Promise<AnswerBody & { readonly region_id: string; readonly meta_session_id: string }> {
  const { body: made } = await caller.post('/v1/region/', { vote_window_seconds: 3_600, ...body })
  return made as AnswerBody & { region_id: string; meta_session_id: string }
}

async function makeCluster(caller: Caller, body: object = {}): Promise<string> {
  return String((await caller.post('/v1/cluster/', body)).body['cluster_id'])
}

async function attach(caller: Caller, region: { region_id: string }, clusterId: string): Promise<Answer> {
  return caller.post(`/v1/region/${region.region_id}/clusters`, { cluster_id: clusterId })
}

/** Makes a cluster drift: talks about one topic, then about another. */
async function drift(t: Test, caller: Caller, clusterId: string, elsewhere = ELSEWHERE): Promise<void> {
  const answers: Answer[] = []
  for (const message of [...TALK, elsewhere]) answers.push(await caller.post(`/v1/cluster/${clusterId}/run`, { message }))
  t.strictSame(
    answers.map(({ body }) => body['drift_detected']),
    [false, false, false, true]
  )
}

const read = async (caller: Caller, { region_id }: { region_id: string }) => (await caller.get(`/v1/region/${region_id}`)).body
const eventsOf = async (caller: Caller, { region_id }: { region_id: string }, query = '') =>
  (await caller.get(`/v1/region/${region_id}/events${query}`)).body as unknown as AnswerBody[]
const vectorOf = async (caller: Caller, clusterId: string) =>
  (await caller.get(`/v1/cluster/${clusterId}`)).body['aggregate_vector'] as number[]

function mean(...vectors: number[][]): number[] {
  const sum = vectors[0]!.map((_, at) => vectors.reduce((total, vector) => total + vector[at]!, 0))
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}

function near(t: Test, actual: number[], expected: number[], message: string): void {
  t.ok(
    actual.every((value, at) => Math.abs(value - expected[at]!) < 1e-5),
    message
  )
}

t.test('a region made with nothing or with everything is answered, listed and read', async (t) => {
  const alice = await (await startService(t)).as('alice')
  const plain = await alice.post('/v1/region', {})
  t.equal(plain.status, 201)
  const id = String(plain.body['region_id'])
  t.strictSame(plain.body, { region_id: id, name: null, meta_session_id: `meta-${id}`, consensus_threshold: 0.5, vote_window_seconds: 60 })
  const named = await alice.post('/v1/region/', {
    name: 'Europe',
    consensus_threshold: 1,
    vote_window_seconds: 0.5,
    dimension: 8,
    other: true
  })
  t.match(named.body, { name: 'Europe', consensus_threshold: 1, vote_window_seconds: 0.5 })
  t.match((await alice.get(`/v1/state/metrics?session_id=${String(named.body['meta_session_id'])}`)).body, { dimension: 8 })
  for (const path of ['/v1/region/', '/v1/region']) {
    const listed = (await alice.get(path)).body as unknown as AnswerBody[]
    t.strictSame(
      listed.find((one) => one['region_id'] === id),
      { ...plain.body, cluster_count: 0 }
    )
    t.equal(listed.length, 2)
  }
  const region = await alice.get(`/v1/region/${id}`)
  t.strictSame(region.body, {
    ...plain.body,
    cluster_count: 0,
    clusters: [],
    recent_drift_events: [],
    last_realignment: null,
    realignment_count: 0
  })
})

t.test('a region asked for with what does not fit is refused field by field', async (t) => {
  const alice = await (await startService(t)).as('alice')
  const refusals: [object, string][] = [
    [{ consensus_threshold: 0 }, 'body.consensus_threshold: greater_than'],
    [{ consensus_threshold: 1.01 }, 'body.consensus_threshold: less_than_equal'],
    [{ vote_window_seconds: 0 }, 'body.vote_window_seconds: greater_than'],
    [{ vote_window_seconds: '60' }, 'body.vote_window_seconds: float_type'],
    [{ name: '' }, 'body.name: string_too_short'],
    [{ dimension: 0 }, 'body.dimension: greater_than_equal'],
    [{ dimension: 2, template_embedding: [1, 0, 0] }, 'body.template_embedding: value_error']
  ]
  for (const [body, found] of refusals) t.equal(finding(await alice.post('/v1/region/', body)), found)
  t.strictSame((await alice.get('/v1/region/')).body, [], 'nothing was made')
  const region = await makeRegion(alice)
  t.equal(finding(await attach(alice, region, 'no id')), 'body.cluster_id: string_pattern_mismatch')
  t.equal(finding(await alice.post(`/v1/region/${region.region_id}/clusters`, {})), 'body.cluster_id: missing')
  for (const limit of ['0', '1001', 'x']) t.equal((await alice.get(`/v1/region/${region.region_id}/events?limit=${limit}`)).status, 422)
  for (const limit of ['1', '1000']) t.strictSame((await alice.get(`/v1/region/${region.region_id}/events?limit=${limit}`)).body, [])
})

t.test('attached and detached clusters are counted and listed in the order they came', async (t) => {
  const alice = await (await startService(t)).as('alice')
  const region = await makeRegion(alice)
  const [a, b] = [await makeCluster(alice), await makeCluster(alice)]
  t.strictSame((await attach(alice, region, b)).body, { region_id: region.region_id, cluster_id: b, added: true, cluster_count: 1 })
  await attach(alice, region, a)
  t.match((await attach(alice, region, b)).body, { cluster_count: 2 }, 'twice is fine')
  t.strictSame((await read(alice, region))['clusters'], [b, a])
  t.match((await alice.get('/v1/region/')).body, [{ cluster_count: 2 }])
  const detach = `/v1/region/${region.region_id}/clusters/${b}`
  t.strictSame((await alice.delete(detach)).body, { region_id: region.region_id, cluster_id: b, removed: true })
  t.strictSame(await alice.delete(detach), { status: 404, body: { detail: 'Cluster not found in this region' } })
  t.equal((await alice.delete(`/v1/region/${region.region_id}/clusters/${encodeURIComponent('ä\u0000')}`)).status, 404)
  t.strictSame(await attach(alice, region, 'nowhere'), { status: 404, body: { detail: 'Cluster not found' } })
  await alice.delete(`/v1/cluster/${a}`)
  t.strictSame((await read(alice, region))['clusters'], [], 'a cluster that is deleted leaves its regions')
})

t.test('two clusters that drift realign their region once, each as far as it is coupled', async (t) => {
  const alice = await (await startService(t)).as('alice')
  const region = await makeRegion(alice, { consensus_threshold: 0.5 })
  const [free, tied, twin] = [
    await makeCluster(alice, { coupling_factor: 0 }),
    await makeCluster(alice, { coupling_factor: 1 }),
    await makeCluster(alice)
  ]
  for (const id of [free, tied]) await attach(alice, region, id)
  await drift(t, alice, free)
  t.match(await read(alice, region), { realignment_count: 0, last_realignment: null }, 'half is no majority')
  const elsewhere = 'Volcanoes erupt where plates of the crust drift apart.'
  await drift(t, alice, twin, elsewhere)
  const before = await vectorOf(alice, free)
  const startedAt = Date.now() / 1000
  await drift(t, alice, tied, elsewhere)

  const after = await read(alice, region)
  t.equal(after['realignment_count'], 1)
  t.ok(Number(after['last_realignment']) >= startedAt && Number(after['last_realignment']) <= Date.now() / 1000)
  const consensus = mean(before, await vectorOf(alice, twin))
  t.strictSame(await vectorOf(alice, free), before, 'coupling 0: untouched')
  near(t, await vectorOf(alice, tied), consensus, 'coupling 1: the consensus')
  await makeCluster(alice, { cluster_id: 'probe' })
  await alice.post('/v1/cluster/probe/members', { session_id: region.meta_session_id })
  near(t, await vectorOf(alice, 'probe'), consensus, 'the meta-session has it as its state')

  const events = await eventsOf(alice, region)
  t.strictSame(after['recent_drift_events'], events)
  t.match(events[0], { cluster_id: tied, region_id: region.region_id, drift_phase: 'drifted' })
  t.strictSame(Object.keys(events[0]!).sort(), ['cluster_id', 'drift_phase', 'drift_score', 'event_id', 'region_id', 'timestamp'])
  t.ok(
    events.every((event, at) => at === 0 || Number(event['timestamp']) <= Number(events[at - 1]!['timestamp'])),
    'newest first'
  )
  t.strictSame(await eventsOf(alice, region, '?limit=1'), events.slice(0, 1))

  await drift(t, alice, tied)
  t.equal((await read(alice, region))['realignment_count'], 1, 'once a crossing')
  await alice.delete(`/v1/region/${region.region_id}/clusters/${tied}`)
  await attach(alice, region, tied)
  await drift(t, alice, tied, 'Penguins breed on the ice of Antarctica.')
  t.equal((await read(alice, region))['realignment_count'], 2, 'the votes had been divided in between')
})

t.test('a cluster of two regions votes in both', async (t) => {
  const alice = await (await startService(t)).as('alice')
  const regions = [await makeRegion(alice), await makeRegion(alice)]
  const cluster = await makeCluster(alice)
  for (const region of regions) await attach(alice, region, cluster)
  await drift(t, alice, cluster)
  for (const region of regions) t.match(await read(alice, region), { realignment_count: 1 })
  const ids = await Promise.all(regions.map(async (region) => (await eventsOf(alice, region)).map((event) => event['event_id'])))
  t.strictSame(ids[0], ids[1], 'the drift is the same')
})

t.test('the meta-session of a region whose first cluster is of another dimension is made anew for it', async (t) => {
  const alice = await (await startService(t)).as('alice')
  const region = await makeRegion(alice)
  const cluster = await makeCluster(alice, { dimension: 64, coupling_factor: 1 })
  await attach(alice, region, cluster)
  t.match((await alice.get(`/v1/state/metrics?session_id=${region.meta_session_id}`)).body, { dimension: 64 })
  await drift(t, alice, cluster)
  t.match(await read(alice, region), { realignment_count: 1 })
})

t.test('a region that is deleted takes its meta-session along and leaves its clusters', async (t) => {
  const alice = await (await startService(t)).as('alice')
  const region = await makeRegion(alice)
  const cluster = await makeCluster(alice)
  await attach(alice, region, cluster)
  const meta = `/v1/session/${region.meta_session_id}`
  t.strictSame(await alice.delete(meta), { status: 409, body: { detail: 'Session belongs to a region: delete the region' } })
  t.strictSame(await alice.delete(`/v1/region/${region.region_id}`), { status: 200, body: { region_id: region.region_id, deleted: true } })
  t.equal((await alice.delete(meta)).status, 404)
  t.strictSame(await alice.delete(`/v1/region/${region.region_id}`), { status: 404, body: { detail: 'Region not found' } })
  t.strictSame((await alice.get('/v1/region/')).body, [])
  await drift(t, alice, cluster)
})

t.test('another tenant’s region is not there', async (t) => {
  const { as } = await startService(t)
  const [alice, bob] = [await as('alice'), await as('bob')]
  const region = await makeRegion(alice)
  const [hers, his] = [await makeCluster(alice), await makeCluster(bob)]
  await attach(alice, region, hers)
  const missing = { status: 404, body: { detail: 'Region not found' } }
  const path = `/v1/region/${region.region_id}`
  t.strictSame(await bob.get(path), missing)
  t.strictSame(await bob.get(`${path}/events`), missing)
  t.strictSame(await bob.delete(path), missing)
  t.strictSame(await attach(bob, region, his), missing)
  t.strictSame(await bob.delete(`${path}/clusters/${hers}`), missing)
  t.strictSame((await bob.get('/v1/region/')).body, [])
  t.strictSame(await attach(alice, region, his), { status: 404, body: { detail: 'Cluster not found' } })
  t.match(await read(alice, region), { clusters: [hers] })
})

const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** Storage on which the next write of a region happens without an answer, and nothing about regions is answered from then on. */
function breakingOff(storage: ActorStorage, isBroken: () => boolean): ActorStorage {
  const answered = <Args extends unknown[], Result>(call: (address: Address, ...args: Args) => Promise<Result>) => {
    return async (address: Address, ...args: Args) => {
      const result = await call(address, ...args)
      if (address.kind === 'region' && isBroken()) throw new DomainError('storage_unavailable', 'The storage cannot be reached')
      return result
    }
  }
  return { ...storage, activate: answered(storage.activate), commit: answered(storage.commit), release: answered(storage.release) }
}

t.test('a vote whose delivery nobody heard of before the node ended is told again by the next node and counted once', async (t) => {
  const path = join(t.testdir(), 'records.db')
  const open = () => createSqlStorage({ url: `sqlite:${path}`, clock: createSystemClock(), logger })
  let isBroken = false
  const first = await startService(t, { overrides: { storage: breakingOff(await open(), () => isBroken) } })
  const alice = await first.as('alice')
  const region = await makeRegion(alice, { consensus_threshold: 0.4 })
  const [a, b] = [await makeCluster(alice, { coupling_factor: 1 }), await makeCluster(alice)]
  for (const id of [a, b]) await attach(alice, region, id)
  isBroken = true
  await drift(t, alice, a)
  await first.service.close()

  const second = await startService(t, { overrides: { storage: await open() } })
  const again = await second.as('alice')
  const hasState = async () => (await again.get('/v1/cluster/probe')).body['aggregate_vector'] !== null
  await makeCluster(again, { cluster_id: 'probe' })
  await again.post('/v1/cluster/probe/members', { session_id: region.meta_session_id })
  // The next node delivers what was left undelivered by itself, soon after its start.
  await until(hasState)
  t.match(await read(again, region), { realignment_count: 1, clusters: [a, b] })
  t.equal((await eventsOf(again, region)).length, 1)
  near(t, await vectorOf(again, a), await vectorOf(again, 'probe'), 'the only cluster with a state is the consensus')
})
