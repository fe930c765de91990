/** What errors tell about an answer, or about a missing one. */
import t from 'tap'
import { toBrokenOff, toLost, toRefusal } from '../../src/client/refusals.js'

const refusal = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  toRefusal(new Response(null, { status, headers }), body, 1_700_000_000_000)

t.test('a refusal is told in its own words, else by the fields that it names, else by its status', async (t) => {
  const problems = [
    { loc: ['body', 'memories', 0, 'text'], msg: 'Too short', type: 'string_too_short' },
    { loc: ['query', 'limit'], msg: 'Too large', type: 'less_than_equal' }
  ]
  t.match(refusal(404, { detail: 'Session not found' }), { kind: 'not_found', detail: 'Session not found', problems: [] })
  t.match(refusal(400, { error: { message: 'No such model' } }), { detail: 'No such model' }, "the chat proxy's envelope")
  t.match(refusal(422, { detail: problems }), { detail: 'body.memories.0.text: Too short; query.limit: Too large', problems })
  t.match(refusal(422, { detail: [...problems, { msg: 'of another shape' }] }), { problems })
  for (const body of [null, 'text', {}, { detail: [] }, { error: null }, { error: { message: 3 } }])
    t.match(refusal(502, body), { kind: 'unavailable', status: 502, detail: /502/, problems: [] }, JSON.stringify(body))
  t.match(refusal(302, null), { kind: 'unexpected' })
})

t.test('each status of a refusal is of one kind', async (t) => {
  for (const [kind, statuses] of [
    ['invalid', [400, 413, 415, 422]],
    ['unauthorized', [401]],
    ['expired', [402]],
    ['forbidden', [403, 421]],
    ['not_found', [404]],
    ['conflict', [409]],
    ['rate_limited', [429]],
    ['unavailable', [500, 503, 599]],
    ['unexpected', [302, 405, 418, 499]]
  ] as const)
    for (const status of statuses) t.match(refusal(status, null), { kind, status })
})

t.test('the time to wait is in seconds or a date, and never in the past', async (t) => {
  for (const [header, retryAfterMs] of [
    ['7', 7_000],
    ['Tue, 14 Nov 2023 22:13:30 GMT', 10_000],
    ['Tue, 14 Nov 2023 22:13:10 GMT', 0],
    ['999999999', 999_999_999_000],
    ['9999999999', null],
    ['soon', null],
    ['', null]
  ] as const)
    t.equal(refusal(429, null, { 'retry-after': header }).retryAfterMs, retryAfterMs, header)
  t.equal(refusal(429, null).retryAfterMs, null)
})

t.test('what happened on the way is told with its causes, and without the token', async (t) => {
  const error = new TypeError('fetch failed', { cause: new Error('connect to secret refused') })
  const lost = toLost(error, 'secret')
  t.match(lost, { kind: 'unreachable', status: null, cause: { name: 'TypeError', message: 'fetch failed: connect to … refused' } })
  t.ok(lost.detail.endsWith('(fetch failed: connect to … refused)'), lost.detail)
  t.match(toBrokenOff('cut'), { kind: 'unreachable', cause: { name: 'Error', message: '' } })
  t.notMatch(toBrokenOff('cut').detail, /[()]/)
})
