/** Connections that close with several requests under way, and connections that never send one. */
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { createSemaphore } from '../../../actors/scheduling/semaphore.js'
import { createNodeBudget } from '../../../actors/weight/node-budget.js'
import { totalOf } from '../../../src/domain/fairness/weight.js'
import type { Http } from '../../../src/http/contract/typed-http.js'
import { registerConnections } from '../../../src/http/plugins/connections.js'
import { registerLanes } from '../../../src/http/plugins/lanes.js'
import { registerMemoryShares } from '../../../src/http/plugins/memory-shares.js'
import { yieldToEventLoop } from '../../../src/platform/event-loop.js'
import { createManualClock } from '../../support/manual-clock.js'
import { openRaw } from '../../support/raw-connection.js'
import { until } from '../../support/until.js'

const REQUESTS = 5

/** Milliseconds, longer than any test. */
const NEVER_MS = 600_000

t.test('requests sent without waiting give back their permits and what their bodies held when their client goes', async (t) => {
  const clock = createManualClock()
  const all = { heap: Infinity, total: Infinity }
  const budget = createNodeBudget({ clock, counters: { count: () => undefined }, isDurable: true, actors: all, work: all })
  const permits = createSemaphore({ clock, permitsMax: REQUESTS, full: 'full' })
  const app = Fastify() as unknown as Http
  app.decorateRequest('subject', 'anna')
  registerConnections(app, { idleMax: Infinity, yieldToEventLoop })
  registerLanes(app, { commands: permits, checks: permits, streams: permits, tools: permits }, (_subject, goOn) => goOn())
  registerMemoryShares(app, budget, { connectionTimeoutMs: NEVER_MS, yieldToEventLoop, admit: (_subject, goOn) => goOn() })
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
  registerConnections(app, { idleMax: IDLE_MAX, yieldToEventLoop })
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

t.test('connections that went with requests under way do not count among those that bring none', async (t) => {
  const IDLE_MAX = 2
  const app = Fastify() as unknown as Http
  registerConnections(app, { idleMax: IDLE_MAX, yieldToEventLoop })
  let begun = 0
  let gone = 0
  app.get('/slow', (_request, { raw }) => {
    begun += 1
    raw.once('close', () => (gone += 1))
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const open = (text: string): Socket => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    socket.on('error', () => undefined)
    socket.write(text)
    return socket
  }
  const clients = Array.from({ length: 2 * IDLE_MAX }, () => open('GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n'))
  await until(() => begun === clients.length)
  for (const client of clients) client.destroy()
  await until(() => gone === clients.length)
  let closed = 0
  for (let at = 0; at < 2 * IDLE_MAX; at++) open('GET /slow HTTP/1.1\r\nx-half: ').once('close', () => (closed += 1))
  await until(() => closed === IDLE_MAX)
  t.equal(closed, IDLE_MAX, 'as many as there are too many')
})

t.test('requests that are injected have no connection, and take the place of none', async (t) => {
  const app = Fastify() as unknown as Http
  registerConnections(app, { idleMax: 1, yieldToEventLoop })
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

/** Starts a server whose handler waits for `goOn`. `begun` and `most`: requests under way now, and at most so far. */
async function startSlow(t: Test) {
  const app = Fastify({ bodyLimit: 1_000_000 }) as unknown as Http
  registerConnections(app, { idleMax: Infinity, yieldToEventLoop })
  const counts = { begun: 0, under: 0, most: 0 }
  let goOn: () => void = () => undefined
  const released = new Promise<void>((resolve) => (goOn = resolve))
  app.all('/slow/:at', async ({ params, body }) => {
    counts.begun += 1
    counts.under += 1
    counts.most = Math.max(counts.most, counts.under)
    await released
    counts.under -= 1
    return { at: (params as { at: string }).at, length: JSON.stringify(body ?? null).length }
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const open = (text = '') => openRaw(t, app, text)
  return { app, counts, goOn, open }
}

const get = (at: number): string => `GET /slow/${String(at)} HTTP/1.1\r\nhost: localhost\r\n\r\n`
const answered = (text: string): number[] => [...text.matchAll(/"at":"(\d+)"/g)].map(([, at]) => Number(at))

t.test('of many requests sent without waiting sixteen are under way, and all are answered in their order', async (t) => {
  const { counts, goOn, open } = await startSlow(t)
  const requests = Array.from({ length: 3_000 }, (_, at) => at)
  const { received } = await open(requests.map(get).join(''))
  await until(() => counts.begun === 16)
  const other = await open(get(7))
  await until(() => counts.begun === 17)
  t.equal(counts.most, 17, 'another connection is not kept from its own')
  goOn()
  await until(() => answered(received()).length === requests.length)
  t.strictSame(answered(received()), requests)
  await until(() => answered(other.received()).length === 1)
  t.ok(counts.most <= 17)
})

t.test('bodies of all lengths are read whole between requests that do not wait, however they come in', async (t) => {
  const { goOn, open } = await startSlow(t)
  goOn()
  const lengths = Array.from({ length: 120 }, (_, at) => (at % 9 === 0 ? 200_000 + at : (at * 37) % 700))
  const text = lengths
    .map((length, at) => {
      // Bodies may contain the end of headers, too.
      const body = JSON.stringify('x'.repeat(length)) + '\r\n\r\n'.repeat(at % 4 === 0 ? 100 : 0)
      const isChunked = at % 2 === 1
      const framed = isChunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body
      const framing = isChunked ? 'transfer-encoding: chunked' : `content-length: ${String(body.length)}`
      return `POST /slow/${String(at)} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${framing}\r\n\r\n${framed}`
    })
    .join('')
  const { socket, received } = await open()
  for (let at = 0, step = 1; at < text.length; at += step, step = (step * 7 + 3) % 90_001) {
    if (!socket.write(text.slice(at, at + step))) await once(socket, 'drain')
  }
  await until(() => answered(received()).length === lengths.length)
  const expected = lengths.map((length, at) => `{"at":"${String(at)}","length":${String(length + 2)}}`)
  t.strictSame(received().match(/\{"at".*?\}/g), expected)
})

t.test('requests that a client has sent and that it does not wait for are not begun once it has gone', async (t) => {
  const { counts, goOn, open } = await startSlow(t)
  const { socket } = await open(Array.from({ length: 500 }, (_, at) => get(at)).join(''))
  await until(() => counts.begun === 16)
  // Those that are under way and are not heard of: nothing is read of the connection, so that it is seen when an answer is written.
  socket.resetAndDestroy()
  goOn()
  await until(() => counts.under === 0)
  const { received } = await open(get(1))
  await until(() => answered(received()).length === 1)
  t.ok(counts.begun < 500 / 2, String(counts.begun))
})

t.test('a client that ends its side before it has its answer counts as gone, for one that has left looks the same', async (t) => {
  const { app, counts, goOn, open } = await startSlow(t)
  let gone = 0
  app.server.on('request', (_request, answer) => answer.once('close', () => (gone += 1)))
  const { socket, received } = await open(get(1))
  await until(() => counts.under === 1)
  socket.end()
  await once(socket, 'close')
  t.equal(received(), '')
  t.equal(gone, 1)
  goOn()
})
