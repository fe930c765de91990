// One test per row of the interface's table Errors; names begin with the row.
import t, { type Test } from 'tap'
import { DomainError, type ErrorCode } from '../../../src/domain/errors.js'
import { STATUS_OF_CODE } from '../../../src/http/contract/errors.js'
import { type Answer, createRig, START } from '../../support/http-rig.js'

/** Interface, Errors: a JSON body with a single `detail`. */
function isProblem(t: Test, { headers, body }: Answer): void {
  t.match(headers['content-type'], /^application\/json/)
  t.strictSame(Object.keys(body), ['detail'])
}

const RUN = { session_id: 's', message: 'hello' }

t.test('400: a malformed payload', async (t) => {
  const rig = await createRig({ intercept: () => new DomainError('malformed_payload', 'The payload is malformed') })
  const answer = await rig.post('/v1/run', RUN)
  t.equal(answer.status, 400)
  t.equal(answer.body.detail, 'The payload is malformed')
  isProblem(t, answer)
})

const PROTECTED = [
  ['GET', '/v1/readyz'],
  ['GET', '/openapi.json'],
  ['GET', '/docs'],
  ['GET', '/redoc'],
  ['POST', '/v1/run'],
  ['POST', '/v1/store'],
  ['POST', '/v1/dedup-check'],
  ['POST', '/v1/session/create'],
  ['DELETE', '/v1/session/s'],
  ['GET', '/v1/metrics/s'],
  ['GET', '/v1/state/metrics'],
  ['GET', '/v1/state/context'],
  ['GET', '/v1/session/s/memories/h'],
  ['POST', '/v1/session/s/search'],
  ['POST', '/v1/session/s/trigger'],
  ['DELETE', '/v1/session/s/trigger'],
  ['POST', '/v1/session/s/anchor'],
  ['GET', '/v1/session/s/anchor_score'],
  ['PUT', '/v1/session/s/isolation'],
  ['POST', '/v1/session/s/isolation/release'],
  ['POST', '/v1/session/s/memory'],
  ['GET', '/v1/session/s/export'],
  ['POST', '/v1/session/s/import'],
  ['POST', '/v1/session/s/verify'],
  ['POST', '/v1/session/s/entities'],
  ['GET', '/v1/session/s/entities'],
  ['DELETE', '/v1/session/s/entities/a/b'],
  ['GET', '/v1/session/s/memories'],
  ['POST', '/v1/session/s/memories'],
  ['DELETE', '/v1/session/s/memories/h'],
  ['GET', '/v1/sessions'],
  ['GET', '/v1/days']
] as const

t.test('401: a missing license token, on every route but health and metrics', async (t) => {
  const rig = await createRig()
  for (const [method, url] of PROTECTED) {
    const answer = await rig.call({ method, url, headers: { authorization: '' } })
    t.equal(answer.status, 401, `${method} ${url}`)
    t.strictSame(answer.body, { detail: 'Missing license token' })
  }
})

t.test('401: an invalid license token, before anything else about the request is looked at', async (t) => {
  const rig = await createRig()
  for (const [method, url] of PROTECTED) {
    const headers = { authorization: 'Bearer nonsense', ...(method === 'POST' && { 'content-type': 'text/plain' }) }
    const answer = await rig.call({ method, url, headers, ...(method === 'POST' && { payload: '{bad' }) })
    t.equal(answer.status, 401, `${method} ${url}`)
    t.match(answer.body.detail, /^Invalid license/)
    isProblem(t, answer)
  }
})

t.test('401: /metrics without valid Basic Auth', async (t) => {
  const rig = await createRig()
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  for (const authorization of [
    '',
    'Bearer x',
    'Basic',
    'Basic !!!',
    basic('scraper:wrong'),
    basic('other:pass:word'),
    basic('scraper'),
    basic('')
  ]) {
    const answer = await rig.call({ method: 'GET', url: '/metrics', headers: { authorization } })
    t.equal(answer.status, 401, authorization)
    t.match(answer.headers['www-authenticate'], /^Basic/)
    isProblem(t, answer)
  }
  t.equal((await rig.call({ method: 'GET', url: '/metrics', headers: { authorization: basic('scraper:pass:word') } })).status, 200)
})

t.test('402: valid signature but expired token; the detail hints at renewal', async (t) => {
  const rig = await createRig()
  const authorization = `Bearer ${await rig.token('alice', START + 5)}`
  t.equal((await rig.call({ method: 'GET', url: '/v1/readyz', headers: { authorization } })).status, 200)
  rig.clock.set(START + 5)
  const answer = await rig.call({ method: 'GET', url: '/v1/readyz', headers: { authorization } })
  t.equal(answer.status, 402)
  t.match(answer.body.detail, /renew/i)
  isProblem(t, answer)
})

t.test('404: a session that is missing, and the detail says it is the session', async (t) => {
  const rig = await createRig()
  const requests = [
    rig.post('/v1/store', { session_id: 's', response: 'x' }),
    rig.post('/v1/dedup-check', { session_id: 's', text: 'x' }),
    rig.call({ method: 'DELETE', url: '/v1/session/s' }),
    rig.get('/v1/metrics/s'),
    rig.get('/v1/state/metrics?session_id=s'),
    rig.get('/v1/state/metrics'),
    rig.get('/v1/state/context?session_id=s'),
    rig.get('/v1/session/s/memories/h'),
    rig.post('/v1/session/s/search', { query: 'x' }),
    rig.get('/v1/metrics/no%20such%20id'),
    rig.get(`/v1/metrics/${'a'.repeat(129)}`),
    rig.get(`/v1/metrics/${'a'.repeat(5000)}`),
    rig.get('/v1/metrics/a%00b')
  ]
  for (const answer of await Promise.all(requests)) {
    t.equal(answer.status, 404)
    t.strictSame(answer.body, { detail: 'Session not found' })
  }
})

t.test('404: a session of another subject looks exactly like a missing one', async (t) => {
  const rig = await createRig()
  await rig.post('/v1/run', RUN)
  const authorization = `Bearer ${await rig.token('mallory')}`
  const foreign = await rig.call({ method: 'GET', url: '/v1/metrics/s', headers: { authorization } })
  const missing = await rig.call({ method: 'GET', url: '/v1/metrics/nobody', headers: { authorization } })
  t.strictSame([foreign.status, foreign.body], [missing.status, missing.body])
})

t.test('404: a memory that is missing in a session that is there, and the detail says it is the memory', async (t) => {
  const rig = await createRig()
  await rig.post('/v1/run', RUN)
  const answer = await rig.get('/v1/session/s/memories/unknown')
  t.equal(answer.status, 404)
  t.strictSame(answer.body, { detail: 'Memory not found' })
})

t.test('404: a path that is not of the interface, with and without a token', async (t) => {
  const rig = await createRig()
  for (const [method, url] of [
    ['GET', '/'],
    ['GET', '/v1'],
    ['POST', '/v1/nope'],
    ['GET', '/v1/debug/recent'],
    ['DELETE', '/v1/compliance/users/u/memory'],
    ['OPTIONS', '/x']
  ] as const) {
    const answer = await rig.call({
      method,
      url,
      headers: { authorization: '', ...(method === 'POST' && { 'content-type': 'application/json' }) },
      ...(method === 'POST' && { payload: '{bad' })
    })
    t.equal(answer.status, 404, url)
    t.strictSame(answer.body, { detail: 'Not Found' })
  }
})

t.test('405: a method that the path does not have; Allow names those it has', async (t) => {
  const rig = await createRig()
  for (const [method, url, allow] of [
    ['GET', '/v1/run', 'POST'],
    ['PUT', '/v1/session/s/', 'DELETE'],
    ['POST', '/v1/health', 'GET, HEAD'],
    ['OPTIONS', '/v1/state/context', 'GET, HEAD'],
    ['TRACE', '/v1/store', 'POST']
  ] as const) {
    const answer = await rig.call({ method, url })
    t.equal(answer.status, 405, `${method} ${url}`)
    t.strictSame(answer.body, { detail: 'Method Not Allowed' })
    t.equal(answer.headers['allow'], allow)
  }
})

t.test('409: an explicit id that the subject already owns', async (t) => {
  const rig = await createRig()
  t.strictSame((await rig.post('/v1/session/create', { session_id: 's' })).body, { session_id: 's', created: true })
  const answer = await rig.post('/v1/session/create', { session_id: 's' })
  t.equal(answer.status, 409)
  t.strictSame(answer.body, { detail: 'Session already exists' })
})

t.test('413: a body above the limit', async (t) => {
  const rig = await createRig()
  const answer = await rig.post('/v1/run', { message: 'x'.repeat(5_000_000) })
  t.equal(answer.status, 413)
  isProblem(t, answer)
})

t.test('415: a body that is not declared as JSON', async (t) => {
  const rig = await createRig()
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'nonsense',
    'application/jsonx'
  ]) {
    const answer = await rig.call({ method: 'POST', url: '/v1/run', headers: { 'content-type': type }, payload: JSON.stringify(RUN) })
    t.equal(answer.status, 415, type)
    isProblem(t, answer)
  }
  for (const type of ['application/json', 'APPLICATION/JSON', 'application/json; charset=utf-8', 'application/vnd.api+json']) {
    t.equal(
      (await rig.call({ method: 'POST', url: '/v1/run', headers: { 'content-type': type }, payload: JSON.stringify(RUN) })).status,
      200,
      type
    )
  }
})

t.test('422: validation failure; the body is a list of loc, msg and type', async (t) => {
  const rig = await createRig()
  const answer = await rig.post('/v1/run', { session_id: '', message: 5 })
  t.equal(answer.status, 422)
  t.strictSame(answer.body, {
    detail: [
      { loc: ['body', 'session_id'], msg: 'String should have at least 1 character', type: 'string_too_short' },
      { loc: ['body', 'message'], msg: 'Input should be a valid string', type: 'string_type' }
    ]
  })
})

t.test('422: what only the session can find out comes in the same shape', async (t) => {
  const rig = await createRig()
  const answer = await rig.post('/v1/session/create', { dimension: 3, template_embedding: [1, 2] })
  t.equal(answer.status, 422)
  t.strictSame(answer.body, {
    detail: [{ loc: ['body', 'template_embedding'], msg: 'Embedding has the wrong length', type: 'value_error' }]
  })
})

t.test('429: rate limit exceeded; Retry-After 60 and nothing else about the limit', async (t) => {
  const rig = await createRig({ config: { rateLimitPerMinute: 2 } })
  await rig.get('/v1/readyz')
  const second = await rig.get('/v1/readyz')
  t.equal(second.status, 200)
  const answer = await rig.get('/v1/readyz')
  t.equal(answer.status, 429)
  t.equal(answer.headers['retry-after'], '60')
  t.strictSame(answer.body, { detail: 'Too many requests' })
  for (const { headers } of [second, answer]) t.notOk(Object.keys(headers).some((name) => /ratelimit/i.test(name)))
})

t.test('500: a failure nobody expected; neither answer nor log tells what it was about', async (t) => {
  const rig = await createRig({ intercept: () => new Error('secret memory text') })
  const answer = await rig.post('/v1/run', RUN)
  t.equal(answer.status, 500)
  t.strictSame(answer.body, { detail: 'Internal server error' })
  const log = rig.logs.join('')
  t.match(log, /request failed/)
  t.notMatch(log, /secret memory text|hello/)
})

t.test('503: /metrics while METRICS_USER or METRICS_PASSWORD is not configured', async (t) => {
  const rig = await createRig({ config: { metricsCredentials: undefined } })
  const answer = await rig.get('/metrics')
  t.equal(answer.status, 503)
  isProblem(t, answer)
})

t.test('503: /v1/readyz when a dependency check fails', async (t) => {
  const rig = await createRig({ ready: false })
  const answer = await rig.get('/v1/readyz')
  t.equal(answer.status, 503)
  t.strictSame(answer.body, {
    ready: false,
    checks: { redis: 'not_configured', database: 'not_configured', embedder: 'error: down' },
    embedder_model: 'lexical-hash-v1'
  })
})

for (const [code, status] of Object.entries(STATUS_OF_CODE) as [ErrorCode, number][]) {
  t.test(`${status}: refusal ${code}, with its own words and a hint when to come back`, async (t) => {
    const rig = await createRig({ intercept: () => new DomainError(code, 'In its own words') })
    const answer = await rig.post('/v1/run', RUN)
    t.equal(answer.status, status)
    t.equal(answer.headers['retry-after'], status === 503 ? '1' : undefined)
    if (status !== 422 && status !== 500) t.equal(answer.body.detail, 'In its own words')
    isProblem(t, answer)
  })
}
