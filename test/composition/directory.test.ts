// Which session a subject used last, although background work reads sessions too.
import t from 'tap'
import { createMemoryStorage } from '../../src/storage/memory.js'
import { createManualClock } from '../support/manual-clock.js'
import { type Caller, startService } from '../support/real-service.js'

const SETTINGS = { dimension: 32 }

/** Creates a cluster with a turn, in a region that an observer reads each second. Each write has a time of its own. */
async function observe(caller: Caller, tick: () => Promise<void>): Promise<void> {
  await caller.post('/v1/cluster/', { cluster_id: 'k', ...SETTINGS })
  await caller.post('/v1/cluster/k/run', { message: 'Which invoice was paid twice?' })
  await tick()
  const { region_id } = (await caller.post('/v1/region/', SETTINGS)).body
  await caller.post(`/v1/region/${region_id as string}/clusters`, { cluster_id: 'k' })
  await tick()
  await caller.post('/v1/observer/', { sample_interval_seconds: 1, region_ids: [region_id] })
  await tick()
}

const lastUsed = async (caller: Caller) => (await caller.get('/v1/state/metrics')).body['session_id']

t.test('the session used last: what actors look at in the background is no use of it', async (t) => {
  const clock = createManualClock()
  const { as } = await startService(t, { overrides: { clock } })
  const [alice, bob] = [await as('alice'), await as('bob')]
  await observe(alice, () => clock.advance(1_000))
  await alice.post('/v1/run', { session_id: 'a', message: 'What does the refund take?' })
  for (let second = 0; second < 3; second++) await clock.advance(1_000)
  t.not((await alice.get('/v1/observer/summary')).body['last_sample_at'], null, 'there were samples')
  t.equal(await lastUsed(alice), 'a')
  const { region_id } = (await alice.post('/v1/region/', SETTINGS)).body
  t.equal(await lastUsed(alice), 'a', 'a region and its meta-session are no use')
  await alice.get(`/v1/region/${region_id as string}`)
  await alice.get('/v1/cluster/k')
  await alice.post('/v1/observer/sample')
  t.equal(await lastUsed(alice), 'a', 'nor is it to look at groups of sessions')
  await clock.advance(1_000)
  await alice.post('/v1/cluster/k/run', { message: 'And which one was not?' })
  t.equal(await lastUsed(alice), 'k', 'a cluster that is run is used')
  t.equal((await bob.get('/v1/state/metrics')).status, 404)
  await bob.post('/v1/region/', SETTINGS)
  t.equal((await bob.get('/v1/state/metrics')).status, 404, 'nobody has used any')
})

t.test('the session used last, after a restart: what owners made for themselves does not count', async (t) => {
  const clock = createManualClock()
  // The first service leaves it open for the second.
  const storage = { ...createMemoryStorage({ retains: true }), close: () => Promise.resolve() }
  const first = await startService(t, { overrides: { clock, storage } })
  const alice = await first.as('alice')
  await alice.post('/v1/run', { session_id: 'a', message: 'What does the refund take?' })
  await clock.advance(1_000)
  const { region_id } = (await alice.post('/v1/region/', SETTINGS)).body
  await alice.post('/v1/observer/', { region_ids: [region_id] })
  await alice.post('/v1/cluster/', { cluster_id: 'k', ...SETTINGS })
  await first.close()
  const again = await (await startService(t, { overrides: { clock, storage } })).as('alice')
  t.match(await again.get('/v1/state/metrics'), { status: 200, body: { session_id: 'a' } })
})

t.test('however much a subject lists at once, storage is asked for a few of its records at a time', async (t) => {
  const own = createMemoryStorage({ retains: true })
  let underWay = 0
  let most = 0
  const heads: typeof own.heads = async (query) => {
    most = Math.max(most, (underWay += 1))
    await new Promise((resolve) => setImmediate(resolve))
    underWay -= 1
    return own.heads(query)
  }
  const { as } = await startService(t, { overrides: { storage: { ...own, heads } } })
  const alice = await as('alice')
  for (let at = 0; at < 40; at++) await alice.post('/v1/session/create', { session_id: `s${String(at)}` })
  most = 0
  const answers = await Promise.all(Array.from({ length: 24 }, (_, at) => alice.get(at % 2 === 0 ? '/v1/sessions' : '/v1/days')))
  t.strictSame([...new Set(answers.map(({ status }) => status))], [200])
  t.equal(answers[0]?.body['sessions'] instanceof Array && answers[0].body['sessions'].length, 40)
  t.ok(most <= 8, `${String(most)} at a time`)
})
