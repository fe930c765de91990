// Failures of the chat proxy itself: on its paths, each has the error format of chat services and the status of the interface.
import fc from 'fast-check'
import OpenAI from 'openai'
import t, { type Test } from 'tap'
import { DomainError, type ErrorCode } from '../../../src/domain/errors.js'
import { STATUS_OF_CODE } from '../../../src/http/contract/errors.js'
import type { ModelService } from '../../../src/ports.js'
import { answer, completion, startChat } from '../../support/chat-upstream.js'
import { type Answer, createRig, START } from '../../support/http-rig.js'

const URL = '/compat/v1/chat/completions'
const BODY = { model: 'm', messages: [{ role: 'user', content: 'hello' }] }

interface Envelope {
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string
}

function envelope(t: Test, { headers, body }: Answer): Envelope {
  t.match(headers['content-type'], /^application\/json/)
  t.strictSame(Object.keys(body), ['error'])
  const error = body['error'] as Envelope
  t.strictSame(Object.keys(error).sort(), ['code', 'message', 'param', 'type'])
  t.ok(error.message !== '')
  return error
}

/** A model service that must not be reached. */
const unreachable: ModelService = { send: () => Promise.reject(new Error('reached')), close: () => undefined }

t.test('401 and 402: as for every route, before the body is looked at', async (t) => {
  const rig = await createRig()
  const call = (authorization: string) =>
    rig.call({ method: 'POST', url: URL, headers: { authorization, 'content-type': 'text/plain' }, payload: '{bad' })
  for (const authorization of ['', 'Bearer nonsense']) {
    const refusal = await call(authorization)
    t.equal(refusal.status, 401)
    t.match(envelope(t, refusal), { type: 'invalid_request_error', code: 'invalid_api_key', param: null })
  }
  const expired = await rig.token('alice', START + 5)
  rig.clock.set(START + 5)
  const refusal = await call(`Bearer ${expired}`)
  t.equal(refusal.status, 402)
  t.match(envelope(t, refusal), { code: 'license_expired', message: /renew/ })
  t.equal((await rig.call({ method: 'GET', url: '/compat/v1/models', headers: { authorization: '' } })).status, 401)
})

t.test('404 and 405: below the path of the proxy, in its envelope; beside it, in that of the interface', async (t) => {
  const rig = await createRig()
  for (const [method, url, status, code] of [
    ['POST', '/compat/v1/embeddings', 404, 'unknown_url'],
    ['GET', '/compat/v1/models/m', 404, 'unknown_url'],
    ['GET', '/compat/', 404, 'unknown_url'],
    ['GET', URL, 405, 'method_not_allowed'],
    ['GET', '/compat/v1/%ff', 400, 'bad_request']
  ] as const) {
    const refusal = await rig.call({ method, url })
    t.equal(refusal.status, status, url)
    t.equal(envelope(t, refusal).code, code)
  }
  t.strictSame((await rig.get('/compatible')).body, { detail: 'Not Found' })
})

t.test('413 and 415: a body that is too large, or no JSON', async (t) => {
  const rig = await createRig()
  const large = await rig.post(URL, JSON.stringify({ ...BODY, x: 'x'.repeat(5_000_000) }))
  t.equal(large.status, 413)
  t.equal(envelope(t, large).code, 'request_too_large')
  const typed = await rig.call({ method: 'POST', url: URL, headers: { 'content-type': 'text/plain' }, payload: JSON.stringify(BODY) })
  t.equal(typed.status, 415)
  t.equal(envelope(t, typed).code, 'unsupported_media_type')
})

t.test('422: what the proxy itself has to read, with the field that is at fault', async (t) => {
  const rig = await createRig()
  for (const [body, param, code] of [
    ['{bad', null, 'json_invalid'],
    ['', null, 'missing'],
    ['null', null, 'missing'],
    ['[]', null, 'model_attributes_type'],
    ['{}', 'messages', 'missing'],
    ['{"messages":5}', 'messages', 'list_type'],
    ['{"messages":[]}', 'messages', 'too_short'],
    ['{"messages":["x"]}', 'messages[0]', 'model_attributes_type'],
    ['{"messages":[{"role":"user"},{"content":"x"}]}', 'messages[1].role', 'missing'],
    [JSON.stringify({ ...BODY, stream: 'yes' }), 'stream', 'bool_type'],
    [JSON.stringify({ ...BODY, session_id: 'a b' }), 'session_id', 'string_pattern_mismatch'],
    [JSON.stringify({ ...BODY, session_id: 'a'.repeat(129) }), 'session_id', 'string_too_long'],
    [JSON.stringify({ ...BODY, session_id: '' }), 'session_id', 'string_too_short']
  ] as const) {
    const refusal = await rig.post(URL, body)
    t.equal(refusal.status, 422, body)
    t.match(envelope(t, refusal), { type: 'invalid_request_error', param, code }, body)
  }
  const headers = { 'content-type': 'application/json', 'x-session-id': 'a b' }
  const refusal = await rig.call({ method: 'POST', url: URL, headers, payload: JSON.stringify(BODY) })
  t.equal(refusal.status, 422)
  t.match(envelope(t, refusal), { param: 'x-session-id', code: 'string_pattern_mismatch' })
  t.strictSame(rig.asked, [])
})

t.test('429: the rate limit of the service, with its Retry-After', async (t) => {
  const rig = await createRig({ config: { rateLimitPerMinute: 1 } })
  await rig.get('/compat/v1/models')
  const refusal = await rig.post(URL, BODY)
  t.equal(refusal.status, 429)
  t.equal(refusal.headers['retry-after'], '60')
  t.match(envelope(t, refusal), { type: 'rate_limit_error', code: 'rate_limit_exceeded' })
})

t.test('503: no model service is configured, and nothing is run', async (t) => {
  const rig = await createRig()
  for (const refusal of [await rig.post(URL, BODY), await rig.get('/compat/v1/models')]) {
    t.equal(refusal.status, 503)
    t.equal(refusal.headers['retry-after'], '1')
    t.match(envelope(t, refusal), { type: 'server_error', code: 'upstream_unavailable', message: /SERVICE_UPSTREAM_URL/ })
  }
  t.strictSame(rig.asked, [])
})

for (const [code, status] of Object.entries(STATUS_OF_CODE) as [ErrorCode, number][]) {
  t.test(`${status}: refusal ${code}, under its own code`, async (t) => {
    const rig = await createRig({ modelService: unreachable, intercept: () => new DomainError(code, 'In its own words') })
    const refusal = await rig.post(URL, { session_id: 's', ...BODY })
    t.equal(refusal.status, status)
    t.equal(refusal.headers['x-session-id'], 's')
    t.equal(refusal.headers['retry-after'], status === 503 ? '1' : undefined)
    t.equal(envelope(t, refusal).code, code === 'invalid_input' ? 'value_error' : code)
  })
}

t.test('500: a failure nobody expected; neither answer nor log tells what it was about', async (t) => {
  const rig = await createRig({ modelService: unreachable, intercept: () => new Error('secret memory text') })
  const refusal = await rig.post(URL, BODY)
  t.equal(refusal.status, 500)
  t.match(envelope(t, refusal), { type: 'server_error', code: 'internal', message: 'Internal server error' })
  t.notMatch(rig.logs.join(''), /secret memory text|hello/)
})

t.test('the official client knows the failures for what they are', async (t) => {
  const { client, url } = await startChat(t, ({ response }) => answer(response, completion('Yes.')), {
    env: { SERVICE_BODY_LIMIT_BYTES: '2048' }
  })
  const ask = (content: string, api = client) => api.chat.completions.create({ model: 'm', messages: [{ role: 'user', content }] })
  const failed = (asked: Promise<unknown>) =>
    asked.then(
      () => null,
      (error: unknown) => error
    )
  const stranger = new OpenAI({ baseURL: `${url}/compat/v1`, apiKey: 'nonsense', maxRetries: 0 })
  t.ok((await failed(ask('x', stranger))) instanceof OpenAI.AuthenticationError)
  t.ok((await failed(client.post('/nothing'))) instanceof OpenAI.NotFoundError)
  t.ok((await failed(client.chat.completions.create({ model: 'm', messages: [] }))) instanceof OpenAI.UnprocessableEntityError)
  t.match(await failed(ask('x'.repeat(3_000))), { status: 413, code: 'request_too_large', type: 'invalid_request_error' })
  t.equal((await ask('x')).choices[0]?.message.content, 'Yes.')
})

const odd = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  's',
  '\0',
  '\ud800',
  [],
  {},
  [null],
  [[]],
  { type: 'text' },
  'a'.repeat(129)
)
const part = fc.oneof(odd, fc.record({ type: fc.constantFrom('text', 'image_url', 'x'), text: fc.oneof(odd, fc.string()) }))
const message = fc.oneof(
  odd,
  fc.record({
    role: fc.constantFrom<unknown>('user', 'system', 'tool', 5),
    content: fc.oneof(odd, fc.string(), fc.array(part, { maxLength: 3 }))
  })
)
const body = fc.record(
  {
    messages: fc.oneof({ weight: 5, arbitrary: fc.array(message, { maxLength: 4 }) }, { weight: 1, arbitrary: odd }),
    stream: fc.oneof(odd, fc.boolean()),
    session_id: fc.oneof(odd, fc.constant('s')),
    user: odd,
    __proto__: odd,
    tools: fc.jsonValue()
  },
  { requiredKeys: [] }
)
const text = fc.oneof({ weight: 5, arbitrary: body.map((value) => JSON.stringify(value)) }, { weight: 1, arbitrary: fc.string() })

t.test('malformed requests: none is a failure of ours, every refusal comes in the envelope', async (t) => {
  const { upstream, alice } = await startChat(t, ({ text, response }) => {
    JSON.parse(text)
    answer(response, completion('Yes.'))
  })
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(text, async (payload) => {
      const { status, body } = await alice.post(URL, payload)
      statuses.add(status)
      if (status >= 500) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
      if (status >= 400 && Object.keys(body).join() !== 'error') throw new Error(`not the envelope: ${JSON.stringify(body)}`)
    }),
    { seed: 20_260_101, numRuns: 500 }
  )
  t.strictSame([...statuses].sort(), [200, 422])
  t.ok(upstream.calls.length > 0, `${upstream.calls.length} went on`)
})
