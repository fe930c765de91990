/** Three nodes of the service under `nats.conf`: one rate limit counts for all of them. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { generateKeyPair, signLicense } from '../../src/auth/license-signing.js'
import { readConfig } from '../../src/config.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { createService, type Service } from '../../src/service.js'
import { createLocalProcesses } from '../../src/tools/local-processes.js'
import { startNats } from '../../src/tools/local-servers.js'
import { allNeed } from '../support/needs.js'
import { until } from '../support/until.js'

const LIMIT = 30
/** Milliseconds between requests: nearly the quarter of a second in which nodes share counts, so that few pass before all know. */
const PACE_MS = 200

const { publicKey, privateKey } = generateKeyPair()
const ENV = {
  SERVICE_LICENSE_PUBLIC_KEY: publicKey,
  SERVICE_EMBEDDER: 'lexical',
  SERVICE_RATE_LIMIT_PER_MINUTE: String(LIMIT),
  SERVICE_LOG_LEVEL: 'fatal',
  SERVICE_CLUSTER_MEMORY: '1'
}
const clock = createSystemClock()
const licenceOf = async (subject: string) => `Bearer ${await signLicense({ privateKey, subject, clock })}`
const [alice, bob] = [await licenceOf('alice'), await licenceOf('bob')]

const processes = createLocalProcesses(() => undefined)
const passwords = Object.fromEntries(['n1', 'n2', 'n3'].map((nodeId) => [nodeId, `p${randomUUID()}`]))
const services: Service[] = []

allNeed(t, 'nats-server')
t.before(async () => {
  const urlOf = await startNats({ processes, folder: t.testdir(), env: process.env }, passwords)
  for (const nodeId of Object.keys(passwords)) {
    const service = await createService(readConfig({ ...ENV, NATS_URL: urlOf(nodeId), SERVICE_NODE_ID: nodeId }))
    services.push(service)
    await service.start()
  }
})
t.teardown(async () => {
  await Promise.all(services.map((service) => service.close()))
  await processes.stopAll()
})

const pace = () => new Promise<void>((resolve) => clock.after(PACE_MS, resolve))
const ask = (service: Service | undefined, remoteAddress: string, authorization = alice, url = '/v1/sessions') => {
  if (service === undefined) throw new Error('There is no node')
  return service.http.inject({ url, remoteAddress, headers: { authorization } })
}

t.test('an address gets through three nodes together about what it gets through one', async (t) => {
  let passed = 0
  const refused = new Set<Service>()
  // A third of the limit at once through each node; a node that counted alone would let two thirds more through.
  for (const service of services) {
    for (let at = 0; at < LIMIT / 3; at++) if ((await ask(service, '192.0.2.1')).statusCode === 200) passed += 1
  }
  t.equal(passed, LIMIT)
  await until(
    () => refused.size === services.length,
    async () => {
      await pace()
      for (const service of services) {
        if (refused.has(service)) continue
        const answer = await ask(service, '192.0.2.1')
        if (answer.statusCode === 200) {
          passed += 1
          continue
        }
        refused.add(service)
        t.equal(answer.statusCode, 429)
        t.equal(answer.headers['retry-after'], '60')
        t.strictSame(JSON.parse(answer.body), { detail: 'Too many requests' })
      }
    }
  )
  t.ok(passed < 2 * LIMIT, `${passed} of 90 got through`)
})

t.test('subjects behind one address share its count, and are told nothing of each other', async (t) => {
  const [n1, n2] = services
  for (let at = 0; at <= LIMIT; at++) await ask(n1, '2001:db8::1')
  let answer = await ask(n2, '2001:db8::2', bob)
  let asked = 1
  await until(
    () => answer.statusCode === 429,
    async () => {
      await pace()
      answer = await ask(n2, '2001:db8::2', bob)
      asked += 1
    }
  )
  t.ok(asked < LIMIT, 'it was refused for what the other one did')
  t.strictSame(JSON.parse(answer.body), { detail: 'Too many requests' })
  t.notOk(Object.keys(answer.headers).some((name) => /ratelimit/i.test(name)))
  // Another /64.
  t.equal((await ask(n2, '2001:db8:0:1::1', bob)).statusCode, 200)
})

t.test('requests without a licence are counted nowhere', async (t) => {
  const [n1, n2] = services
  for (let at = 0; at < 2 * LIMIT; at++) t.equal((await ask(n1, '192.0.2.3', 'Bearer nothing')).statusCode, 401)
  await pace()
  t.equal((await ask(n2, '192.0.2.3')).statusCode, 200)
})
