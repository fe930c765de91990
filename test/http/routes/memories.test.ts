// Injection and the extensions over whole memories against the real service: every row of the tables, and bad input for each endpoint.
import t from 'tap'
import { createManualClock } from '../../support/manual-clock.js'
import { type AnswerBody, type Caller, finding, startService } from '../../support/real-service.js'

const MEMORIES = '/v1/session/s/memories'

async function listed(caller: Caller, query = ''): Promise<unknown[]> {
  const { body } = await caller.get(`${MEMORIES}${query}`)
  return (body['memories'] as AnswerBody[]).map((memory) => memory['text'])
}

t.test('memory: injected with its defaults, found by its text and by its vector, replaced by the same text', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/session/create', { session_id: 's', dimension: 4 })
  const url = '/v1/session/s/memory'
  const { status, body } = await alice.post(url, { text: 'The safe is behind the painting.' })
  t.equal(status, 200)
  t.match(body, { session_id: 's', tier: 'short_term', total_memories: 1, memory_id: /^[0-9a-f-]{36}$/, memory_hash: /^[0-9a-f]{32}$/ })
  t.strictSame(Object.keys(body).sort(), ['memory_hash', 'memory_id', 'session_id', 'tier', 'total_memories'])
  const shown = { role: 'synthetic', importance: 1, access_count: 0, tier: 'short_term', user_id: null }
  t.match(await alice.get(`${MEMORIES}/${String(body['memory_hash'])}`), { status: 200, body: shown })
  const given = { text: 'A vector of its own.', embedding: [0, 0, 0, 1], tier: 'long_term', importance: 2.5, access_count: 7 }
  t.match(await alice.post(url, given), { status: 200, body: { tier: 'long_term', total_memories: 2 } })
  const search = await alice.post('/v1/session/s/search', { embedding: [0, 0, 0, 2] })
  t.match(search, { status: 200, body: { results: [{ text: 'A vector of its own.', tier: 'long_term', importance: 2.5 }] } })
  const again = await alice.post(url, { text: 'The safe is behind the painting.', tier: 'medium_term' })
  t.match(again, { body: { memory_id: body['memory_id'], tier: 'medium_term', total_memories: 2 } })
  t.match(await alice.get('/v1/metrics/s'), { body: { total_memories: 2, interaction_count: 0 } })
})

t.test('an injected memory is in the tier that it was given until the next turn consolidates it', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/session/create', { session_id: 's' })
  const given = [{ tier: 'short_term', importance: 1.5 }, { importance: 9, access_count: 50 }, { tier: 'long_term' }]
  const answers = []
  for (const [at, fields] of given.entries())
    answers.push((await alice.post('/v1/session/s/memory', { text: `Matter ${at} of the house.`, ...fields })).body['tier'])
  const tiers = async () =>
    ((await alice.get('/v1/session/s/memories')).body['memories'] as { tier: string; role: string }[])
      .filter(({ role }) => role === 'synthetic')
      .map(({ tier }) => tier)
  t.strictSame(answers, ['short_term', 'short_term', 'long_term'])
  t.strictSame(await tiers(), answers)
  await alice.post('/v1/run', { session_id: 's', message: 'Something else.' })
  t.strictSame(await tiers(), ['medium_term', 'long_term', 'long_term'])

  const late = { text: 'Matter 3 of the house.', tier: 'medium_term', importance: 9 }
  t.match(await alice.post('/v1/session/s/memory', late), { body: { tier: 'medium_term' } })
  await alice.post('/v1/session/s/memories', { memories: [{ text: 'Matter 4 of the house.', role: 'synthetic', importance: 9 }] })
  t.strictSame((await tiers()).slice(3), ['medium_term', 'short_term'])
  await alice.post('/v1/run', { session_id: 's', message: 'Something other than that.' })
  t.strictSame((await tiers()).slice(3), ['long_term', 'long_term'])
})

t.test('a memory that is said again keeps the tier that it had reached', async (t) => {
  const alice = await (await startService(t)).as('alice')
  const text = 'My train to Lisbon leaves at nine.'
  await alice.post('/v1/run', { session_id: 's', message: text })
  const [first] = (await alice.get('/v1/session/s/memories')).body['memories'] as [{ memory_hash: string }]
  const url = `/v1/session/s/memories/${first.memory_hash}`
  await alice.patch(url, { importance: 2.5 })
  const tier = async () => (await alice.get(url)).body['tier']
  await alice.post('/v1/run', { session_id: 's', message: 'Something else.' })
  t.equal(await tier(), 'long_term')
  await alice.post('/v1/run', { session_id: 's', message: text })
  t.match(await alice.get('/v1/metrics/s'), { body: { total_memories: 2, tiers: { long_term: 1 } } })
  t.equal(await tier(), 'long_term')
})

t.test('memory: bad input, 422 with the loc of the field', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/session/create', { session_id: 's', dimension: 3 })
  const text = 'x'
  const cases: [body: unknown, outcome: string][] = [
    [{}, 'body.text: missing'],
    [{ text: '' }, 'body.text: string_too_short'],
    [{ text: null }, 'body.text: string_type'],
    [{ text, embedding: [] }, 'body.embedding: too_short'],
    [{ text, embedding: [1, 0] }, 'body.embedding: value_error'],
    ['{"text": "x", "embedding": [1, 1e400, 0]}', 'body.embedding.1: finite_number'],
    [{ text, tier: 'forever' }, 'body.tier: enum'],
    [{ text, importance: -0.001 }, 'body.importance: greater_than_equal'],
    [{ text, importance: '1' }, 'body.importance: float_type'],
    ['{"text": "x", "importance": 1e400}', 'body.importance: finite_number'],
    [{ text, access_count: -1 }, 'body.access_count: greater_than_equal'],
    [{ text, access_count: 0.5 }, 'body.access_count: int_from_float'],
    [{ text, access_count: 1e300 }, 'body.access_count: less_than_equal'],
    ['{"text": "x", "expires_at": 1e400}', 'body.expires_at: finite_number'],
    [{ text, expires_at: 'tomorrow' }, 'body.expires_at: float_type']
  ]
  for (const [body, outcome] of cases)
    t.equal(finding(await alice.post('/v1/session/s/memory', body)), outcome, JSON.stringify(body).slice(0, 60))
  t.match(await alice.get('/v1/metrics/s'), { body: { total_memories: 0 } })
})

t.test('memory: numbers at the edge of what a float holds, kept and ranked without ill effect', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/run', { session_id: 's', message: 'Where is the safe?' })
  const extremes = [{ importance: 1e308 }, { importance: 5e-324 }, { access_count: 2 ** 52 }, { expires_at: 1e308 }]
  for (const [at, extreme] of extremes.entries()) {
    t.match(await alice.post('/v1/session/s/memory', { text: `The safe ${at} is behind the painting.`, ...extreme }), { status: 200 })
  }
  t.match(await alice.post('/v1/session/s/memory', { text: 'gone already', expires_at: -1e308 }), {
    status: 200,
    body: { total_memories: 5 }
  })
  const run = await alice.post('/v1/run', { session_id: 's', message: 'Where is the safe?', response: 'Behind the painting.' })
  t.match(run, { status: 200, body: { retrieval_error: false, context: /safe/ } })
  const { body } = await alice.post('/v1/session/s/search', { query: 'safe', explain: true })
  for (const result of body['results'] as { score: number; components: object }[]) {
    t.ok(Object.values({ ...result.components, score: result.score }).every(Number.isFinite), JSON.stringify(result.components))
  }
  const metrics = JSON.stringify((await alice.get('/v1/metrics/s')).body)
  t.notMatch(metrics, /"(drift_score|mean_similarity|similarity_variance)":null/)
})

t.test('memories: a batch, stored in its order with what was given, and the same batch again changes nothing', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/session/create', { session_id: 's' })
  const memories = [
    { text: 'first', timestamp: 1_000.5, user_id: 'u1', importance: 0.25 },
    { text: 'second', role: 'assistant' },
    { text: 'third', role: 'synthetic', expires_at: 4e9 },
    { text: 'first', timestamp: 2_000 }
  ]
  const stored = await alice.post(MEMORIES, { memories })
  t.match(stored, { status: 200, body: { session_id: 's', stored: 4, updated: 0 } })
  t.strictSame(Object.keys(stored.body).sort(), ['memories', 'session_id', 'stored', 'updated'])
  const before = (await alice.get(MEMORIES)).body
  t.match(before, {
    memories: [
      { text: 'first', role: 'user', timestamp: 1_000.5, user_id: 'u1', importance: 0.25, tier: 'short_term' },
      { text: 'second', role: 'assistant', user_id: null },
      { text: 'third', role: 'synthetic' },
      { text: 'first', timestamp: 2_000 }
    ],
    next: null
  })
  const metrics = (await alice.get('/v1/metrics/s')).body
  t.match(await alice.post(MEMORIES, { memories }), { body: { stored: 0, updated: 4, memories: stored.body['memories'] } })
  t.strictSame((await alice.get(MEMORIES)).body, before)
  t.strictSame({ ...(await alice.get('/v1/metrics/s')).body, last_active_at: 0 }, { ...metrics, last_active_at: 0 })
})

t.test('memories: one that is wrong among a thousand, and none is stored', async (t) => {
  const alice = await (await startService(t, { env: { SERVICE_MAX_MEMORIES: '1500' } })).as('alice')
  await alice.post('/v1/session/create', { session_id: 's', dimension: 8 })
  const many = Array.from({ length: 1000 }, (_, n) => ({ text: `memory number ${n}` }))
  const wrong = (at: number, memory: unknown) => ({ memories: many.with(at, memory as { text: string }) })
  for (const [body, outcome] of [
    [wrong(999, { text: '' }), 'body.memories.999.text: string_too_short'],
    [wrong(0, {}), 'body.memories.0.text: missing'],
    [wrong(500, { text: 'x', role: 'system' }), 'body.memories.500.role: enum'],
    [wrong(500, { text: 'x', timestamp: 'now' }), 'body.memories.500.timestamp: float_type'],
    [wrong(500, { text: 'x', importance: -1 }), 'body.memories.500.importance: greater_than_equal'],
    [wrong(500, { text: 'x', user_id: 'u'.repeat(129) }), 'body.memories.500.user_id: string_too_long'],
    [wrong(500, 'x'), 'body.memories.500: model_attributes_type'],
    [{ memories: [] }, 'body.memories: too_short'],
    [{ memories: [...many, { text: 'x' }] }, 'body.memories: too_long'],
    [{ memories: {} }, 'body.memories: list_type'],
    [{}, 'body.memories: missing']
  ] as const) {
    t.equal(finding(await alice.post(MEMORIES, body)), outcome)
  }
  t.match(await alice.get('/v1/metrics/s'), { body: { total_memories: 0 } })
  t.match(await alice.post(MEMORIES, { memories: many }), { status: 200, body: { stored: 1000 } })
  const full = await alice.post(MEMORIES, { memories: many.map(({ text }) => ({ text: `${text} again` })) })
  t.match(full, { status: 409, body: { detail: /full/ } })
  t.match(await alice.get('/v1/metrics/s'), { body: { total_memories: 1000 } }, 'nothing of what did not fit')
})

t.test('memories: listed page by page, oldest first, every one once, by any filter', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/session/create', { session_id: 's', dimension: 8 })
  const memories = Array.from({ length: 9 }, (_, n) => ({
    text: `memory ${n}`,
    timestamp: 100 + n,
    role: n % 3 === 0 ? 'assistant' : 'user',
    ...(n % 2 === 0 && { user_id: 'u 1' })
  }))
  await alice.post(MEMORIES, { memories })
  await alice.post('/v1/session/s/memory', { text: 'memory 9', tier: 'long_term' })
  const seen: unknown[] = []
  for (let query = '?limit=4'; ;) {
    const { body } = await alice.get(`${MEMORIES}${query}`)
    const page = body['memories'] as AnswerBody[]
    seen.push(...page.map((memory) => memory['text']))
    if (body['next'] === null) break
    t.equal(body['next'], page.at(-1)?.['memory_id'])
    query = `?limit=4&after=${body['next'] as string}`
  }
  t.strictSame(
    seen,
    Array.from({ length: 10 }, (_, n) => `memory ${n}`)
  )
  t.strictSame(await listed(alice, '?role=assistant'), ['memory 0', 'memory 3', 'memory 6'])
  t.strictSame(await listed(alice, '?user_id=u%201&role=assistant'), ['memory 0', 'memory 6'])
  t.strictSame(await listed(alice, '?tier=long_term'), ['memory 9'])
  t.strictSame(await listed(alice, '?since=103&until=105'), ['memory 3', 'memory 4'], 'since included, until excluded')
  t.strictSame(await listed(alice, '?since=103.5&until=1e2'), [])
  t.strictSame(await listed(alice, '?user_id=nobody'), [])
  for (const [query, outcome] of [
    ['limit=0', 'query.limit: greater_than_equal'],
    ['limit=1001', 'query.limit: less_than_equal'],
    ['role=system', 'query.role: enum'],
    ['tier=', 'query.tier: enum'],
    ['user_id=', 'query.user_id: string_too_short'],
    ['since=NaN', 'query.since: float_parsing'],
    ['since=1e400', 'query.since: finite_number'],
    ['until=Infinity', 'query.until: float_parsing']
  ] as const) {
    t.equal(finding(await alice.get(`${MEMORIES}?${query}`)), outcome, query)
  }
  t.strictSame(await alice.get(`${MEMORIES}?after=none`), { status: 404, body: { detail: 'Memory not found' } })
})

t.test('a deleted memory is gone from lists, search, context and metrics, and a second time 404', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/run', { session_id: 's', message: 'My locker code is four seven one one.' })
  const before = (await alice.get('/v1/state/context?session_id=s')).body
  const hash = (before as unknown as AnswerBody[])[0]?.['memory_hash']
  await alice.post('/v1/run', { session_id: 's', message: 'What is the weather in Lisbon?' })
  t.strictSame(await alice.delete(`${MEMORIES}/${String(hash)}`), {
    status: 200,
    body: { session_id: 's', memory_hash: hash, deleted: true }
  })
  t.strictSame(await alice.delete(`${MEMORIES}/${String(hash)}`), { status: 404, body: { detail: 'Memory not found' } })
  t.strictSame(await alice.get(`${MEMORIES}/${String(hash)}`), { status: 404, body: { detail: 'Memory not found' } })
  t.strictSame(await listed(alice), ['What is the weather in Lisbon?'])
  t.notMatch(JSON.stringify((await alice.post('/v1/session/s/search', { query: 'locker code' })).body), /locker/)
  t.notMatch(JSON.stringify((await alice.get('/v1/state/context?session_id=s')).body), /locker/)
  t.notMatch((await alice.post('/v1/run', { session_id: 's', message: 'What is my locker code?' })).body['context'], /four seven/)
  t.notMatch(JSON.stringify((await alice.get('/v1/session/s/export')).body), /four seven/)
})

t.test('expires_at: from then on a memory is not returned, listed, counted or found', async (t) => {
  const clock = createManualClock()
  const alice = await (await startService(t, { overrides: { clock } })).as('alice')
  await alice.post('/v1/session/create', { session_id: 's' })
  await alice.post(MEMORIES, {
    memories: [{ text: 'the ferry leaves at nine' }, { text: 'the ferry is late today', expires_at: clock.now() + 10 }]
  })
  const { body } = await alice.post('/v1/session/s/memory', { text: 'the ferry is full today', expires_at: clock.now() + 10 })
  t.equal(body['total_memories'], 3)
  await clock.advance(9_999)
  t.equal((await listed(alice)).length, 3)
  await clock.advance(1)
  t.strictSame(await listed(alice), ['the ferry leaves at nine'])
  t.match(await alice.get('/v1/metrics/s'), { body: { total_memories: 1, tiers: { short_term: 1 } } })
  t.equal((await alice.get(`${MEMORIES}/${String(body['memory_hash'])}`)).status, 404)
  t.equal((await alice.delete(`${MEMORIES}/${String(body['memory_hash'])}`)).status, 404)
  t.notMatch(JSON.stringify((await alice.post('/v1/session/s/search', { query: 'ferry today', top_k: 200 })).body), /late|full/)
  t.notMatch((await alice.post('/v1/run', { session_id: 's', message: 'Is the ferry late today?' })).body['context'], /is late|is full/)
})

t.test('search: by text or embedding, filtered, explained on request, and nothing changes', async (t) => {
  const alice = await (await startService(t)).as('alice')
  await alice.post('/v1/session/create', { session_id: 's' })
  await alice.post(MEMORIES, {
    memories: [
      { text: 'the red bicycle has a flat tyre', role: 'user', user_id: 'u1', timestamp: 100 },
      { text: 'the blue bicycle is new', role: 'assistant', timestamp: 200 },
      { text: 'soup for dinner', role: 'user', timestamp: 300 }
    ]
  })
  const document = (await alice.get('/v1/session/s/export')).body
  const url = '/v1/session/s/search'
  const plain = await alice.post(url, { query: 'bicycle' })
  t.equal(plain.status, 200)
  t.strictSame(Object.keys(plain.body).sort(), ['results', 'session_id'])
  const [first] = plain.body['results'] as AnswerBody[]
  const fields = ['memory_hash', 'memory_id', 'text', 'score', 'role', 'tier', 'importance', 'timestamp', 'user_id']
  for (const field of fields) t.ok(first !== undefined && field in first, field)
  const found = async (filter: object) => {
    const { body } = await alice.post(url, { query: 'bicycle', filter })
    return (body['results'] as AnswerBody[]).map((result) => result['timestamp']).sort()
  }
  t.strictSame(await found({ role: 'assistant' }), [200])
  t.strictSame(await found({ user_id: 'u1' }), [100])
  t.strictSame(await found({ since: 100, until: 200 }), [100])
  t.strictSame(await found({ tier: 'long_term' }), [])
  const explained = await alice.post(url, { query: 'bicycle', explain: true, top_k: 1 })
  t.match(explained.body, { results: [{ components: { dense: Number, lexical: Number, recency: Number, importance: Number } }] })
  t.match(explained.body['stages'], [{ stage: 'retrieve', duration_ms: Number, candidates: Number }])
  t.strictSame((await alice.get('/v1/session/s/export')).body, document, 'nothing changed')
  for (const [body, outcome] of [
    [{}, 'body.query: missing'],
    [{ query: 'a', embedding: [1] }, 'body.embedding: value_error'],
    [{ embedding: [1] }, 'body.embedding: value_error'],
    [{ query: 'a', top_k: 0 }, 'body.top_k: greater_than_equal'],
    [{ query: 'a', top_k: 201 }, 'body.top_k: less_than_equal'],
    [{ query: 'a', filter: { role: 'x' } }, 'body.filter.role: enum'],
    [{ query: 'a', filter: [] }, 'body.filter: model_attributes_type'],
    [{ query: 'a', filter: { since: '1' } }, 'body.filter.since: float_type']
  ] as const) {
    t.equal(finding(await alice.post(url, body)), outcome)
  }
})
