import t, { type Test } from 'tap'
import { createLocalProcesses, type Program } from '../../src/tools/local-processes.js'

/** A program that reports when it is ready and when it is told to end, and then runs `afterwards`. */
function program(name: string, afterwards = 'process.exit(0)'): Program {
  const script = `process.on('SIGTERM', () => { console.log('ending'); ${afterwards} }); setInterval(() => {}, 1000); console.log('ready')`
  return { name, command: process.execPath, args: ['-e', script], env: {}, isReady: (line) => line === 'ready', endSignal: 'SIGTERM' }
}

function open(t: Test) {
  const lines: string[] = []
  const processes = createLocalProcesses((name, line) => lines.push(`${name} ${line}`))
  t.teardown(() => processes.stopAll())
  return { processes, lines }
}

t.test('local processes: started one after another, ended one by one and the last one first', async (t) => {
  const { processes, lines } = open(t)
  await processes.start(program('first'))
  await processes.start(program('second', 'setTimeout(() => process.exit(0), 100)'))
  await Promise.all([processes.stopAll(), processes.stopAll()])
  t.strictSame(lines, ['first ready', 'second ready', 'second ending', 'first ending'])
})

t.test('local processes: one that ends by itself is reported with how it ended', async (t) => {
  const { processes } = open(t)
  await processes.start(program('steady'))
  await processes.start({ ...program('brief'), args: ['-e', `console.log('ready'); setTimeout(() => process.exit(3), 50)`] })
  t.equal(await processes.lost, 'brief has ended (exit code 3)')
})

t.test('local processes: one that does not become ready is refused with what it said last', async (t) => {
  const { processes } = open(t)
  const failing = { ...program('failing'), args: ['-e', `for (let i = 1; i <= 30; i++) console.error('line', i); process.exit(1)`] }
  await t.rejects(processes.start(failing), { message: /^failing did not start \(exit code 1\):\nline 11\n[^]*line 30$/ })
  await t.rejects(processes.start({ ...program('absent'), command: '/no/such/program' }), { message: /^absent did not start \(.*ENOENT/ })
})

t.test('local processes that were stopped start no more; what was being started fails', async (t) => {
  const { processes } = open(t)
  const slow = processes.start({ ...program('slow'), isReady: () => false })
  const refused = t.rejects(slow, { message: /^slow did not start/ })
  await processes.stopAll()
  await refused
  await t.rejects(processes.start(program('late')), { message: 'late is not started any more' })
})
