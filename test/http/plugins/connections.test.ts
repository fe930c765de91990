/** Connections that go away with several requests under way, and those that never get to one. */
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import t from 'tap'
import { createSemaphore } from '../../../actors/scheduling/semaphore.js'
import { createNodeBudget } from '../../../actors/weight/node-budget.js'
import { totalOf } from '../../../src/domain/weight.js'
import type { Http } from '../../../src/http/contract/contracts.js'
import { registerConnections } from '../../../src/http/plugins/connections.js'
import { registerLanes } from '../../../src/http/plugins/lanes.js'
import { registerMemoryShares } from '../../../src/http/plugins/large-answers.js'
import { yieldToEventLoop } from '../../../src/platform/event-loop.js'
import { createManualClock } from '../../support/manual-clock.js'
import { until } from '../../support/until.js'

const REQUESTS = 5

/** Milliseconds that no test lasts. */
const NEVER_MS = 600_000

t.test('requests sent without waiting give back their permits and what their bodies held when their client goes', async (t) => {
  const clock = createManualClock()
  const all = { heap: Infinity, total: Infinity }
  const budget = createNodeBudget({ clock, counters: { count: () => undefined }, isDurable: true, actors: all, work: all })
  const permits = createSemaphore({ clock, permitsMax: REQUESTS, full: 'full' })
  const app = Fastify() as unknown as Http
  app.decorateRequest('answerShares', null)
  app.decorateRequest('subject', 'anna')
  registerConnections(app)
  registerLanes(app, { commands: permits, checks: permits, streams: permits, tools: permits })
  registerMemoryShares(app, budget, { connectionTimeoutMs: NEVER_MS, yieldToEventLoop })
  let begun = 0
  let ended = 0
  let goOn: () => void = () => undefined
  const released = new Promise<void>((resolve) => (goOn = resolve))
  app.post('/slow', async (_request, reply) => {
    reply.raw.once('close', () => (ended += 1))
    begun += 1
    await released
    return { done: true }
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const held = (): number => budget.held().reduce((sum, { weight }) => sum + totalOf(weight), 0)
  const ask = () => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    socket.on('error', () => undefined)
    socket.write(
      'POST /slow HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 4\r\n\r\ntrue'.repeat(REQUESTS)
    )
    return socket
  }

  const gone = ask()
  await until(() => begun === REQUESTS)
  t.ok(held() > 0, 'they are counted while they are under way')
  gone.destroy()
  await until(() => ended === REQUESTS)
  t.equal(held(), 0)
  ask()
  await until(() => begun === 2 * REQUESTS)
  t.pass('others find their permits free')
  goOn()
})

t.test('connections beyond the bound that bring no request are closed oldest first, and keep nobody out', async (t) => {
  const IDLE_MAX = 8
  const app = Fastify() as unknown as Http
  registerConnections(app, { idleMax: IDLE_MAX })
  let goOn: () => void = () => undefined
  const released = new Promise<void>((resolve) => (goOn = resolve))
  app.get('/now', async () => ({ done: true }))
  app.get('/slow', async () => {
    await released
    return { done: true }
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  let closed = 0
  const open = async (text: string): Promise<Socket> => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    socket.on('error', () => undefined)
    socket.once('close', () => (closed += 1))
    await once(socket, 'connect')
    socket.write(text)
    return socket
  }
  const answer = async (socket: Socket): Promise<string> => ((await once(socket, 'data')) as [Buffer])[0].toString('latin1').slice(0, 12)

  const working = await open('GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n')
  for (let at = 0; at < 3 * IDLE_MAX; at++) await open('GET /now HTTP/1.1\r\nhost: localhost\r\nx-half: ')
  await until(() => closed === 2 * IDLE_MAX)
  const late = await open('GET /now HTTP/1.1\r\nhost: localhost\r\n\r\n')
  t.equal(await answer(late), 'HTTP/1.1 200')
  goOn()
  t.equal(await answer(working), 'HTTP/1.1 200', 'what is under way is left alone')
})

t.test('requests that are injected have no connection, and take the place of none', async (t) => {
  const app = Fastify() as unknown as Http
  registerConnections(app, { idleMax: 1 })
  app.get('/now', async () => ({ done: true }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  for (let round = 0; round < 3; round++) t.equal((await app.inject('/now')).statusCode, 200)
  socket.write('GET /now HTTP/1.1\r\nhost: localhost\r\n\r\n')
  t.match(String(((await once(socket, 'data')) as [Buffer])[0]), /^HTTP\/1\.1 200/)
})
