// One test per row of the interface's table Limits, as far as requests can reach it; names begin with the row.
import t, { type Test } from 'tap'
import type { FieldError } from '../../src/http/contract/problem.js'
import { type Answer, createRig } from '../support/http-rig.js'

const rig = await createRig()
await rig.post('/v1/run', { session_id: 's', message: 'hello' })

/** The only finding of a 422, as `loc: type`. */
function finding({ status, body }: Answer): string {
  if (status !== 422) return String(status)
  return (body.detail as FieldError[]).map(({ loc, type }) => `${loc.join('.')}: ${type}`).join(', ')
}

async function bodies(t: Test, url: string, base: object, field: string, expected: [value: unknown, outcome: string][]): Promise<void> {
  for (const [value, outcome] of expected) {
    const answer = await rig.post(url, JSON.stringify({ ...base, [field]: value }))
    t.equal(finding(answer), outcome === 'ok' ? '200' : `body.${field}: ${outcome}`, `${field} = ${JSON.stringify(value).slice(0, 60)}`)
  }
}

async function queries(t: Test, url: string, name: string, expected: [value: string, outcome: string][]): Promise<void> {
  for (const [value, outcome] of expected) {
    t.equal(finding(await rig.get(`${url}&${name}=${value}`)), outcome === 'ok' ? '200' : `query.${name}: ${outcome}`, `${name}=${value}`)
  }
}

t.test('dimension on session create: integer 1 to 16384, default 384', async (t) => {
  await bodies(t, '/v1/session/create', {}, 'dimension', [
    [1, 'ok'],
    [16_384, 'ok'],
    [384.0, 'ok'],
    [0, 'greater_than_equal'],
    [-1, 'greater_than_equal'],
    [16_385, 'less_than_equal'],
    [1.5, 'int_from_float'],
    ['384', 'int_type'],
    [true, 'int_type'],
    [null, 'int_type'],
    [[384], 'int_type']
  ])
  t.equal(finding(await rig.post('/v1/session/create', '{"dimension": 1e400}')), 'body.dimension: finite_number')
  await rig.post('/v1/session/create', {})
  t.match(rig.asked.at(-1)?.command, {
    type: 'session.create',
    dimension: 384,
    useCortex: false,
    enableTopicSwitch: true,
    policyVectors: []
  })
})

t.test('session_id in bodies: pattern, at most 128 chars', async (t) => {
  for (const [url, rest, isOptional] of [
    ['/v1/run', { message: 'x' }, true],
    ['/v1/session/create', {}, true],
    ['/v1/store', { response: 'x' }, false],
    ['/v1/dedup-check', { text: 'x' }, false]
  ] as const) {
    await bodies(t, url, rest, 'session_id', [
      ['', 'string_too_short'],
      ['a b', 'string_pattern_mismatch'],
      ['é', 'string_pattern_mismatch'],
      ['a/b', 'string_pattern_mismatch'],
      ['a\n', 'string_pattern_mismatch'],
      ['a\0', 'string_pattern_mismatch'],
      ['a'.repeat(129), 'string_too_long'],
      [5, 'string_type'],
      [['s'], 'string_type'],
      [{}, 'string_type'],
      ...(isOptional ? [] : [[null, 'string_type'] as [null, string]])
    ])
    if (!isOptional) t.equal(finding(await rig.post(url, rest)), 'body.session_id: missing')
  }
  const longest = 'aZ0_-'.repeat(25) + 'abc'
  t.strictSame((await rig.post('/v1/session/create', { session_id: longest })).body, { session_id: longest, created: true })
  t.equal((await rig.get(`/v1/metrics/${longest}`)).status, 200, 'and 128 characters work in a path')
  t.equal((await rig.get(`/v1/metrics/${longest}/`)).status, 200, 'with a slash at the end as well')
})

t.test('user_id: at most 128 chars, counted as characters', async (t) => {
  await bodies(t, '/v1/run', { session_id: 's', message: 'x' }, 'user_id', [
    ['u', 'ok'],
    [null, 'ok'],
    ['a'.repeat(128), 'ok'],
    ['😀'.repeat(128), 'ok'],
    ['', 'string_too_short'],
    ['a'.repeat(129), 'string_too_long'],
    ['😀'.repeat(129), 'string_too_long'],
    [5, 'string_type'],
    ['a\0', 'value_error']
  ])
  await bodies(t, '/v1/store', { session_id: 's', response: 'x' }, 'user_id', [
    ['a'.repeat(128), 'ok'],
    ['a'.repeat(129), 'string_too_long']
  ])
})

t.test('dedup_threshold: number in [-1, 1]', async (t) => {
  for (const [url, rest] of [
    ['/v1/store', { response: 'x' }],
    ['/v1/dedup-check', { text: 'x' }]
  ] as const) {
    await bodies(t, url, { session_id: 's', ...rest }, 'dedup_threshold', [
      [-1, 'ok'],
      [1, 'ok'],
      [0, 'ok'],
      [null, 'ok'],
      [-1.001, 'greater_than_equal'],
      [1.001, 'less_than_equal'],
      ['0.5', 'float_type'],
      [true, 'float_type']
    ])
  }
})

t.test('short_circuit_threshold: number in [-1, 1]', async (t) => {
  await bodies(t, '/v1/run', { session_id: 's', message: 'x' }, 'short_circuit_threshold', [
    [-1, 'ok'],
    [1, 'ok'],
    [1.01, 'less_than_equal'],
    [-1.01, 'greater_than_equal'],
    ['1', 'float_type']
  ])
})

const CONTEXT = '/v1/state/context?session_id=s'

t.test('top_k on context: 1 to 50, default 5', async (t) => {
  await queries(t, CONTEXT, 'top_k', [
    ['1', 'ok'],
    ['50', 'ok'],
    ['0', 'greater_than_equal'],
    ['51', 'less_than_equal'],
    ['-1', 'greater_than_equal'],
    ['abc', 'int_parsing'],
    ['5.5', 'int_parsing'],
    ['', 'int_parsing'],
    ['0x5', 'int_parsing'],
    ['1e1', 'int_parsing'],
    ['%00', 'int_parsing'],
    ['5&top_k=6', 'int_parsing'],
    ['9'.repeat(400), 'finite_number']
  ])
  await rig.get(CONTEXT)
  t.strictSame(rig.asked.at(-1)?.command, { type: 'session.context', topK: 5, fullFirst: false, maxTextChars: 500 })
})

t.test('max_text_chars on context: 1 to 100000, default 500', async (t) => {
  await queries(t, CONTEXT, 'max_text_chars', [
    ['1', 'ok'],
    ['100000', 'ok'],
    ['0', 'greater_than_equal'],
    ['100001', 'less_than_equal'],
    ['many', 'int_parsing']
  ])
})

t.test('full_first on context: a boolean, default false', async (t) => {
  await queries(t, CONTEXT, 'full_first', [
    ['true', 'ok'],
    ['False', 'ok'],
    ['1', 'ok'],
    ['no', 'ok'],
    ['maybe', 'bool_parsing'],
    ['2', 'bool_parsing'],
    ['', 'bool_parsing'],
    ['true&full_first=true', 'bool_parsing']
  ])
})

t.test('session_id on context: required, given once', async (t) => {
  t.equal(finding(await rig.get('/v1/state/context')), 'query.session_id: missing')
  t.equal(finding(await rig.get('/v1/state/context?session_id=a&session_id=b')), 'query.session_id: string_type')
  t.equal(finding(await rig.get('/v1/state/metrics?session_id=')), 'query.session_id: string_too_short')
})

t.test('texts: at least 1 character, storable everywhere', async (t) => {
  for (const [url, rest, field] of [
    ['/v1/run', { session_id: 's' }, 'message'],
    ['/v1/store', { session_id: 's' }, 'response'],
    ['/v1/dedup-check', { session_id: 's' }, 'text']
  ] as const) {
    await bodies(t, url, rest, field, [
      ['x', 'ok'],
      [' ', 'ok'],
      ['😀 é \u200b', 'ok'],
      ['', 'string_too_short'],
      [null, 'string_type'],
      [5, 'string_type'],
      ['a\0b', 'value_error'],
      ['\ud800', 'string_unicode'],
      ['a\udc00b', 'string_unicode']
    ])
    t.equal(finding(await rig.post(url, rest)), `body.${field}: missing`)
  }
})

t.test('reset_context and the other switches: booleans, not words or numbers', async (t) => {
  await bodies(t, '/v1/run', { session_id: 's', message: 'x' }, 'reset_context', [
    [true, 'ok'],
    [false, 'ok'],
    ['true', 'bool_type'],
    [1, 'bool_type'],
    [null, 'bool_type']
  ])
  for (const field of ['use_cortex', 'use_meta_pss', 'enable_topic_switch']) {
    await bodies(t, '/v1/session/create', {}, field, [
      [true, 'ok'],
      ['yes', 'bool_type']
    ])
  }
})

t.test('use_meta_pss: an older name of use_cortex, which wins', async (t) => {
  for (const [body, useCortex] of [
    [{ use_meta_pss: true }, true],
    [{ use_cortex: false, use_meta_pss: true }, false],
    [{ use_cortex: true }, true],
    [{}, false]
  ] as const) {
    await rig.post('/v1/session/create', body)
    t.match(rig.asked.at(-1)?.command, { useCortex })
  }
})

t.test('embeddings: finite numbers that fit into single precision', async (t) => {
  const create = (text: string) => rig.post('/v1/session/create', `{"dimension": 2, ${text}}`)
  for (const [text, outcome] of [
    ['"template_embedding": [0.5, -1e38]', '200'],
    ['"template_embedding": null', '200'],
    ['"template_embedding": [1e39, 0]', 'body.template_embedding.0: less_than_equal'],
    ['"template_embedding": [0, -1e400]', 'body.template_embedding.1: finite_number'],
    ['"template_embedding": [0, "1"]', 'body.template_embedding.1: float_type'],
    ['"template_embedding": [0, null]', 'body.template_embedding.1: float_type'],
    ['"template_embedding": []', 'body.template_embedding: too_short'],
    ['"template_embedding": "[0, 1]"', 'body.template_embedding: list_type'],
    ['"template_embedding": [0, NaN]', 'body.template_embedding.1: finite_number'],
    [`"template_embedding": [${'0,'.repeat(16_384)}0]`, 'body.template_embedding: too_long'],
    ['"policy_vectors": [{"embedding": [0, 1], "weight": 2, "promote": false}, {"embedding": [1, 0]}]', '200'],
    ['"policy_vectors": [{"embedding": [0, 1], "weight": -1}]', 'body.policy_vectors.0.weight: greater_than_equal'],
    ['"policy_vectors": [{"weight": 1}]', 'body.policy_vectors.0.embedding: missing'],
    ['"policy_vectors": {}', 'body.policy_vectors: list_type']
  ] as const)
    t.equal(finding(await create(text)), outcome, text.slice(0, 70))
  t.match(rig.asked.findLast(({ command }) => command.type === 'session.create' && command.policyVectors.length === 2)?.command, {
    policyVectors: [
      { embedding: [0, 1], weight: 2, promote: false },
      { embedding: [1, 0], weight: 1, promote: true }
    ]
  })
})

t.test('search: one of query and embedding; top_k 1 to 200, default 10; a filter of known words', async (t) => {
  const url = '/v1/session/s/search'
  await bodies(t, url, { query: 'x' }, 'top_k', [
    [1, 'ok'],
    [200, 'ok'],
    [0, 'greater_than_equal'],
    [201, 'less_than_equal']
  ])
  t.equal(finding(await rig.post(url, {})), 'body.query: missing')
  t.equal(finding(await rig.post(url, { query: 'x', embedding: [1] })), 'body.embedding: value_error')
  t.equal(finding(await rig.post(url, { query: 'x', filter: { role: 'system' } })), 'body.filter.role: enum')
  const { body } = await rig.post(url, { embedding: [1, 2], query: null, explain: true, filter: { role: 'user', since: 5, tier: null } })
  t.strictSame(rig.asked.at(-1)?.command, {
    type: 'session.search',
    topK: 10,
    explain: true,
    filter: { role: 'user', since: 5 },
    embedding: [1, 2]
  })
  t.strictSame(body.stages, [{ stage: 'retrieve', duration_ms: 1, candidates: 3 }])
  t.strictSame(Object.keys((await rig.post(url, { query: 'x' })).body), ['session_id', 'results'])
})
