/** Readers of long answers on real sockets: a stalled reader is disconnected, and what its answer held is released. */
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { createNodeBudget } from '../../actors/weight/node-budget.js'
import { totalOf } from '../../src/domain/fairness/weight.js'
import type { Http } from '../../src/http/contract/typed-http.js'
import { toPieces } from '../../src/http/plugins/large-answers.js'
import { registerMemoryShares } from '../../src/http/plugins/memory-shares.js'
import { yieldToEventLoop } from '../../src/platform/event-loop.js'
import { until } from '../support/until.js'

/** More than the socket buffers of both sides hold. */
const PIECES = 1_024
const PIECE = 'x'.repeat(64 * 1024)

/** Milliseconds after which a reader counts as stalled, instead of twenty seconds. */
const STALLED_MS = 100

/** Milliseconds, longer than any test. */
const NEVER_MS = 600_000

function* pieces(): Generator<string> {
  for (let at = 0; at < PIECES; at++) yield PIECE
}

/** Starts a server with one answer of 64 MiB. */
async function start(t: Test, stalledMs?: number) {
  const all = { heap: Infinity, total: Infinity }
  const budget = createNodeBudget({
    clock: { after: () => () => undefined },
    counters: { count: () => undefined },
    isDurable: true,
    actors: all,
    work: all
  })
  const app = Fastify() as unknown as Http
  registerMemoryShares(app, budget, {
    connectionTimeoutMs: NEVER_MS,
    ...(stalledMs !== undefined && { stalledMs }),
    yieldToEventLoop,
    admit: (_subject, goOn) => goOn()
  })
  app.get('/long', async () => toPieces(pieces(), PIECE.length))
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const held = (): number => budget.held().reduce((sum, { weight }) => sum + totalOf(weight), 0)
  const ask = async (): Promise<Socket> => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    socket.on('error', () => undefined)
    socket.write('GET /long HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
    await once(socket, 'readable')
    return socket
  }
  return { app, held, ask }
}

/** Reads until the other side ends. Returns the number of bytes. */
async function readOn(socket: Socket): Promise<number> {
  let bytes = 0
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length))
  await once(socket, 'close')
  return bytes
}

t.test('a reader that stands still is cut off, and its answer gives back what it held', async (t) => {
  const { held, ask } = await start(t, STALLED_MS)
  const socket = await ask()
  t.ok(held() > 0, 'it is counted while it is under way')
  await until(() => held() === 0)
  t.ok((await readOn(socket)) < PIECES * PIECE.length, 'the rest never came')
})

t.test('a reader that reads gets all of it, and its connection is not hurried afterwards', async (t) => {
  const { held, ask } = await start(t, NEVER_MS)
  const socket = await ask()
  t.ok((await readOn(socket)) > PIECES * PIECE.length)
  await until(() => held() === 0)
})

t.test('a reader of a long answer is given twenty seconds, and once it has read it as long as before', async (t) => {
  const { app } = await start(t)
  const sockets: Socket[] = []
  app.server.on('connection', (socket) => void sockets.push(socket))
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.write('GET /long HTTP/1.1\r\nhost: localhost\r\n\r\n')
  socket.resume()
  await until(() => sockets[0]?.timeout === 20_000)
  await until(() => sockets[0]?.timeout === NEVER_MS)
  t.pass()
})

t.test('a reader that goes away gives back what its answer held', async (t) => {
  const { held, ask } = await start(t, NEVER_MS)
  const socket = await ask()
  t.ok(held() > 0)
  socket.destroy()
  await until(() => held() === 0)
})
