import t from 'tap'
import { createRig, CREDENTIALS, type Rig, START } from '../../support/http-rig.js'

async function scrape(rig: Rig): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${CREDENTIALS.user}:${CREDENTIALS.password}`).toString('base64')}`
  const { status, text, headers } = await rig.call({ method: 'GET', url: '/metrics', headers: { authorization } })
  t.equal(status, 200)
  t.match(headers['content-type'], /^text\/plain; version=0.0.4/)
  return text
}

t.test('metrics: count requests by method, route template and status, never by path', async (t) => {
  const rig = await createRig()
  await rig.post('/v1/run', { session_id: 'my-own-id', message: 'x' })
  await rig.get('/v1/metrics/my-own-id')
  await rig.get('/v1/metrics/nobody')
  await rig.get('/v1/secret/scan')
  await rig.call({ method: 'PUT', url: '/v1/run' })
  await rig.get('/v1/metrics/%ZZ')
  const text = await scrape(rig)
  t.match(text, 'service_requests_total{method="POST",endpoint="/v1/run",status="200"} 1')
  t.match(text, 'service_requests_total{method="GET",endpoint="/v1/metrics/{session_id}",status="200"} 1')
  t.match(text, 'service_requests_total{method="GET",endpoint="/v1/metrics/{session_id}",status="404"} 1')
  t.match(text, 'service_requests_total{method="GET",endpoint="unmatched",status="404"} 1')
  t.match(text, 'service_requests_total{method="PUT",endpoint="unmatched",status="405"} 1')
  t.match(text, 'service_requests_total{method="GET",endpoint="/v1/metrics/{session_id}",status="400"} 1')
  t.match(text, 'service_request_duration_seconds_count{method="POST",endpoint="/v1/run"} 1')
  t.notMatch(text, /my-own-id|secret/)
})

t.test('metrics: the time of a request is in seconds, and no longer than it took', async (t) => {
  const rig = await createRig()
  const beganMs = performance.now()
  await rig.post('/v1/run', { message: 'x' })
  const tookMs = performance.now() - beganMs
  const [, sum] = /^service_request_duration_seconds_sum\{method="POST",endpoint="\/v1\/run"\} (.*)$/m.exec(await scrape(rig)) ?? []
  t.ok(Number(sum) > 0 && Number(sum) <= tookMs / 1_000, `${String(sum)} s of ${String(tookMs)} ms`)
})

t.test('metrics of two services in one process are counted apart', async (t) => {
  const [one, other] = await Promise.all([createRig(), createRig()])
  await one.get('/v1/readyz')
  t.match(await scrape(one), /endpoint="\/v1\/readyz"/)
  t.notMatch(await scrape(other), /endpoint="\/v1\/readyz"/)
})

t.test('rate limit: counts neither health, metrics, dedup-check nor what is not authenticated', async (t) => {
  const rig = await createRig({ config: { rateLimitPerMinute: 1 } })
  for (let i = 0; i < 5; i++) {
    t.equal((await rig.get('/v1/health')).status, 200)
    t.equal((await rig.call({ method: 'GET', url: '/v1/readyz', headers: { authorization: '' } })).status, 401)
    t.equal((await rig.post('/v1/dedup-check', { session_id: 's', text: 'x' })).status, 404)
    t.equal((await rig.get('/v1/nope')).status, 404)
    await scrape(rig)
  }
  t.equal((await rig.get('/v1/readyz')).status, 200)
  t.equal((await rig.get('/v1/readyz')).status, 429)
  t.equal((await rig.post('/v1/dedup-check', { session_id: 's', text: 'x' })).status, 404, 'which is never limited')
})

t.test('the rate limit is per remote address, whatever the license, and believes no forwarding header', async (t) => {
  const rig = await createRig({ config: { rateLimitPerMinute: 1 } })
  const from = async (remoteAddress: string, subject: string, forwarded = '') => {
    const headers = { authorization: `Bearer ${await rig.token(subject)}`, 'x-forwarded-for': forwarded }
    return (await rig.call({ method: 'GET', url: '/v1/readyz', remoteAddress, headers })).status
  }
  t.equal(await from('10.0.0.1', 'a'), 200)
  t.equal(await from('10.0.0.1', 'b'), 429)
  t.equal(await from('10.0.0.1', 'a', '10.9.9.9'), 429)
  t.equal(await from('10.0.0.2', 'a'), 200)
  t.equal(await from('::ffff:10.0.0.2', 'a'), 429, 'one address, written as IPv6')
  t.equal(await from('2001:db8:1:2::1', 'a'), 200)
  t.equal(await from('2001:db8:1:2:ffff::1', 'a'), 429, 'a network of IPv6 is one address')
  t.equal(await from('2001:db8:1:3::1', 'a'), 200)
})

t.test('rate limit: a minute is one that has passed, whatever the clock of the day is set to', async (t) => {
  const rig = await createRig({ config: { rateLimitPerMinute: 1 } })
  const status = async () => (await rig.get('/v1/readyz')).status
  t.equal(await status(), 200)
  rig.clock.set(START - 3_600)
  t.equal(await status(), 429)
  rig.clock.set(START + 3_600)
  t.equal(await status(), 429)
  rig.clock.set(START - 3_600)
  rig.clock.pass(60_000)
  t.equal(await status(), 200, 'also after it was set back')
})

t.test('cross-origin: no headers unless origins are configured', async (t) => {
  const rig = await createRig()
  const { headers } = await rig.call({ method: 'GET', url: '/v1/health', headers: { origin: 'https://app.example' } })
  t.equal(headers['access-control-allow-origin'], undefined)
})

t.test('cross-origin: configured origins get a preflight without a token, and readable errors', async (t) => {
  const rig = await createRig({ config: { corsOrigins: ['https://app.example'] } })
  const preflight = (origin: string) =>
    rig.call({
      method: 'OPTIONS',
      url: '/v1/run',
      headers: { authorization: '', origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
    })
  const { status, headers } = await preflight('https://app.example')
  t.equal(status, 204)
  t.equal(headers['access-control-allow-origin'], 'https://app.example')
  t.match(headers['access-control-allow-headers'], /Authorization/)
  t.equal((await preflight('https://evil.example')).headers['access-control-allow-origin'], undefined)
  const refused = await rig.call({
    method: 'POST',
    url: '/v1/run',
    headers: { authorization: '', origin: 'https://app.example' },
    payload: {}
  })
  t.equal(refused.status, 401)
  t.equal(refused.headers['access-control-allow-origin'], 'https://app.example')
  t.equal((await rig.get('/v1/nope')).status, 404)
})
