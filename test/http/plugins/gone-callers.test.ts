/** Callers that leave early: whatever is acquired for them afterwards is still released. */
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { createSemaphore } from '../../../actors/scheduling/semaphore.js'
import { createNodeBudget } from '../../../actors/weight/node-budget.js'
import type { Address } from '../../../src/domain/address.js'
import { totalOf } from '../../../src/domain/fairness/weight.js'
import type { Http } from '../../../src/http/contract/typed-http.js'
import { registerConnections } from '../../../src/http/plugins/connections.js'
import { registerLanes } from '../../../src/http/plugins/lanes.js'
import { toPieces } from '../../../src/http/plugins/large-answers.js'
import { registerMemoryShares } from '../../../src/http/plugins/memory-shares.js'
import { yieldToEventLoop } from '../../../src/platform/event-loop.js'
import { createManualClock } from '../../support/manual-clock.js'
import { until } from '../../support/until.js'

/** Milliseconds, longer than any test. */
const NEVER_MS = 600_000

/** Milliseconds after which an unanswered request must be waiting for a permit that was never released. */
const SERVED_MS_MAX = 10_000

const SUBJECT = 'anna'
const SESSION: Address = { kind: 'session', subject: SUBJECT, id: 's' }
const BODY = 'content-type: application/json\r\ncontent-length: 4\r\n\r\ntrue'
const LONG_BODY = `content-type: application/json\r\ncontent-length: 32768\r\n\r\n"${'x'.repeat(32_766)}"`

/** Starts a server with one permit, whose licence check and answers wait until the test lets them continue. */
async function start(t: Test) {
  const clock = createManualClock()
  const all = { heap: Infinity, total: Infinity }
  const budget = createNodeBudget({ clock, counters: { count: () => undefined }, isDurable: true, actors: all, work: all })
  const permits = createSemaphore({ clock, permitsMax: 1, full: 'full' })
  const app = Fastify() as unknown as Http
  app.decorateRequest('subject', SUBJECT)
  registerConnections(app, { idleMax: Infinity, yieldToEventLoop })
  let begun = 0
  let ended = 0
  const waiting: (() => void)[] = []
  const wait = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))
  app.addHook('onRequest', async (request, { raw }) => {
    begun += 1
    raw.once('close', () => (ended += 1))
    if (request.url.startsWith('/checked')) await wait()
  })
  registerLanes(app, { commands: permits, checks: permits, streams: permits, tools: permits }, (_subject, goOn) => goOn())
  registerMemoryShares(app, budget, { connectionTimeoutMs: NEVER_MS, yieldToEventLoop, admit: (_subject, goOn) => goOn() })
  const streams: Readable[] = []
  const answer = (stream: Readable): Readable => {
    streams.push(stream)
    return stream
  }
  const free = { config: { lane: null } }
  app.get('/now', async () => ({ done: true }))
  app.post('/checked/command', async () => ({ done: true }))
  app.post('/checked/free', free, async () => ({ done: true }))
  app.get('/waiting', free, () => new Promise<never>(() => undefined))
  app.get('/long', free, async () => {
    await wait()
    return answer(toPieces(['x'], 1))
  })
  app.get('/referring', free, async (request) => {
    await wait()
    request.answerShares.leaseRecord(SESSION)
    return answer(new Readable({ read: () => undefined }))
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const open = (): Socket => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    return socket.on('error', () => undefined)
  }
  async function isServed(): Promise<boolean> {
    const socket = open()
    socket.write('GET /now HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
    const [first] = (await once(socket, 'data', { signal: AbortSignal.timeout(SERVED_MS_MAX) })) as [Buffer]
    return first.toString().startsWith('HTTP/1.1 200')
  }
  return {
    streams,
    isServed,
    held: (): number => budget.held().reduce((sum, { weight }) => sum + totalOf(weight), 0),
    /** Whether rows that the session's actor lets go of are kept by a lease. */
    isReferredTo(): boolean {
      budget.letGo(SESSION, { heap: 1, buffers: 0 })
      return budget.held().some(({ kind, weight }) => kind === 'let_go' && totalOf(weight) > 0)
    },
    /** Sends `count` requests on one connection, closes it while one of them waits, and lets that one continue. */
    async leave(text: string, count = 1): Promise<void> {
      const socket = open()
      const [begunBefore, endedBefore] = [begun, ended]
      socket.write(text)
      await until(() => begun === begunBefore + count && waiting.length === 1)
      socket.destroy()
      await until(() => ended === endedBefore + count)
      waiting.pop()?.()
      // It waits for nothing now, so a request on a new connection comes after it.
      await once(open(), 'connect')
      await yieldToEventLoop()
    }
  }
}

t.test('a caller that leaves while its licence is checked takes no permit', async (t) => {
  const { leave, isServed } = await start(t)
  await leave(`POST /checked/command HTTP/1.1\r\nhost: localhost\r\n${BODY}`)
  t.ok(await isServed(), 'the only one is free')
})

t.test('what is taken for the body of a caller that has left is given back', async (t) => {
  const { leave, held } = await start(t)
  for (const body of [BODY, LONG_BODY]) await leave(`POST /checked/free HTTP/1.1\r\nhost: localhost\r\n${body}`)
  t.equal(held(), 0)
})

t.test('what is taken for the answer to a caller that has left is given back, and the answer ended', async (t) => {
  const { leave, held, streams } = await start(t)
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
  await leave(get('/long'))
  await leave(get('/waiting') + get('/long'), 2)
  t.equal(held(), 0)
  t.strictSame(
    streams.map(({ destroyed }) => destroyed),
    [true, true]
  )
})

t.test('an answer to a caller that has left refers to no rows, and is not kept open', async (t) => {
  const { leave, isReferredTo, streams } = await start(t)
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
  await leave(get('/referring'))
  await leave(get('/waiting') + get('/referring'), 2)
  t.notOk(isReferredTo())
  t.strictSame(
    streams.map(({ destroyed }) => destroyed),
    [true, true]
  )
})
