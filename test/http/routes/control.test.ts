// Session control against the real service: every row of the interface's table, and bad input for each endpoint.
import t from 'tap'
import { finding, startService } from '../../support/real-service.js'

const AXIS = [1, 0, 0]

t.test('trigger: by keyword or embedding, counted, replaced by the same keyword, cleared', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/session/create', { session_id: 's', dimension: 3 })
  const url = '/v1/session/s/trigger'
  t.strictSame(await alice.post(url, { keyword: 'invoice' }), { status: 200, body: { session_id: 's', trigger_count: 1 } })
  t.strictSame(await alice.post(url, { keyword: 'INVOICE', threshold: 0.1 }), { status: 200, body: { session_id: 's', trigger_count: 1 } })
  t.match(await alice.post(url, { embedding: AXIS, keyword: null }), { status: 200, body: { trigger_count: 2 } })
  t.match(await alice.get('/v1/metrics/s'), { body: { trigger_count: 2 } })
  t.strictSame(await alice.delete(url), { status: 200, body: { session_id: 's', trigger_count: 0 } })
  t.match(await alice.delete(url), { status: 200, body: { trigger_count: 0 } })
})

t.test('trigger: a turn that it fires on, kept more important than its like', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/run', { session_id: 's', message: 'The weather was mild on Sunday.' })
  await alice.post('/v1/session/s/trigger', { keyword: 'deadline' })
  await alice.post('/v1/run', { session_id: 's', message: 'The deadline was moved to Friday.' })
  const { body } = await alice.get('/v1/session/s/memories')
  const [plain, triggered] = body['memories'] as { importance: number }[]
  t.ok(triggered && plain && triggered.importance >= 1 && plain.importance < 1)
})

t.test('trigger: bad input, 422 with the loc of the field', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/session/create', { session_id: 's', dimension: 3 })
  const cases: [body: unknown, outcome: string][] = [
    [{}, 'body.keyword: missing'],
    [{ keyword: null, embedding: null }, 'body.keyword: missing'],
    [{ keyword: 'a', embedding: AXIS }, 'body.embedding: value_error'],
    [{ keyword: '' }, 'body.keyword: string_too_short'],
    [{ keyword: ' \n' }, 'body.keyword: value_error'],
    [{ keyword: 'a'.repeat(1025) }, 'body.keyword: string_too_long'],
    [{ keyword: 5 }, 'body.keyword: string_type'],
    [{ embedding: [] }, 'body.embedding: too_short'],
    [{ embedding: [1, 0] }, 'body.embedding: value_error'],
    [{ embedding: [1, 0, 0, 0] }, 'body.embedding: value_error'],
    [{ embedding: [1, 'NaN', 0] }, 'body.embedding.1: float_type'],
    [{ embedding: [1, null, 0] }, 'body.embedding.1: float_type'],
    ['{"embedding": [1, 1e400, 0]}', 'body.embedding.1: finite_number'],
    ['{"embedding": [1, -1e400, 0]}', 'body.embedding.1: finite_number'],
    [{ embedding: [1, 1e39, 0] }, 'body.embedding.1: less_than_equal'],
    ['{"embedding": [1, NaN, 0]}', 'body.embedding.1: finite_number'],
    ['{"embedding": [Infinity, 1, 0]}', 'body.embedding.0: finite_number'],
    ['{"embedding": [1, 0, -Infinity]}', 'body.embedding.2: finite_number'],
    ['{"embedding": [1, 0, 0], "threshold": NaN}', 'body.threshold: finite_number'],
    ['{"keyword": NaN}', 'body.keyword: string_type'],
    ['{"embedding": [1, nan, 0]}', 'body: json_invalid'],
    [{ embedding: AXIS, threshold: 1.1 }, 'body.threshold: less_than_equal'],
    [{ embedding: AXIS, threshold: -1.1 }, 'body.threshold: greater_than_equal'],
    [{ keyword: 'a', threshold: '0.5' }, 'body.threshold: float_type'],
    ['{"keyword": "", "__proto__": {"keyword": "a"}}', 'body.keyword: string_too_short'],
    ['[]', 'body: model_attributes_type']
  ]
  for (const [body, outcome] of cases)
    t.equal(finding(await alice.post('/v1/session/s/trigger', body)), outcome, JSON.stringify(body).slice(0, 60))
  t.match(await alice.get('/v1/metrics/s'), { body: { trigger_count: 0 } }, 'nothing was set')
})

t.test('trigger: more than a session can hold, 409', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/session/create', { session_id: 's', dimension: 3 })
  for (let n = 0; n < 256; n++) await alice.post('/v1/session/s/trigger', { keyword: `word${n}` })
  t.match(await alice.post('/v1/session/s/trigger', { keyword: 'one more' }), { status: 409, body: { detail: /256 triggers/ } })
  t.match(await alice.post('/v1/session/s/trigger', { keyword: 'word7' }), { status: 200, body: { trigger_count: 256 } })
})

t.test('anchor: by text or embedding, counted; its score, null without any or before any input', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/session/create', { session_id: 's', dimension: 64 })
  const none = { session_id: 's', anchor_score: null, anchor_count: 0, drift_threshold: 0.5, realignment_remaining: 0 }
  t.strictSame(await alice.get('/v1/session/s/anchor_score'), { status: 200, body: none })
  t.strictSame(await alice.post('/v1/session/s/anchor', { text: 'bread and baking' }), {
    status: 200,
    body: { session_id: 's', anchor_count: 1 }
  })
  const embedding = Array.from({ length: 64 }, (_, at) => (at === 0 ? 1 : 0))
  t.match(await alice.post('/v1/session/s/anchor', { embedding }), { status: 200, body: { anchor_count: 2 } })
  t.match(await alice.get('/v1/session/s/anchor_score'), { status: 200, body: { anchor_score: 0, anchor_count: 2 } }, 'before any input')
  await alice.post('/v1/run', { session_id: 's', message: 'bread and baking' })
  const { body } = await alice.get('/v1/session/s/anchor_score')
  t.ok(Number(body['anchor_score']) > 0.9)
  t.match(await alice.get('/v1/metrics/s'), { body: { anchor_count: 2, anchor_score: body['anchor_score'] } })
})

t.test('anchor: bad input, 422 with the loc of the field', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/session/create', { session_id: 's', dimension: 3 })
  const cases: [body: unknown, outcome: string][] = [
    [{}, 'body.embedding: missing'],
    [{ text: 'a', embedding: AXIS }, 'body.text: value_error'],
    [{ text: '' }, 'body.text: string_too_short'],
    [{ text: 'a\0' }, 'body.text: value_error'],
    [{ text: 'a'.repeat(1_000_001) }, 'body.text: string_too_long'],
    [{ embedding: [1] }, 'body.embedding: value_error'],
    ['{"embedding": [1e400, 0, 0]}', 'body.embedding.0: finite_number'],
    [{ embedding: 'AAAA' }, 'body.embedding: list_type']
  ]
  for (const [body, outcome] of cases)
    t.equal(finding(await alice.post('/v1/session/s/anchor', body)), outcome, JSON.stringify(body).slice(0, 60))
  t.match(await alice.get('/v1/session/s/anchor_score'), { body: { anchor_count: 0 } })
})

t.test('isolation: set with its defaults, shown in the metrics, replaced as a whole', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/session/create', { session_id: 's', dimension: 3 })
  const url = '/v1/session/s/isolation'
  const defaults = { similarity_threshold: 0.7, exclusion_count: 0, allowlist_count: 0, quarantined_count: 0 }
  t.strictSame(await alice.put(url, { level: 'FILTER' }), { status: 200, body: { session_id: 's', level: 'FILTER', ...defaults } })
  const full = { level: 'QUARANTINE', exclusion_embeddings: [AXIS], allowlist_embeddings: [AXIS, [0, 1, 0]], similarity_threshold: -1 }
  const answer = {
    session_id: 's',
    level: 'QUARANTINE',
    similarity_threshold: -1,
    exclusion_count: 1,
    allowlist_count: 2,
    quarantined_count: 0
  }
  t.strictSame(await alice.put(url, full), { status: 200, body: answer })
  const isolation = { level: 'QUARANTINE', similarity_threshold: -1, quarantined_count: 0 }
  t.match(await alice.get('/v1/metrics/s'), { body: { isolation } })
  t.match(await alice.put(url, { level: 'OPEN' }), { body: defaults })
})

t.test('isolation: quarantined input, held without a trace until it is released', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/session/create', { session_id: 's' })
  await alice.post('/v1/session/s/anchor', { text: 'sourdough bread needs a warm place to rise' })
  await alice.put('/v1/session/s/isolation', { level: 'QUARANTINE' })
  const before = (await alice.get('/v1/metrics/s')).body
  const held = await alice.post('/v1/run', { session_id: 's', message: 'The orbital period of Jupiter is twelve years.' })
  t.match(held, { status: 200, body: { context: '', isolation: { level: 'QUARANTINE', action: 'quarantined' } } })
  const after = (await alice.get('/v1/metrics/s')).body
  t.match(after, { total_memories: 0, drift_score: before['drift_score'], isolation: { quarantined_count: 1 } })
  const released = { session_id: 's', released_count: 1, level: 'QUARANTINE' }
  t.strictSame(await alice.post('/v1/session/s/isolation/release'), { status: 200, body: released })
  t.match(await alice.get('/v1/metrics/s'), { body: { total_memories: 1, isolation: { level: 'QUARANTINE', quarantined_count: 0 } } })
  t.strictSame(await alice.post('/v1/session/s/isolation/release', {}), { status: 200, body: { ...released, released_count: 0 } })
})

t.test('isolation: bad input, 422 with the loc of the field', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/session/create', { session_id: 's', dimension: 3 })
  const level = 'FILTER'
  const cases: [body: unknown, outcome: string][] = [
    [{}, 'body.level: missing'],
    [{ level: 'CLOSED' }, 'body.level: enum'],
    [{ level: 'filter' }, 'body.level: enum'],
    [{ level: null }, 'body.level: enum'],
    [{ level, similarity_threshold: 1.01 }, 'body.similarity_threshold: less_than_equal'],
    [{ level, similarity_threshold: -1.01 }, 'body.similarity_threshold: greater_than_equal'],
    [
      { level, exclusion_embeddings: AXIS },
      'body.exclusion_embeddings.0: list_type, body.exclusion_embeddings.1: list_type, body.exclusion_embeddings.2: list_type'
    ],
    [{ level, exclusion_embeddings: [[]] }, 'body.exclusion_embeddings.0: too_short'],
    [{ level, exclusion_embeddings: [AXIS, [1]] }, 'body.exclusion_embeddings.1: value_error'],
    [{ level, allowlist_embeddings: [AXIS, AXIS, [1]] }, 'body.allowlist_embeddings.2: value_error'],
    [{ level, allowlist_embeddings: Array<unknown>(257).fill(AXIS) }, 'body.allowlist_embeddings: too_long'],
    ['{"level": "FILTER", "allowlist_embeddings": [[1, 1e400, 0]]}', 'body.allowlist_embeddings.0.1: finite_number']
  ]
  for (const [body, outcome] of cases)
    t.equal(finding(await alice.put('/v1/session/s/isolation', body)), outcome, JSON.stringify(body).slice(0, 60))
  t.match(await alice.get('/v1/metrics/s'), { body: { isolation: { level: 'OPEN', similarity_threshold: 0.7 } } }, 'unchanged')
  t.match(await alice.put('/v1/session/s/isolation', { level, allowlist_embeddings: Array<unknown>(256).fill(AXIS) }), { status: 200 })
})
