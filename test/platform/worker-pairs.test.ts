import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { introduce } from '../../src/platform/worker-pairs.js'
import { startWorkers } from '../../src/platform/worker-processes.js'
import { createManualClock } from '../support/manual-clock.js'
import { until } from '../support/until.js'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

/** Writes its name to each worker that it meets, and tells what it reads. */
const SOURCE = `import { createServer } from 'node:net'
  const [, , name] = process.argv
  createServer().listen(0, '127.0.0.1')
  process.on('message', ({ meet }, socket) => {
    socket.on('data', (read) => process.send([name + ' meets ' + meet + ', who is ' + read]))
    socket.on('close', () => process.send([name + ' has lost ' + meet]))
    socket.write(name)
  })`

t.test('workers that listen get lines to each other, and one that starts again gets new ones', async (t) => {
  const heard: string[] = []
  const clock = createManualClock()
  const workers = startWorkers<string, string>({
    ...{ names: ['one', 'two'], program: join(t.testdir({ 'worker.mjs': SOURCE }), 'worker.mjs'), env: {}, clock, logger: SILENT },
    connected(line) {
      line.listen((message) => heard.push(message))
      return () => undefined
    },
    areIntroduced: true
  })
  await until(() => heard.length === 2)
  t.same(heard.sort(), ['one meets two, who is two', 'two meets one, who is one'])
  heard.length = 0
  const exited = once(cluster, 'exit')
  Object.values(cluster.workers ?? {})[0]?.process.kill('SIGKILL')
  await exited
  await until(() => heard.length === 1)
  t.same(heard, ['two has lost one'])
  await clock.advance(1_000)
  await until(() => heard.length === 3)
  t.same(heard.sort(), ['one meets two, who is two', 'two has lost one', 'two meets one, who is one'])
  workers.stop()
  t.equal(await workers.ended, 0)
})

t.test('where no line can be made, workers go without', async (t) => {
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = join(t.testdirName, 'nowhere')
  t.teardown(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  })
  const nobody = { name: 'nobody', worker: {} as Worker }
  await t.resolves(introduce(nobody, nobody))
})
