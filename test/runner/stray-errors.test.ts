import { spawnSync } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { Domain, type Running, tellStrayErrors } from './stray-errors.js'

/** The tap that this file runs under. */
const TAP = pathToFileURL(createRequire(import.meta.url).resolve('tap')).href
const STRAYS = `
import t from ${JSON.stringify(TAP)}
const never = () => new Promise((resolve) => setTimeout(resolve, 60_000).unref())
t.test('before', async (t) => t.pass())
t.test('throws', async () => {
  setImmediate(() => { throw new Error('thrown later') })
  await never()
})
t.test('around', async (t) => {
  await t.test('first', async (t) => t.pass())
  await t.test('rejects', async () => {
    void Promise.reject(new Error('rejected beside'))
    await never()
  })
})
t.test('listens', async (t) => {
  const heard = new Promise((resolve) => process.once('uncaughtException', resolve))
  setImmediate(() => { throw new Error('expected') })
  t.match(await heard, { message: 'expected' })
})
t.test('after', async (t) => t.pass())
`

t.test('an error that nobody waits for fails the test that runs, and no other', async (t) => {
  const folder = t.testdir({ 'strays.mjs': STRAYS })
  const { status, stdout } = spawnSync(process.execPath, [join(folder, 'strays.mjs')], { encoding: 'utf8' })
  t.equal(status, 1)
  for (const [name, isOk] of Object.entries({
    before: true,
    throws: false,
    around: false,
    first: true,
    rejects: false,
    listens: true,
    after: true
  }))
    t.match(stdout, new RegExp(`^ *${isOk ? 'ok' : 'not ok'} \\d+ - ${name} #`, 'm'), name)
  t.match(stdout, /not ok 1 - thrown later$[^]+tapCaught: uncaughtException$/m)
  t.match(stdout, /not ok 1 - rejected beside$[^]+tapCaught: unhandledRejection$/m)
})

t.test('it is told to the innermost test, and to none while another listens', async (t) => {
  const told: unknown[] = []
  const reader = (name: string): Running => ({ hookDomain: new Domain((error, origin) => told.push([name, error, origin])) })
  const test = (name: string, ...subtests: Running[]): Running => ({ ...reader(name), activeSubtests: new Set(subtests) })
  const program = new EventEmitter()
  tellStrayErrors(test('file', test('outer', test('inner'))), program)
  program.emit('uncaughtException', 'a', 'uncaughtException')
  program.once('uncaughtException', () => undefined)
  program.emit('uncaughtException', 'b', 'uncaughtException')
  program.emit('uncaughtException', 'c', 'unhandledRejection')
  const other = new EventEmitter()
  tellStrayErrors(test('file', reader('of a process')), other)
  other.emit('uncaughtException', 'd', 'uncaughtException')
  t.strictSame(told, [
    ['inner', 'a', 'uncaughtException'],
    ['inner', 'c', 'unhandledRejection'],
    ['of a process', 'd', 'uncaughtException']
  ])
})
