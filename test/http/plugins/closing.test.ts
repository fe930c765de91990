/** What becomes of connections, and of requests on their way, when the server is closed. */
import { once } from 'node:events'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import type { Http } from '../../../src/http/contract/typed-http.js'
import { registerErrorHandler } from '../../../src/http/contract/errors.js'
import { registerClosing } from '../../../src/http/plugins/closing.js'
import { registerConnections } from '../../../src/http/plugins/connections.js'
import { yieldToEventLoop } from '../../../src/platform/event-loop.js'
import { createManualClock } from '../../support/manual-clock.js'
import { openRaw } from '../../support/raw-connection.js'
import { until } from '../../support/until.js'

const NOW = 'GET /now HTTP/1.1\r\nhost: localhost\r\n\r\n'

/** Starts a server one of whose routes waits for `goOn`. `accepted` may be replaced while it closes. */
async function start(t: Test) {
  const app = Fastify({ return503OnClosing: false }) as unknown as Http
  const clock = createManualClock()
  const state = { accepted: yieldToEventLoop, under: 0 }
  registerErrorHandler(app)
  const { idle } = registerConnections(app, { idleMax: Infinity, yieldToEventLoop })
  registerClosing(app, { isLeaving: () => false, idle, clock, accepted: () => state.accepted() })
  let goOn: () => void = () => undefined
  const released = new Promise<void>((resolve) => (goOn = resolve))
  app.all('/slow', async () => {
    state.under += 1
    await released
    return { done: true }
  })
  app.get('/now', async () => ({ done: true }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const open = (text = '') => openRaw(t, app, text)
  /** Resolves once it no longer listens; `closed` once it is closed. */
  const close = async (): Promise<{ closed: Promise<void> }> => {
    const closed = app.close()
    await until(() => clock.pending > 0)
    return { closed }
  }
  return { app, clock, state, goOn, open, close }
}

t.test('a request that comes over a kept connection after the end has begun is answered with 503, which ends the connection', async (t) => {
  const { open, close } = await start(t)
  const kept = await open(NOW)
  await until(() => kept.received().endsWith('{"done":true}'))
  t.match(kept.received(), 'HTTP/1.1 200')
  t.match(kept.received(), /connection: keep-alive/i)
  const silent = await open()
  const { closed } = await close()
  for (const { socket, received } of [kept, silent]) {
    const gone = once(socket, 'close')
    socket.write(NOW)
    await gone
    t.match(received(), /HTTP\/1\.1 503[^]*connection: close\r\nretry-after: 1\r\n/)
    t.match(received(), '{"detail":"The service is shutting down"}')
  }
  await closed
})

t.test('idle connections are closed half a second after the end has begun', async (t) => {
  const { clock, open, close } = await start(t)
  const kept = await open(NOW)
  await until(() => kept.received().endsWith('{"done":true}'))
  const silent = await open()
  const gone = [kept, silent].map(({ socket }) => once(socket, 'close'))
  const { closed } = await close()
  await clock.advance(499)
  t.notOk(kept.socket.closed)
  t.notOk(silent.socket.closed)
  await clock.advance(1)
  await Promise.all([...gone, closed])
  t.equal(clock.pending, 0)
})

t.test('connections that come without end do not keep the server from closing: after a second they are refused', async (t) => {
  const { app, clock, state, open } = await start(t)
  const statuses: string[] = []
  state.accepted = async () => {
    const { socket, received } = await open(NOW.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
    await once(socket, 'close')
    statuses.push(received().slice(9, 12))
    await clock.advance(250)
  }
  const closed = app.close()
  await until(() => statuses.length === 8)
  await closed
  t.strictSame(statuses, ['200', '200', '200', '200', '503', '503', '503', '503'])
})

t.test('an end waits two seconds for the rest of headers, and for whole requests as long as they take', async (t) => {
  const { app, clock, state, goOn, open, close } = await start(t)
  const working = await open('GET /slow HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
  await until(() => state.under === 1)
  const half = await open('GET /slow HTTP/1.1\r\nx-half: ')
  const late = await open('GET /now HTTP/1.1\r\n')
  const begun = once(app.server, 'request')
  const sending = await open(
    'POST /slow HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 4\r\n\r\ntr'
  )
  await begun
  const gone = once(half.socket, 'close')
  const { closed } = await close()
  await clock.advance(1_999)
  t.notOk(half.socket.closed)
  late.socket.write('host: localhost\r\n\r\n')
  await until(() => late.received().startsWith('HTTP/1.1 503'))
  await clock.advance(1)
  await gone
  goOn()
  sending.socket.write('ue')
  await closed
  await until(() => working.received().startsWith('HTTP/1.1 200') && sending.received().startsWith('HTTP/1.1 200'))
  t.equal(clock.pending, 0)
})
