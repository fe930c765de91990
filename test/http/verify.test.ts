// Verification against the real service, and every route of session control for sessions that are not there.
import t from 'tap'
import { exported, fill, stillService } from '../support/filled-session.js'
import { type AnswerBody, finding, startService } from '../support/real-service.js'

t.test('verify: a session agrees with itself, its copy and its export, and differs from another', async (t) => {
  const { alice } = await stillService(t)
  await fill(alice)
  const original = await exported(alice, 's')
  await alice.post('/v1/session/copy/import', original)
  await alice.post('/v1/session/create', { session_id: 'other', dimension: 64 })
  await alice.post('/v1/run', { session_id: 'other', message: 'Nothing in common' })
  const test_embeddings = Array.from({ length: 5 }, (_, row) => Array.from({ length: 64 }, (_, at) => Math.sin(row * 7 + at)))
  const verify = (body: object) => alice.post('/v1/session/s/verify', { test_embeddings, ...body })
  const same = { session_id: 's', consistent: true, max_deviation: 0, tolerance: 1e-3, checked: 5 }
  t.strictSame(await verify({}), { status: 200, body: same })
  t.strictSame(await verify({ reference_session_id: 'copy', state_dict: null }), { status: 200, body: same })
  t.strictSame(await verify({ state_dict: original.state_dict, tolerance: 0 }), { status: 200, body: { ...same, tolerance: 0 } })
  const differs = await verify({ reference_session_id: 'other' })
  t.match(differs, { status: 200, body: { consistent: false } })
  t.match(await verify({ reference_session_id: 'other', tolerance: Number(differs.body['max_deviation']) }), { body: { consistent: true } })
  t.strictSame((await exported(alice, 's')).checksum, original.checksum, 'nothing changed')
})

t.test('verify: sessions that refer to themselves and to each other at once, all answered', async (t) => {
  const alice = await (await startService(t)).as('alice')
  for (const session_id of ['a', 'b']) await alice.post('/v1/session/create', { session_id, dimension: 3 })
  const verify = (id: string, reference_session_id: string) =>
    alice.post(`/v1/session/${id}/verify`, { test_embeddings: [[1, 0, 0]], reference_session_id })
  const answers = await Promise.all([verify('a', 'a'), verify('a', 'b'), verify('b', 'a'), verify('b', 'b')])
  for (const answer of answers) t.match(answer, { status: 200, body: { consistent: true, max_deviation: 0 } })
})

t.test('verify: bad input, 422 with the loc of the field; a bad export 400; a missing reference 404', async (t) => {
  const { alice, as } = await stillService(t)
  await (await as('mallory')).post('/v1/session/create', { session_id: 'hers', dimension: 3 })
  for (const [session_id, dimension] of [
    ['s', 3],
    ['flat', 2]
  ])
    await alice.post('/v1/session/create', { session_id, dimension })
  const axis = [1, 0, 0]
  const cases: [body: unknown, outcome: string][] = [
    [{}, 'body.test_embeddings: missing'],
    [{ test_embeddings: [] }, 'body.test_embeddings: too_short'],
    [{ test_embeddings: Array<unknown>(257).fill(axis) }, 'body.test_embeddings: too_long'],
    [{ test_embeddings: [axis, [1, 0]] }, 'body.test_embeddings.1: value_error'],
    [{ test_embeddings: [axis, []] }, 'body.test_embeddings.1: too_short'],
    ['{"test_embeddings": [[1, 0, 1e400]]}', 'body.test_embeddings.0.2: finite_number'],
    [{ test_embeddings: [axis], tolerance: -1e-9 }, 'body.tolerance: greater_than_equal'],
    ['{"test_embeddings": [[1, 0, 0]], "tolerance": 1e400}', 'body.tolerance: finite_number'],
    [{ test_embeddings: [axis], reference_session_id: 'a b' }, 'body.reference_session_id: string_pattern_mismatch'],
    [{ test_embeddings: [axis], reference_session_id: 'flat' }, 'body.reference_session_id: value_error'],
    [{ test_embeddings: [axis, [1, 0]], reference_session_id: 'flat' }, 'body.test_embeddings.1: value_error'],
    [{ test_embeddings: [axis], reference_session_id: 's', state_dict: {} }, 'body.state_dict: value_error']
  ]
  for (const [body, outcome] of cases)
    t.equal(finding(await alice.post('/v1/session/s/verify', body)), outcome, JSON.stringify(body).slice(0, 60))
  for (const state_dict of [{}, [], 'x', 5, false]) {
    t.match(await alice.post('/v1/session/s/verify', { test_embeddings: [axis], state_dict }), { status: 400 }, JSON.stringify(state_dict))
  }
  for (const reference_session_id of ['none', 'hers']) {
    const answer = await alice.post('/v1/session/s/verify', { test_embeddings: [axis], reference_session_id })
    t.strictSame(answer, { status: 404, body: { detail: 'Reference session not found' } })
  }
  const missing = await alice.post('/v1/session/none/verify', { test_embeddings: [axis], reference_session_id: 's' })
  t.strictSame(missing, { status: 404, body: { detail: 'Session not found' } })
  t.match(await alice.post('/v1/session/s/verify', { test_embeddings: Array<unknown>(256).fill(axis) }), {
    status: 200,
    body: { checked: 256 }
  })
})

t.test('control of a session that is missing, or of another subject: 404, which says that it is the session', async (t) => {
  const { alice, as } = await stillService(t)
  await (await as('mallory')).post('/v1/session/create', { session_id: 's', dimension: 3 })
  const requests: [method: 'POST' | 'PUT' | 'GET' | 'DELETE', path: string, body?: AnswerBody][] = [
    ['POST', 'trigger', { keyword: 'a' }],
    ['DELETE', 'trigger'],
    ['POST', 'anchor', { text: 'a' }],
    ['GET', 'anchor_score'],
    ['PUT', 'isolation', { level: 'OPEN' }],
    ['POST', 'isolation/release'],
    ['POST', 'memory', { text: 'a' }],
    ['GET', 'export'],
    ['POST', 'verify', { test_embeddings: [[1, 0, 0]] }],
    ['POST', 'search', { query: 'a' }],
    ['GET', 'memories'],
    ['POST', 'memories', { memories: [{ text: 'a' }] }],
    ['DELETE', 'memories/abc']
  ]
  for (const [method, path, payload] of requests) {
    for (const id of ['s', 'none', 'a%2Fb', '__proto__', 'a'.repeat(129)]) {
      const answer = await alice.call({ method, url: `/v1/session/${id}/${path}`, ...(payload !== undefined && { payload }) })
      t.strictSame(answer, { status: 404, body: { detail: 'Session not found' } }, `${method} ${path} of ${id.slice(0, 20)}`)
    }
  }
})
