// The list of sessions against the real service, with a storage that keeps what is evicted.
import t from 'tap'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { createManualClock } from '../../support/manual-clock.js'
import { type AnswerBody, type Caller, finding, startService } from '../../support/real-service.js'

async function list(caller: Caller, query = ''): Promise<{ ids: unknown[]; states: unknown[]; next: unknown }> {
  const { body } = await caller.get(`/v1/sessions${query}`)
  const sessions = body['sessions'] as AnswerBody[]
  return { ids: sessions.map((one) => one['session_id']), states: sessions.map((one) => one['state']), next: body['next'] }
}

t.test('sessions of a subject: listed by id with what they hold, and none of anybody else', async (t) => {
  const { as } = await startService(t)
  const [alice, mallory] = [await as('alice'), await as('mallory')]
  t.strictSame(await alice.get('/v1/sessions'), { status: 200, body: { sessions: [], next: null } })
  await alice.post('/v1/session/create', { session_id: 'b', dimension: 8 })
  await alice.post('/v1/session/a/memories', { memories: [{ text: 'no session' }] })
  await alice.post('/v1/run', { session_id: 'a', message: 'one' })
  await mallory.post('/v1/run', { session_id: 'c', message: 'hers' })
  const metrics = (await alice.get('/v1/metrics/a')).body
  const first = {
    session_id: 'a',
    state: 'active',
    model_name: metrics['model_name'],
    total_memories: 1,
    last_active_at: metrics['last_active_at']
  }
  const { status, body } = await alice.get('/v1/sessions')
  t.equal(status, 200)
  t.strictSame((body['sessions'] as unknown[])[0], first)
  t.strictSame(await list(alice), { ids: ['a', 'b'], states: ['active', 'active'], next: null })
  await alice.delete('/v1/session/a')
  t.strictSame((await list(alice)).ids, ['b'])
})

t.test('sessions: page by page, every one once', async (t) => {
  const alice = await (await startService(t)).as('alice')
  const ids = ['A', 'B', '_', 'a', 'a-1', 'a1', 'b']
  for (const id of [...ids].reverse()) await alice.post('/v1/session/create', { session_id: id })
  t.strictSame((await list(alice)).ids, [...ids].sort())
  const seen: unknown[] = []
  for (let query = '?limit=2'; ;) {
    const page = await list(alice, query)
    seen.push(...page.ids)
    if (page.next === null) break
    t.equal(page.next, page.ids.at(-1))
    query = `?limit=2&after=${page.next as string}`
  }
  t.strictSame(seen, [...ids].sort())
  t.strictSame((await list(alice, '?limit=7')).next, null)
  t.strictSame((await list(alice, '?after=zzz')).ids, [])
  t.strictSame((await list(alice, '?after=a-0')).ids, ['a-1', 'a1', 'b'], 'after an id that is none')
})

t.test('sessions: bad input, 422 with the loc of the field', async (t) => {
  const alice = await (await startService(t)).as('alice')
  for (const [query, outcome] of [
    ['limit=0', 'query.limit: greater_than_equal'],
    ['limit=1001', 'query.limit: less_than_equal'],
    ['limit=x', 'query.limit: int_parsing'],
    ['after=', 'query.after: string_too_short'],
    ['after=a%20b', 'query.after: string_pattern_mismatch'],
    [`after=${'a'.repeat(129)}`, 'query.after: string_too_long']
  ]) {
    t.equal(finding(await alice.get(`/v1/sessions?${query}`)), outcome)
  }
})

t.test('sessions: listing wakes none and counts as use of none', async (t) => {
  const clock = createManualClock()
  const storage = createMemoryStorage({ retains: true })
  let activations = 0
  const counted = {
    ...storage,
    activate: (...args: Parameters<typeof storage.activate>) => ((activations += 1), storage.activate(...args))
  }
  const env = { SERVICE_SESSION_IDLE_TTL_S: '100', SERVICE_SESSION_SWEEP_S: '10' }
  const alice = await (await startService(t, { env, overrides: { clock, storage: counted } })).as('alice')
  await alice.post('/v1/run', { session_id: 'old', message: 'one' })
  await alice.post('/v1/session/old/memories', { memories: [{ text: 'two' }, { text: 'three' }] })
  await clock.advance(95_000)
  await alice.post('/v1/run', { session_id: 'young', message: 'one' })
  t.strictSame((await list(alice)).states, ['active', 'active'])
  await clock.advance(15_000)
  const before = activations
  for (let n = 0; n < 2; n++) {
    const { body } = await alice.get('/v1/sessions')
    t.match(body, {
      sessions: [
        { session_id: 'old', state: 'stored', total_memories: 3 },
        { session_id: 'young', state: 'active' }
      ]
    })
  }
  t.equal(activations, before)
  t.match(await alice.get('/v1/state/metrics'), { body: { session_id: 'young' } })
  t.match(await alice.get('/v1/health'), { body: { active_sessions: 1 } })
  await clock.advance(60_000)
  t.strictSame((await list(alice)).states, ['stored', 'active'])
  await clock.advance(60_000)
  t.strictSame((await list(alice)).states, ['stored', 'stored'], 'listed in between, and evicted all the same')
})

t.test('sessions: an idle one is put away by the next sweep, and no sooner', async (t) => {
  const clock = createManualClock()
  const env = { SERVICE_SESSION_IDLE_TTL_S: '100', SERVICE_SESSION_SWEEP_S: '30' }
  const storage = createMemoryStorage({ retains: true })
  const alice = await (await startService(t, { env, overrides: { clock, storage } })).as('alice')
  await alice.post('/v1/run', { session_id: 'idle', message: 'one' })
  await clock.advance(119_000)
  t.strictSame((await list(alice)).states, ['active'])
  await clock.advance(2_000)
  t.strictSame((await list(alice)).states, ['stored'])
})

t.test('sessions: an expired memory, counted no more', async (t) => {
  const clock = createManualClock()
  const storage = createMemoryStorage({ retains: true })
  const alice = await (await startService(t, { overrides: { clock, storage } })).as('alice')
  await alice.post('/v1/session/create', { session_id: 's' })
  const memories = [
    { text: 'stays' },
    { text: 'goes', expires_at: clock.now() + 60 },
    { text: 'goes later', expires_at: clock.now() + 600 }
  ]
  await alice.post('/v1/session/s/memories', { memories })
  const total = async () => ((await alice.get('/v1/sessions')).body['sessions'] as AnswerBody[])[0]?.['total_memories']
  t.equal(await total(), 3)
  await clock.advance(60_000)
  t.equal(await total(), 2)
  await alice.post('/v1/run', { session_id: 's', message: 'hello' })
  t.equal(await total(), 3)
})

t.test('sessions: those whose id holds a text, in capitals or not, page by page', async (t) => {
  const { as } = await startService(t)
  const [alice, mallory] = [await as('alice'), await as('mallory')]
  for (const id of ['anna-1', 'ANNA-2', 'bob', 'joanna']) await alice.post('/v1/session/create', { session_id: id })
  await mallory.post('/v1/session/create', { session_id: 'anna-3' })
  t.strictSame((await list(alice, '?contains=aNNa')).ids, ['ANNA-2', 'anna-1', 'joanna'])
  const first = await list(alice, '?contains=anna&limit=2')
  t.strictSame([first.ids, first.next], [['ANNA-2', 'anna-1'], 'anna-1'])
  t.strictSame(await list(alice, '?contains=anna&limit=2&after=anna-1'), { ids: ['joanna'], states: ['active'], next: null })
  t.strictSame((await list(alice, '?contains=nobody')).ids, [])
  t.equal(finding(await alice.get('/v1/sessions?contains=a%25')), 'query.contains: string_pattern_mismatch')
  t.equal(finding(await alice.get('/v1/sessions?contains=')), 'query.contains: string_pattern_mismatch')
})
