import t, { type Test } from 'tap'
import { createSwitchboard } from '../src/bus/workers/switchboard.js'
import type { ToWorker } from '../src/bus/workers/messages.js'
import { readConfig } from '../src/config.js'
import { createService } from '../src/service.js'
import { createManualClock } from './support/manual-clock.js'

const ENV = { SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical', SERVICE_LOG_LEVEL: 'error' }

/** A node that could have others beside it, on a clock of the test's own, and started. */
async function startMember(t: Test) {
  const clock = createManualClock()
  const switchboard = createSwitchboard({ clock })
  let hear: (message: ToWorker) => void = () => undefined
  const plug = switchboard.plugIn('worker-1', (message) => queueMicrotask(() => hear(message)))
  const line = { send: plug.receive, listen: (listener: typeof hear) => void (hear = listener) }
  const service = await createService(readConfig(ENV), { clock, place: { name: 'worker-1', line, names: ['worker-1'] } })
  /** Moves the clock on until it is done. */
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
  const closing = service.close()
  await clock.advance(1_999)
  t.match(await ask('/v1/readyz'), { statusCode: 503, headers: { connection: 'close' } })
  t.match(await ask('/v1/health'), { statusCode: 200, headers: { connection: 'close' } })
  await until(closing)
  await t.rejects(ask('/v1/health'), { code: 'FST_ERR_REOPENED_CLOSE_SERVER' })
})
