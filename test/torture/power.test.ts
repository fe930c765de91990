/**
 * Power loss: every file of the storage reverts to its last synced state, and everything that the service had acknowledged is still there.
 * Tested for each durable backend that can run here. A control test shows that a server which does not sync is detected.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { builtProgram } from '../support/built.js'
import { needs, type ProgramName } from '../support/needs.js'
import { startPostgres } from '../support/postgres.js'
import { type PowerWatch, watchPower } from '../support/power-loss.js'
import { askRedis, startRedis } from '../support/redis-server.js'
import { type ServiceProcess, startServiceProcess } from './service-process.js'

type Env = Readonly<Record<string, string>>

interface Powered {
  readonly env: Env
  /** Watches the process that writes the files: the server, or the service itself. */
  watch(service: ServiceProcess): Promise<PowerWatch>
  /** kill -9 and start of the server; no-ops without one. */
  kill(): Promise<void>
  start(): Promise<void>
}

const NOTHING = async (): Promise<void> => undefined

interface Backend {
  readonly name: string
  readonly needs: readonly ProgramName[]
  open(t: Test): Promise<Powered>
}

const BACKENDS: readonly Backend[] = [
  {
    name: 'sqlite',
    needs: ['strace'],
    async open(t) {
      const folder = await mkdtemp(join(tmpdir(), 'power-'))
      t.teardown(() => rm(folder, { recursive: true }))
      const env = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(folder, 'state.db')}` }
      return { env, watch: ({ pid }) => watchPower({ pids: [pid], folder }), kill: NOTHING, start: NOTHING }
    }
  },
  {
    name: 'redis',
    needs: ['strace', 'redis-server'],
    async open(t) {
      const server = await startRedis()
      t.teardown(() => server.stop())
      const env = { SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: server.url }
      return {
        ...{ env, kill: server.kill, start: server.start },
        watch: () => watchPower({ pids: [server.pid()], folder: server.directory })
      }
    }
  },
  {
    name: 'postgres',
    needs: ['strace', 'initdb'],
    async open(t) {
      const server = await startPostgres()
      t.teardown(() => server.stop())
      const env = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: await server.createDatabase() }
      return { ...{ env, kill: server.kill, start: server.start }, watch: () => watchPower({ pids: server.pids(), folder: server.data }) }
    }
  }
]

/** Sessions, and acknowledged turns of each, before the power loss; sessions run concurrently. */
const SESSIONS = ['anna', 'ben', 'cleo', 'dora']
const TURNS = 6

const program = await builtProgram('src/main')
t.setTimeout(900_000)

for (const { name, needs: programs, open } of BACKENDS) {
  t.test(`${name}: nothing that was acknowledged is lost with the power`, needs(...programs), async (t) => {
    const { acknowledged, kept } = await outage(t, await open(t))
    t.strictSame(kept, acknowledged)
  })
}

t.test('of a server that is told not to sync anything it is lost', needs('strace', 'redis-server'), async (t) => {
  const server = await startRedis()
  t.teardown(() => server.stop())
  const { kept } = await outage(t, {
    ...{ env: { SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: server.url }, kill: server.kill, start: server.start },
    async watch() {
      await askRedis(server, 'CONFIG SET appendfsync no')
      return watchPower({ pids: [server.pid()], folder: server.directory })
    }
  })
  t.strictSame(kept, [[], [], [], []])
})

/** Returns the texts acknowledged before the power loss and those kept after it, by session. */
async function outage(t: Test, { env, watch, kill, start }: Powered): Promise<Record<'acknowledged' | 'kept', string[][]>> {
  const service = await startServiceProcess([program], env)
  t.teardown(() => service.kill())
  for (const session of SESSIONS) await post(service.url, '/v1/session/create', { session_id: session })
  const power = await watch(service)
  const acknowledged = await Promise.all(SESSIONS.map((session) => tell(service.url, session)))
  await Promise.all([service.kill(), kill()])
  t.comment(`${await power.lose()} bytes went with the power`)
  await start()

  const after = await startServiceProcess([program], env)
  t.teardown(() => after.kill())
  return { acknowledged, kept: await Promise.all(SESSIONS.map((session) => textsOf(after.url, session))) }
}

/** Runs the turns of a session, each after the last was acknowledged. Resolves with their texts. */
async function tell(url: string, session: string): Promise<string[]> {
  const texts = Array.from({ length: TURNS }, (_, turn) => `Number ${turn} of ${session}, ${'and more '.repeat(turn * 40)}`)
  for (const message of texts) await post(url, '/v1/run', { session_id: session, message })
  return texts
}

async function post(url: string, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
}

async function textsOf(url: string, session: string): Promise<string[]> {
  const response = await fetch(new URL(`/v1/session/${session}/memories`, url))
  const { memories } = (await response.json()) as { memories: readonly { text: string }[] }
  return memories.map(({ text }) => text)
}
