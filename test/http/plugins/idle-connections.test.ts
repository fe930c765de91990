/** Whose connections are closed when too many bring no request. */
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import type { Http } from '../../../src/http/contract/typed-http.js'
import { registerConnections } from '../../../src/http/plugins/connections.js'
import { yieldToEventLoop } from '../../../src/platform/event-loop.js'
import { until } from '../../support/until.js'

const IDLE_MAX = 8

/** Starts a server whose requests say which subject they are of. */
async function open(t: Test) {
  const app = Fastify() as unknown as Http
  app.decorateRequest('subject', '')
  registerConnections(app, { idleMax: IDLE_MAX, yieldToEventLoop })
  app.addHook('onRequest', (request, _reply, done) => {
    request.subject = String(request.headers['x-subject'] ?? '')
    done()
  })
  app.get('/now', async () => ({ done: true }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const clients: Socket[] = []
  const client = async (text: string): Promise<Socket> => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
    socket.write(text)
    clients.push(socket)
    return socket
  }
  const ask = async (socket: Socket, subject: string): Promise<string> => {
    socket.write(`GET /now HTTP/1.1\r\nhost: localhost\r\nx-subject: ${subject}\r\n\r\n`)
    return ((await once(socket, 'data')) as [Buffer])[0].toString('latin1').slice(0, 12)
  }
  const closed = () => clients.filter((socket) => socket.closed).length
  return { client, ask, closed }
}

t.test('connections that bring no request leave one open that a licence has used before', async (t) => {
  const { client, ask, closed } = await open(t)
  const kept = await client('')
  t.equal(await ask(kept, 'anna'), 'HTTP/1.1 200')
  for (let at = 0; at < 3 * IDLE_MAX; at++) await client('GET /now HTTP/1.1\r\nx-half: ')
  await until(() => closed() === 2 * IDLE_MAX + 1)
  t.equal(await ask(kept, 'anna'), 'HTTP/1.1 200')
})

t.test('a licence with many connections loses its own, and only for as long as it has most', async (t) => {
  const { client, ask, closed } = await open(t)
  const kept = await client('')
  await ask(kept, 'anna')
  const many = []
  for (let at = 0; at < 2 * IDLE_MAX; at++) {
    const socket = await client('')
    await ask(socket, 'mallory')
    many.push(socket)
  }
  await until(() => closed() === IDLE_MAX + 1)
  t.strictSame(
    many.map((socket) => socket.closed),
    many.map((_, at) => at <= IDLE_MAX),
    'those that were idle longest'
  )
  t.equal(await ask(kept, ''), 'HTTP/1.1 200')
  t.equal(await ask(kept, 'anna'), 'HTTP/1.1 200')
})
