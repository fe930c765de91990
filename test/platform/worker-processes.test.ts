import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { createSystemClock } from '../../src/platform/clock.js'
import { startWorkers } from '../../src/platform/worker-processes.js'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

/** One worker that runs `source`. */
function start(t: Test, source: string) {
  const program = join(t.testdir({ 'worker.mjs': source }), 'worker.mjs')
  return startWorkers({ names: ['only'], program, env: {}, clock: createSystemClock(), logger: SILENT, connected: () => () => undefined })
}

/** Until that process has ended, collected or not: nothing else is done here meanwhile, as on a machine that is busy. */
function standStillUntilEnded(pid: number): void {
  while (!/\) [ZX] /.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8')));
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

t.test('a worker whose process cannot be made has ended', async (t) => {
  const { execPath } = process
  process.execPath = join(t.testdirName, 'nowhere')
  t.teardown(() => void (process.execPath = execPath))
  t.equal(await start(t, '').ended, 1)
})
