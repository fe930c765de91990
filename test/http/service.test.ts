// The session routes against the real service: HTTP, runtime and session together.
import t from 'tap'
import { type AnswerBody, startService } from '../support/real-service.js'
import { until } from '../support/until.js'

t.test('session, from its first run to its end: every route answers in the shape of the interface', async (t) => {
  const { as, nodes, logs } = await startService(t)
  const alice = await as('alice')
  t.strictSame(await alice.post('/v1/session/create', { session_id: 's', dimension: 64 }), {
    status: 200,
    body: { session_id: 's', created: true }
  })
  t.strictSame(await alice.post('/v1/session/create', { session_id: 's' }), { status: 409, body: { detail: 'Session already exists' } })
  const run = await alice.post('/v1/run', { session_id: 's', message: 'Which harbour did the lighthouse keeper paint?' })
  t.equal(run.status, 200)
  t.match(run.body, { session_id: 's', dedup_signal: null, retrieval_error: false, drift_phase: 'stable', turn: 1 })
  const store = await alice.post('/v1/store', { session_id: 's', response: 'He painted the old harbour of Whitby.' })
  t.equal(store.status, 200)
  const { memory_hash: hash } = store.body
  t.match(hash, /^[0-9a-f]{32}$/)
  t.match(await alice.post('/v1/dedup-check', { session_id: 's', text: 'He painted the old harbour of Whitby.' }), {
    status: 200,
    body: { is_update: true }
  })
  t.match(await alice.get(`/v1/session/s/memories/${String(hash)}`), {
    status: 200,
    body: { text: 'He painted the old harbour of Whitby.', role: 'assistant' }
  })
  t.strictSame(await alice.get('/v1/session/s/memories/none'), { status: 404, body: { detail: 'Memory not found' } })
  const context = await alice.get('/v1/state/context?session_id=s&top_k=1&max_text_chars=5')
  t.match(context, { status: 200, body: [{ truncated: true }] })
  t.match(await alice.get('/v1/state/metrics'), { status: 200, body: { session_id: 's', dimension: 64, interaction_count: 1 } })
  t.match(await alice.get('/v1/metrics/s'), { status: 200, body: { session_id: 's' } })
  const search = await alice.post('/v1/session/s/search', { query: 'harbour', explain: true })
  t.match(search, { status: 200, body: { session_id: 's', results: [{ memory_id: String }] } })
  const health = () => Promise.all(nodes.map(async ({ http }) => (await http.inject({ url: '/v1/health' })).json<AnswerBody>()))
  for (const { status } of await health()) t.equal(status, 'ok')
  // A node that stood still on a busy machine has lost the session to another, and gives it up when it notices.
  await until(async () => (await health()).reduce((sum, body) => sum + Number(body['active_sessions']), 0) === 1)
  t.match(await alice.get('/v1/readyz'), { status: 200, body: { ready: true } })
  t.strictSame(await alice.delete('/v1/session/s'), { status: 200, body: { session_id: 's', deleted: true } })
  t.strictSame(await alice.get('/v1/metrics/s'), { status: 404, body: { detail: 'Session not found' } })
  t.notMatch(logs.join(''), /lighthouse|Whitby|eyJ/)
})

t.test('session of one subject: cannot be seen, used or deleted by another, who may have the same id', async (t) => {
  const { as } = await startService(t)
  const [alice, mallory] = [await as('alice'), await as('mallory')]
  await alice.post('/v1/run', { session_id: 's', message: 'mine' })
  for (const answer of [
    await mallory.get('/v1/metrics/s'),
    await mallory.get('/v1/state/metrics'),
    await mallory.delete('/v1/session/s'),
    await mallory.post('/v1/store', { session_id: 's', response: 'x' })
  ]) {
    t.strictSame(answer, { status: 404, body: { detail: 'Session not found' } })
  }
  t.equal((await mallory.post('/v1/session/create', { session_id: 's' })).status, 200)
  t.match(await alice.get('/v1/metrics/s'), { status: 200, body: { interaction_count: 1 } })
})

t.test('embedding of another length than the session: 422 with the loc of the field', async (t) => {
  const { as } = await startService(t)
  const alice = await as('alice')
  const create = await alice.post('/v1/session/create', { dimension: 3, template_embedding: [1, 0] })
  t.match(create, { status: 422, body: { detail: [{ loc: ['body', 'template_embedding'] }] } })
  await alice.post('/v1/session/create', { session_id: 's', dimension: 3 })
  const search = await alice.post('/v1/session/s/search', { embedding: [1, 0] })
  t.match(search, { status: 422, body: { detail: [{ loc: ['body', 'embedding'] }] } })
})
