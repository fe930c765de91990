import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import t, { type Test } from 'tap'
import { call, runService, startWorkers } from './support/started-workers.js'
import { until } from './support/until.js'

/** Workers end within seconds; a busy machine may let them wait for a processor. */
const ENDED_MS_MAX = 60_000

const ask = (url: string, at: number) =>
  call(`${url}/v1/run`, { session_id: `s${at % 4}`, message: `The river rises in hill number ${at}.` })

async function folderOf(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'workers-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'records.db')
  return { path, env: { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${path}` } }
}

t.test(
  'workers: any of them answers for any session, a scrape of one tells of all, and when who started them is killed, they end',
  async (t) => {
    const { url, lines, child } = await startWorkers(t)
    for (let at = 0; at < 16; at++) t.equal((await ask(url, at)).status, 200)
    for (let at = 0; at < 4; at++) t.match((await call(`${url}/v1/metrics/s${at}`)).text, `"session_id":"s${at}"`)
    const nodes = new Set<unknown>()
    for (let at = 0; at < 4; at++) nodes.add((JSON.parse((await call(`${url}/v1/health`)).text) as { node_id: unknown }).node_id)
    t.strictSame([...nodes].sort(), ['worker-1', 'worker-2'])
    t.match(JSON.parse((await call(`${url}/v1/readyz`)).text), { ready: true })
    for (let at = 0; at < 2; at++) {
      const { text } = await call(`${url}/metrics`)
      t.match(text, 'service_requests_total{method="POST",endpoint="/v1/run",status="200"} 16\n')
      t.match(text, 'service_active_actors{kind="session"} 4\n')
      t.match(text, 'service_nodes{state="up"} 2\n')
      t.match(text, 'service_ready 1\n')
    }
    child.stderr.resume()
    // Workers inherit the pipes, which close when the last one ends. Process ids may last longer: adopted orphans are reaped late.
    const closed = once(child, 'close', { signal: AbortSignal.timeout(ENDED_MS_MAX) })
    child.kill('SIGKILL')
    t.strictSame(await closed, [null, 'SIGKILL'])
    t.equal(lines.filter(({ msg }) => msg === 'stopped').length, 2, 'each in order')
  }
)

t.test('workers: one that is killed is replaced; what it had stored is still there, and what it had counted', async (t) => {
  const { env } = await folderOf(t)
  const { url, lines, pids, child } = await startWorkers(t, env)
  for (let at = 0; at < 8; at++) t.equal((await ask(url, at)).status, 200)
  const runs = 'service_requests_total{method="POST",endpoint="/v1/run",status="200"} 8\n'
  t.match((await call(`${url}/metrics`)).text, runs)
  process.kill(pids()[1] ?? 0, 'SIGKILL')
  await until(() => pids().length === 3)
  for (let at = 0; at < 2; at++) t.match((await call(`${url}/metrics`)).text, runs)
  t.match(
    lines.filter(({ msg }) => msg === 'a worker ended'),
    [{ worker: 'worker-2' }]
  )
  for (let at = 0; at < 4; at++) {
    const { text } = await call(`${url}/v1/session/s${at}/memories`)
    t.match(text, `hill number ${at}.`)
    t.match(text, `hill number ${at + 4}.`)
  }
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  t.strictSame(await exited, [0, null])
})

t.test('workers: one that cannot start again is tried again, and the other one serves all the while', async (t) => {
  const { path, env } = await folderOf(t)
  const { url, lines, pids, child } = await startWorkers(t, env)
  for (let at = 0; at < 4; at++) t.equal((await ask(url, at)).status, 200)
  const database = new Database(path, { timeout: 5_000 })
  t.teardown(() => database.close())
  // No build knows this version, as an old one does not know that of a new one which is already there.
  database.exec('insert into actor_migrations (version) values (1000)')
  process.kill(pids()[1] ?? 0, 'SIGKILL')
  // It was killed, and refused twice.
  await until(() => lines.filter(({ msg, worker }) => msg === 'a worker ended' && worker === 'worker-2').length === 3)
  for (let at = 4; at < 8; at++) t.equal((await ask(url, at)).status, 200)
  database.exec('delete from actor_migrations where version = 1000')
  await until(() => pids().length === 3)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  t.strictSame(await exited, [0, null])
})

t.test('workers: what keeps the first from starting ends all, with its exit code and its sentence', async (t) => {
  const child = runService({ SERVICE_WORKERS: '3', SERVICE_STATE_PERSIST: '1', DATABASE_URL: 'sqlite:/nowhere/at/all.db' })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk))
  t.strictSame(await once(child, 'close'), [78, null])
  t.equal(said.match(/DATABASE_URL cannot be used/g)?.length, 1)
})
