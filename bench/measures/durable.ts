/** Runs on each storage backend, in several sessions of 1,000 memories at once. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whyNot } from '../../test/support/needs.js'
import { startPostgres } from '../../test/support/postgres.js'
import { startRedis } from '../../test/support/redis-server.js'
import { type Figure, type Findings, figureOf, medianOf, type MeasureOptions } from '../figures.js'
import { fillSessions, sendLoad } from '../load.js'
import { startServed } from '../service-process.js'
import { textOf } from '../texts.js'
import { costOf } from './run.js'

const SESSIONS = [1, 16, 256]
const ROUNDS = 3
const RUNS = 512

interface Place {
  readonly env: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

/** `program`: the program that has to be installed. */
const BACKENDS: readonly { readonly name: string; readonly program?: 'initdb' | 'redis-server'; readonly open: () => Promise<Place> }[] = [
  { name: 'memory', open: async () => ({ env: {}, stop: async () => {} }) },
  {
    name: 'SQLite',
    async open() {
      const folder = await mkdtemp(join(tmpdir(), 'bench-durable-'))
      return { env: persisted(`sqlite:${join(folder, 'records.db')}`), stop: () => rm(folder, { recursive: true }) }
    }
  },
  {
    name: 'PostgreSQL',
    program: 'initdb',
    async open() {
      const server = await startPostgres()
      return { env: persisted(await server.createDatabase()), stop: () => server.stop() }
    }
  },
  {
    name: 'Redis',
    program: 'redis-server',
    async open() {
      const server = await startRedis()
      return { env: { SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: server.url }, stop: () => server.stop() }
    }
  }
]

export async function measureDurable({ isShort }: MeasureOptions): Promise<Findings> {
  const figures: Figure[] = []
  const notes: string[] = []
  for (const { name, program, open } of isShort ? BACKENDS.slice(0, 2) : BACKENDS) {
    const reason = program === undefined ? null : whyNot(program)
    if (reason !== null) {
      notes.push(`${name} was not run: ${reason}`)
      continue
    }
    const place = await open()
    figures.push(...(await measureBackend(name, place.env, isShort)))
    await place.stop()
  }
  return { figures, notes }
}

async function measureBackend(name: string, env: Place['env'], isShort: boolean): Promise<Figure[]> {
  const served = await startServed(env)
  const counts = isShort ? [2] : SESSIONS
  await fillSessions(served.url, { name: 's', sessions: counts.at(-1) ?? 1, memories: isShort ? 10 : 1_000 })
  let number = 1_000_000
  const runs = (sessions: number) =>
    sendLoad({
      ...{
        url: served.url,
        path: '/v1/run',
        connections: sessions,
        requests: isShort ? 4 : Math.max(RUNS / 4, Math.min(RUNS, 2 * sessions))
      },
      bodyOf: (at) => ({ session_id: `s${String(at % sessions)}`, message: textOf(number++) })
    })
  await runs(counts[0] ?? 1)
  const figures: Figure[] = []
  for (const sessions of counts) {
    const usedMs: number[] = []
    const p50Ms: number[] = []
    for (let round = 0; round < (isShort ? 1 : ROUNDS); round++) {
      let took: number[] = []
      const used = await costOf(served, async () => (took = await runs(sessions)))
      usedMs.push(used / took.length)
      p50Ms.push(medianOf(took))
    }
    const at = `${name}, ${String(sessions)} ${sessions === 1 ? 'session' : 'sessions at once'}`
    figures.push(figureOf(`run over ${at}`, 'ms', usedMs), figureOf(`p50 over ${at}`, 'ms', p50Ms))
  }
  await served.close()
  return figures
}

function persisted(url: string): Place['env'] {
  return { SERVICE_STATE_PERSIST: '1', DATABASE_URL: url }
}
