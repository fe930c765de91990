// Edits of memories by hand against the real service.
import t from 'tap'
import { type AnswerBody, finding, startService } from '../../support/real-service.js'

const MEMORIES = '/v1/session/s/memories'

t.test('memory: edited and pinned, by its own licence alone, and shown so everywhere', async (t) => {
  const { as } = await startService(t)
  const [alice, mallory] = [await as('alice'), await as('mallory')]
  await alice.post('/v1/session/create', { session_id: 's' })
  await mallory.post('/v1/session/create', { session_id: 's' })
  const given = await alice.post(MEMORIES, { memories: [{ text: 'Anna is allergic to penicillin.', expires_at: 4e9 }] })
  const [{ memory_hash: hash } = {}] = given.body['memories'] as AnswerBody[]
  const url = `${MEMORIES}/${String(hash)}`
  const before = (await alice.get(url)).body
  t.match(before, { pinned: false })
  const edited = { ...before, importance: 2.5, pinned: true }
  t.strictSame(await alice.patch(url, { importance: 2.5, pinned: true }), { status: 200, body: edited })
  t.strictSame((await alice.get(url)).body, edited)
  t.match((await alice.get(MEMORIES)).body, { memories: [{ pinned: true }] })
  t.match((await alice.post('/v1/session/s/search', { query: 'penicillin' })).body, { results: [{ pinned: true }] })
  t.match((await alice.get('/v1/state/context?session_id=s')).body, [{ pinned: true }])
  t.match((await alice.post('/v1/run', { session_id: 's', message: 'Which bus goes to the lake?' })).body, { context: /penicillin/ })
  t.match(await alice.patch(url, { pinned: false, importance: null }), {
    status: 200,
    body: { pinned: false, importance: 2.5, tier: 'long_term' }
  })
  t.strictSame(await mallory.patch(url, { pinned: true }), { status: 404, body: { detail: 'Memory not found' } })
  t.strictSame(await alice.patch('/v1/session/t/memories/0', { pinned: true }), { status: 404, body: { detail: 'Session not found' } })
})

t.test('memory: bad edits, 422 with the loc of the field, and 409 for more pins than there may be', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/session/create', { session_id: 's' })
  const memories = Array.from({ length: 33 }, (_, at) => ({ text: `note number ${at}` }))
  const given = (await alice.post(MEMORIES, { memories })).body['memories'] as AnswerBody[]
  const urls = given.map(({ memory_hash }) => `${MEMORIES}/${String(memory_hash)}`)
  const cases: [body: unknown, outcome: string][] = [
    [{}, 'body.importance: missing'],
    [{ importance: null, pinned: null }, 'body.importance: missing'],
    [{ pinned: 'yes' }, 'body.pinned: bool_type'],
    [{ pinned: 1 }, 'body.pinned: bool_type'],
    [{ importance: -1 }, 'body.importance: greater_than_equal'],
    [{ importance: '1' }, 'body.importance: float_type'],
    ['{"importance": 1e400}', 'body.importance: finite_number'],
    [[], 'body: model_attributes_type']
  ]
  for (const [body, outcome] of cases) t.equal(finding(await alice.patch(urls[0] ?? '', body)), outcome, JSON.stringify(body))
  t.match(await alice.patch(urls[0] ?? '', { importance: 1e308 }), { status: 200 })
  for (const url of urls.slice(0, 32)) t.equal((await alice.patch(url, { pinned: true })).status, 200)
  t.strictSame(await alice.patch(urls[32] ?? '', { pinned: true }), {
    status: 409,
    body: { detail: 'Nothing was pinned: a session pins at most 32 memories' }
  })
})
