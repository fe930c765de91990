import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { createSystemClock } from '../../src/platform/clock.js'
import { startWorkers } from '../../src/platform/worker-processes.js'
import type { Clock } from '../../src/ports.js'
import { createManualClock } from '../support/manual-clock.js'
import { until } from '../support/until.js'

/** Time limit in milliseconds: the end of a process is reported within a few. */
const CLOSE_MS_MAX = 20_000
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

/** Called with the line to each process that starts. */
type Connected = Parameters<typeof startWorkers<string, string>>[0]['connected']

/** Starts one worker that runs `source`. */
function start(t: Test, source: string, clock: Clock = createSystemClock(), connected: Connected = () => () => undefined) {
  const program = join(t.testdir({ 'worker.mjs': source }), 'worker.mjs')
  return startWorkers<string, string>({ names: ['only'], program, env: {}, clock, logger: SILENT, connected, areIntroduced: false })
}

/** Blocks this process until that process has ended, reaped or not, as on a busy machine. */
function standStillUntilEnded(pid: number): void {
  while (!/\) [ZX] /.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8')));
}

/** Resolves when the worker is sent something with a connection. */
function handedTo({ process: child }: Worker): Promise<void> {
  const send = child.send.bind(child) as (...sent: unknown[]) => boolean
  return new Promise((resolve) => {
    child.send = (message: unknown, connection?: unknown, ...rest: unknown[]) => {
      if (connection != null) setImmediate(resolve)
      return send(message, connection, ...rest)
    }
  })
}

const options = { skip: process.platform === 'linux' ? false : 'how a process is, is read from /proc' }

t.test('a worker that is killed before it is told that it may listen has ended, and nothing else', options, async (t) => {
  const kill = "process.kill(process.pid, 'SIGKILL')"
  const { ended } = start(
    t,
    `import { createServer } from 'node:net'; createServer().listen(0, '127.0.0.1'); setTimeout(() => ${kill}, 50)`
  )
  const [worker] = Object.values(cluster.workers ?? {})
  standStillUntilEnded(worker?.process.pid ?? 0)
  t.equal(await ended, 1)
})

t.test('a connection that a worker was handed and had not taken when it was killed is closed', options, async (t) => {
  const listens = once(cluster, 'listening') as Promise<[Worker, { port: number }]>
  const workers = start(t, `import { createServer } from 'node:net'; createServer().listen(0, '127.0.0.1')`)
  const [worker, { port }] = await listens
  const pid = worker.process.pid ?? 0
  process.kill(pid, 'SIGSTOP')
  const handed = handedTo(worker)
  const client = connect(port, '127.0.0.1')
  client.on('error', () => undefined)
  await handed
  process.kill(pid, 'SIGKILL')
  await once(client, 'close', { signal: AbortSignal.timeout(CLOSE_MS_MAX) })
  workers.stop()
  t.equal(await workers.ended, 0)
})

t.test('a worker that stands still is killed once the time of a stop is over, and nothing is waited for any longer', options, async (t) => {
  const listens = once(cluster, 'listening') as Promise<[Worker]>
  const clock = createManualClock()
  const workers = start(t, `import { createServer } from 'node:net'; createServer().listen(0, '127.0.0.1')`, clock)
  const [worker] = await listens
  process.kill(worker.process.pid ?? 0, 'SIGSTOP')
  workers.stop()
  workers.stop()
  await clock.advance(29_499)
  t.notOk(worker.isDead())
  t.equal(clock.pending, 2, 'one deadline, however often it is told to stop, and the watch')
  await clock.advance(1)
  t.equal(await workers.ended, 0)
  t.equal(clock.pending, 0)
})

t.test('a worker whose process cannot be made has ended', async (t) => {
  const { execPath } = process
  process.execPath = join(t.testdirName, 'nowhere')
  t.teardown(() => void (process.execPath = execPath))
  t.equal(await start(t, '').ended, 1)
})

t.test('a worker that gives no sign of life for half a minute is killed, and restarted', async (t) => {
  const listens = once(cluster, 'listening') as Promise<[Worker]>
  const clock = createManualClock()
  let line: Parameters<Connected>[0] | undefined
  const heard: string[] = []
  const source = `import { createServer } from 'node:net'
    createServer().listen(0, '127.0.0.1')
    process.on('message', () => { process.send('alive'); process.send(['done', 'twice']) })`
  const workers = start(t, source, clock, (own) => {
    line = own
    own.listen((message) => heard.push(message))
    return () => undefined
  })
  const [worker] = await listens
  await clock.advance(25_000)
  let isWritten = false
  line?.send('live', () => (isWritten = true))
  await once(worker, 'message')
  await until(() => heard.length > 0)
  t.same([heard, isWritten], [['done', 'twice'], true], 'nobody else hears signs of life')
  await clock.advance(29_999)
  t.notOk(worker.isDead())
  const exited = once(worker, 'exit')
  await clock.advance(1)
  t.same(await exited, [null, 'SIGKILL'])
  const again = once(cluster, 'listening')
  await clock.advance(1_000)
  await again
  workers.stop()
  t.equal(await workers.ended, 0)
  t.equal(clock.pending, 0)
})

t.test('a worker that is killed while it starts again, when nobody serves, is started again', async (t) => {
  const listens = once(cluster, 'listening') as Promise<[Worker]>
  const clock = createManualClock()
  const source = `import { createServer } from 'node:net'
    import { existsSync, writeFileSync } from 'node:fs'
    const marker = new URL('listened', import.meta.url)
    if (existsSync(marker)) process.kill(process.pid, 'SIGKILL')
    writeFileSync(marker, '')
    createServer().listen(0, '127.0.0.1')`
  const workers = start(t, source, clock)
  const [worker] = await listens
  worker.process.kill('SIGKILL')
  await once(cluster, 'exit')
  const second = once(cluster, 'exit')
  await clock.advance(1_000)
  await second
  t.equal(clock.pending, 1, 'it waits for the next start')
  workers.stop()
  t.equal(await workers.ended, 0)
})

t.test('a worker gets its echo from the process that started it, and nobody else hears of it', options, async (t) => {
  const heard: string[] = []
  const source = `
    import { createServer } from 'node:net'
    process.on('message', (message) => process.send(['heard ' + message]))
    createServer().listen(0, '127.0.0.1', () => process.send('echo'))`
  const workers = start(t, source, createSystemClock(), (line) => {
    line.listen((message) => void heard.push(message))
    return () => undefined
  })
  await until(() => heard.length === 1)
  t.strictSame(heard, ['heard echo'])
  workers.stop()
  t.equal(await workers.ended, 0)
})
