import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import t from 'tap'
import { DomainError } from '../../../src/domain/errors.js'
import { registerErrorHandler } from '../../../src/http/contract/errors.js'
import { registerAuthentication } from '../../../src/http/plugins/authentication.js'
import type { LicenseCaller } from '../../../src/ports.js'
import { createRig } from '../../support/http-rig.js'
import { until } from '../../support/until.js'

t.test('a license in Authorization or X-API-Key finds its subject, whatever the case of the scheme', async (t) => {
  const rig = await createRig()
  const token = await rig.token('carol')
  const headers: Record<string, string>[] = [
    { authorization: `Bearer ${token}` },
    { authorization: `bearer   ${token}` },
    { authorization: `BEARER ${token} ` },
    { authorization: '', 'x-api-key': token },
    { authorization: `Bearer ${token}`, 'x-api-key': token },
    { authorization: 'Basic abc', 'x-api-key': token },
    { authorization: 'Bearer', 'x-api-key': token }
  ]
  for (const header of headers) {
    const { status } = await rig.call({ method: 'POST', url: '/v1/run', headers: header, payload: { message: 'x' } })
    t.equal(status, 200, Object.keys(header).join())
    t.equal(rig.asked.at(-1)?.address.subject, 'carol')
  }
})

t.test('two different licenses in one request: refused, for a proxy might pick the other one', async (t) => {
  const rig = await createRig()
  const [alice, bob] = [`Bearer ${await rig.token('alice')}`, await rig.token('bob')]
  const refused: Record<string, string | string[]>[] = [
    { 'x-api-key': bob },
    { authorization: [alice, `Bearer ${bob}`] },
    { authorization: [`Bearer ${bob}`, alice] },
    { authorization: ['Basic YTpi', alice] },
    { authorization: [alice, 'Basic YTpi'] },
    { authorization: '', 'x-api-key': [bob, await rig.token('alice')] }
  ]
  for (const headers of refused) {
    const { status, body } = await rig.call({ method: 'GET', url: '/v1/readyz', headers: headers })
    t.equal(status, 401, JSON.stringify(Object.keys(headers)))
    t.match(body.detail, /^Invalid license/)
  }
  const twice = { authorization: [alice, alice] as unknown as string }
  t.equal((await rig.call({ method: 'GET', url: '/v1/readyz', headers: twice })).status, 200, 'the same one twice leaves no doubt')
})

t.test('other schemes: count as no license', async (t) => {
  const rig = await createRig()
  for (const authorization of ['Basic YTpi', 'Bearer', 'Bearer ', 'Token abc', await rig.token('bob')]) {
    t.strictSame((await rig.call({ method: 'GET', url: '/v1/readyz', headers: { authorization } })).body, {
      detail: 'Missing license token'
    })
  }
})

t.test("anonymous mode: every request is the anonymous subject's, with or without a token", async (t) => {
  const rig = await createRig({ anonymous: true })
  for (const authorization of ['', 'Bearer nonsense', `Bearer ${await rig.token('bob')}`]) {
    t.equal((await rig.call({ method: 'POST', url: '/v1/run', headers: { authorization }, payload: { message: 'x' } })).status, 200)
    t.equal(rig.asked.at(-1)?.address.subject, 'anonymous')
  }
})

t.test('health: needs no license', async (t) => {
  const rig = await createRig({ config: { nodeId: 'n1' } })
  await rig.post('/v1/run', { message: 'x' })
  const { status, body } = await rig.call({ method: 'GET', url: '/v1/health', headers: { authorization: '' } })
  t.equal(status, 200)
  t.strictSame(body, { status: 'ok', active_sessions: 1, version: '1.0.0', node_id: 'n1' })
})

t.test('logs: carry no token, body or query value', async (t) => {
  const rig = await createRig()
  await rig.post('/v1/run', { session_id: 's', message: 'top secret words' })
  await rig.get('/v1/state/context?session_id=hidden-id&top_k=zzz')
  await rig.call({ method: 'GET', url: '/v1/nope/secret-path?token=in-the-query', headers: { 'x-api-key': 'k' } })
  const log = rig.logs.join('')
  t.match(log, /"endpoint":"\/v1\/run"/)
  t.match(log, /"endpoint":"unmatched"/)
  t.notMatch(log, /top secret|hidden-id|zzz|secret-path|eyJ|in-the-query/)
})

t.test('a license whose check gets no turn: 503 with when to come again, and checks are told where they come from', async (t) => {
  const app = Fastify()
  const addresses: (string | undefined)[] = []
  registerErrorHandler(app)
  registerAuthentication(app, async (_token, caller) => {
    addresses.push(caller?.address)
    throw new DomainError('busy', 'Too many licenses wait to be checked')
  })
  app.get('/v1/sessions', async () => ({}))
  const headers = { authorization: 'Bearer a.b.c' }
  for (const remoteAddress of ['192.0.2.7', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2:ffff::1']) {
    const answer = await app.inject({ method: 'GET', url: '/v1/sessions', headers, remoteAddress })
    t.equal(answer.statusCode, 503)
    t.equal(answer.headers['retry-after'], '1')
    t.same(answer.json(), { detail: 'Too many licenses wait to be checked' })
  }
  t.equal(addresses[0], '192.0.2.7')
  t.equal(addresses[1], addresses[2], 'one network of IPv6 is one address')
})

t.test('a license is wanted for as long as its client is there', async (t) => {
  const app = Fastify()
  const callers: LicenseCaller[] = []
  registerAuthentication(app, (_token, caller) => {
    if (caller !== undefined) callers.push(caller)
    return new Promise(() => undefined)
  })
  app.get('/v1/sessions', async () => ({}))
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET /v1/sessions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer a.b.c\r\n\r\n')
  await until(() => callers.length === 1)
  t.equal(callers[0]?.isWanted(), true)
  socket.destroy()
  await until(() => callers[0]?.isWanted() === false)
})
