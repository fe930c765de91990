import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import Database from 'libsql'
import t, { type Test } from 'tap'
import { createSystemClock } from '../../src/platform/clock.js'
import type { Logger } from '../../src/ports.js'
import { createSqlStorage } from '../../src/storage/sql/storage.js'
import { startService } from '../support/real-service.js'
import { type Send, sender, startLoad, textsOf, until, wordsOf } from './load.js'

/** How many times the thread is ended under load; long runs set more. */
const KILLS = Number(process.env['TEST_KILLS'] ?? 4)

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

async function folderOf(t: Test): Promise<{ path: string; env: Record<string, string> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const path = join(folder, 'records.db')
  return { path, env: { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${path}` } }
}

async function start(t: Test, options: Parameters<typeof startService>[1]) {
  const { service, as, logs } = await startService(t, options)
  return { service, logs, send: sender(service, await as('tester')) }
}

async function databaseCheck(send: Send): Promise<unknown> {
  const { status, body } = await send('GET', '/v1/readyz')
  return [status, (body['checks'] as { readonly database: unknown }).database]
}

t.test('sqlite: a disk that is full refuses writes and no reads, says so, and goes on once there is room', async (t) => {
  const { path, env } = await folderOf(t)
  // Many times what is written in the second for which a readiness check is cached: otherwise the disk is full again before the next check.
  run(path, 'create table ballast (bytes blob); insert into ballast values (zeroblob(32000000))')
  const storage = await createSqlStorage({ url: `sqlite:${path}`, clock: createSystemClock(), logger: SILENT, fileBytesMax: 32_500_000 })
  const { send, service, logs } = await start(t, { env, overrides: { storage } })
  t.same(await databaseCheck(send), [200, 'ok'])
  await send('POST', '/v1/run', { session_id: 'calm', message: wordsOf(0) })
  const load = await startLoad(t, send, { sessions: 4 })
  await until('a full disk', async () => load.refused > 0)
  await load.refusedEach()
  await until('a failed readiness check', async () => (await send('GET', '/v1/readyz')).status === 503)
  t.same(await databaseCheck(send), [503, 'error: The storage has no room left'])
  t.match(await send('POST', '/v1/run', { session_id: 'new', message: wordsOf(0).repeat(99) }), {
    status: 503,
    retryAfter: '1',
    body: { detail: 'The storage has no room left' }
  })
  t.same(await textsOf(send, 'calm'), [wordsOf(0)], 'what is there is read')
  run(path, 'drop table ballast')
  await until('readiness', async () => (await send('GET', '/v1/readyz')).status === 200)
  for (let n = 0; n < 3; n++) await load.acknowledgedEach()
  await load.stop()
  await load.verify(t, send)
  await service.close()
  const next = await start(t, { env })
  await load.verify(t, next.send)
  t.notMatch(logs.join(''), /An actor failed|records\.db/)
})

t.test('sqlite: a thread that dies under load again and again is replaced, and what it acknowledged is there', async (t) => {
  const { env } = await folderOf(t)
  const worker = watchWorkers(t)
  const { send, service, logs } = await start(t, { env })
  const load = await startLoad(t, send, { sessions: 4 })
  for (let n = 0; n < KILLS; n++) {
    await load.acknowledgedEach()
    await endOf(worker())
    await until('readiness', async () => (await send('GET', '/v1/readyz')).status === 200)
  }
  await load.acknowledgedEach()
  await load.stop()
  await load.verify(t, send)
  await service.close()
  const next = await start(t, { env })
  await load.verify(t, next.send)
  t.equal(logs.filter((line) => line.includes('The thread of the SQLite storage ended')).length, KILLS)
})

/** Runs SQL directly on the database, bypassing the service. */
function run(path: string, sql: string): void {
  const database = new Database(path)
  try {
    database.exec(`pragma busy_timeout = 4000; ${sql}`)
  } finally {
    database.close()
  }
}

/**
 * Ends a thread by an error of its own, after everything that was already posted to it: all of that is done, but no answer arrives any
 * more. `terminate` during native code would end the whole process, which other tests kill.
 */
async function endOf(worker: Worker): Promise<void> {
  worker.removeAllListeners('message')
  worker.postMessage(null)
  await new Promise((resolve) => worker.once('exit', resolve))
}

/** Tracks the thread that was last posted to. The storage hides its thread, so `postMessage` is wrapped. */
function watchWorkers(t: Test): () => Worker {
  let last: Worker | undefined
  const { postMessage } = Worker.prototype
  const note = (worker: Worker) => (last = worker)
  Worker.prototype.postMessage = function (this: Worker, ...args: Parameters<Worker['postMessage']>) {
    postMessage.apply(note(this), args)
  }
  t.teardown(() => {
    Worker.prototype.postMessage = postMessage
  })
  return () => {
    if (last === undefined) throw new Error('No thread was written to')
    return last
  }
}
