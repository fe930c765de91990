import { once } from 'node:events'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { createSwitchboard } from '../src/bus/workers/switchboard.js'
import type { ToWorker } from '../src/bus/workers/messages.js'
import { readConfig } from '../src/config.js'
import { createService } from '../src/service.js'
import { createMemoryStorage } from '../src/storage/memory.js'
import { createManualClock, settled } from './support/manual-clock.js'

const ENV = { SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical', SERVICE_LOG_LEVEL: 'error' }

/** Starts a node that could be one of several, on the test's own clock. */
async function startMember(t: Test) {
  const clock = createManualClock()
  const switchboard = createSwitchboard({ clock })
  let hear: (message: ToWorker) => void = () => undefined
  const plug = switchboard.plugIn('worker-1', (message) => queueMicrotask(() => hear(message)))
  const line = { send: plug.receive, listen: (listener: typeof hear) => void (hear = listener) }
  const service = await createService(readConfig(ENV), { clock, place: { name: 'worker-1', line, handedOver: settled } })
  /** Advances the clock until the work is done. */
  async function until<Result>(work: Promise<Result>): Promise<Result> {
    const progress = { isOver: false }
    const over = () => (progress.isOver = true)
    work.then(over, over)
    while (!progress.isOver) await clock.advance(100)
    return work
  }
  t.teardown(() => until(service.close()))
  await until(service.start())
  return { service, clock, until, ask: (url: string) => service.http.inject({ url }) }
}

t.test('a node that leaves the others is not ready, and answers for two seconds more, each time ending the connection', async (t) => {
  const { service, clock, until, ask } = await startMember(t)
  const before = await ask('/v1/readyz')
  t.match(before, { statusCode: 200, headers: { connection: 'keep-alive' } })
  t.match(await ask('/v1/health'), { statusCode: 200 })
  const closing = service.close()
  await clock.advance(1_999)
  t.match(await ask('/v1/readyz'), { statusCode: 503, headers: { connection: 'close' } })
  const health = await ask('/v1/health')
  t.match(health, { statusCode: 503, headers: { connection: 'close', 'retry-after': '1' } }, 'for balancers, which have no token')
  t.strictSame(health.json(), { detail: 'The service is shutting down' })
  t.match(await ask('/v1/sessions'), { statusCode: 200, headers: { connection: 'close' } }, 'what comes nevertheless is answered')
  await until(closing)
  await t.rejects(ask('/v1/health'), { code: 'FST_ERR_REOPENED_CLOSE_SERVER' })
})

t.test('a node that was never started closes without a wait', async (t) => {
  const clock = createManualClock()
  const service = await createService(readConfig(ENV), { clock })
  const beganAtMs = clock.monotonicMs()
  await service.close()
  t.equal(clock.monotonicMs(), beganAtMs)
  await t.rejects(service.http.inject({ url: '/v1/health' }), { code: 'FST_ERR_REOPENED_CLOSE_SERVER' })
})

t.test('a node with a request that never ends, and a storage that does not close, has one deadline for all of it', async (t) => {
  const clock = createManualClock()
  const storage = { ...createMemoryStorage({ retains: true }), close: () => new Promise<void>(() => undefined) }
  const service = await createService(readConfig({ ...ENV, SERVICE_PORT: '0' }), { clock, storage })
  const { hostname, port } = new URL(await service.listen())
  const socket = connect(Number(port), hostname)
  t.teardown(() => socket.destroy())
  const begun = once(service.http.server, 'request')
  const head = 'POST /v1/run HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n'
  socket.on('error', () => undefined).write(head)
  await begun
  const cut = once(socket, 'close')
  const closing = service.close().then(() => 'closed')
  await clock.advance(24_999)
  t.notOk(socket.destroyed, 'it is waited for')
  await clock.advance(1)
  await cut
  await clock.advance(4_000)
  t.equal(await closing, 'closed', 'before the 30 s are over that orchestrators grant')
})
