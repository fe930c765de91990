/**
 * Weight of sessions of various lengths on PostgreSQL: bytes in the process and in the database, bytes written by one more turn, and the
 * cost of a restore. A turn is a run and the store of its answer. Run with `npm run bench:weights`; with `-- node` the process is a node
 * over NATS, whose sessions also keep replies to their last requests.
 */
import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import { readArguments, refuseArguments } from '../src/tools/arguments.js'
import { readConfig } from '../src/config.js'
import { createService, type Service } from '../src/service.js'
import { startNatsServer } from '../test/support/nats-server.js'
import { type PostgresServer, startPostgres } from '../test/support/postgres.js'
import { collectGarbage } from './garbage.js'

const SHAPES = [
  { turns: 1, sessions: 2_000 },
  { turns: 10, sessions: 300 },
  { turns: 100, sessions: 40 },
  { turns: 1_000, sessions: 5 }
]
/** Warm-up runs, which are not measured. */
const WARM_TURNS = 200
const AT_ONCE = 20
/** Size of a vocabulary in which low numbers are more frequent; texts have a dozen words. */
const WORDS = 5_000
const WORDS_A_TEXT = 12

interface Place {
  readonly server: PostgresServer
  readonly url: string
  readonly env: Readonly<Record<string, string>>
}

async function main(): Promise<void> {
  const usage = 'npm run bench:weights -- [node]'
  const [shape] = readArguments(usage, { allowPositionals: true }).positionals
  if (shape !== undefined && shape !== 'node') refuseArguments(usage, `There is no ${shape}`)
  const isNode = shape === 'node'
  print(
    `Node ${process.version}, ${String(cpus().length)} × ${cpus()[0]?.model ?? 'unknown processor'}; lexical embedder, 384 dimensions, PostgreSQL${isNode ? ', a node' : ''}`
  )
  const server = await startPostgres()
  const nats = isNode ? await startNatsServer() : null
  try {
    for (const { turns, sessions } of SHAPES) {
      const env = nats === null ? {} : { NATS_URL: nats.url, SERVICE_NODE_ID: `node-${String(turns)}` }
      await measure({ server, url: await server.createDatabase(), env }, turns, sessions)
    }
  } finally {
    await nats?.stop()
    await server.stop()
  }
}

async function measure(place: Place, turns: number, sessions: number): Promise<void> {
  const filling = await start(place)
  await fill(filling, 'warm', WARM_TURNS)
  const [heapBefore, storedBefore, logBefore] = [await heapBytes(), await storedBytes(place), await logBytes(place)]
  const filled = process.cpuUsage()
  for (let at = 0; at < sessions; at += AT_ONCE) {
    const names = Array.from({ length: Math.min(AT_ONCE, sessions - at) }, (_, offset) => `s${String(at + offset)}`)
    await Promise.all(names.map((name) => fill(filling, name, turns)))
  }
  const turnMs = cpuMs(filled) / (sessions * turns)
  const [heap, stored, log] = [await heapBytes(), await storedBytes(place), await logBytes(place)]
  const { total_memories: memories } = await metricsOf(filling, 's0')
  await filling.close()

  const restoring = await start(place)
  await metricsOf(restoring, 'warm')
  const restored: number[] = []
  const before = process.cpuUsage()
  for (let at = 0; at < sessions; at++) {
    const started = performance.now()
    await metricsOf(restoring, `s${String(at)}`)
    restored.push(performance.now() - started)
  }
  const restoredMs = cpuMs(before) / sessions
  await restoring.close()
  const kib = (bytes: number, count: number): string => (bytes / count / 1024).toFixed(1)
  print(
    `${String(turns).padStart(5)} turns, ${String(memories).padStart(5)} memories: ${kib(heap - heapBefore, sessions).padStart(8)} KiB in memory, ` +
      `${kib(stored - storedBefore, sessions).padStart(8)} KiB in the database's tables, ${kib(log - logBefore, sessions * turns).padStart(6)} KiB of its log and ${turnMs.toFixed(1)} ms of processor a turn; ` +
      `brought back in ${median(restored).toFixed(1)} ms, ${restoredMs.toFixed(1)} ms of processor`
  )
}

async function start({ url, env }: Place): Promise<Service> {
  const settings = {
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_EMBEDDER: 'lexical',
    SERVICE_RATE_LIMIT_PER_MINUTE: '0',
    SERVICE_LOG_LEVEL: 'error'
  }
  const service = await createService(readConfig({ ...settings, SERVICE_STATE_PERSIST: '1', DATABASE_URL: url, ...env }))
  await service.start()
  return service
}

async function fill(service: Service, sessionId: string, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await post(service, '/v1/run', { session_id: sessionId, message: `${textOf(sessionId, 2 * turn)}?` })
    await post(service, '/v1/store', { session_id: sessionId, response: `${textOf(sessionId, 2 * turn + 1)}.` })
  }
}

async function post(service: Service, url: string, payload: object): Promise<void> {
  const response = await service.http.inject({ method: 'POST', url, payload })
  if (response.statusCode !== 200) throw new Error(`${url} answered ${String(response.statusCode)}: ${response.body}`)
}

async function metricsOf(service: Service, sessionId: string): Promise<{ readonly total_memories: number }> {
  const response = await service.http.inject(`/v1/metrics/${sessionId}`)
  if (response.statusCode !== 200) throw new Error(`The session answered ${String(response.statusCode)}`)
  return response.json<{ total_memories: number }>()
}

/** Deterministic: Numerical Recipes' linear congruential generator, seeded by session and turn. */
function textOf(sessionId: string, at: number): string {
  let state = [...sessionId].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), at * 7_919) >>> 0
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
  return Array.from({ length: WORDS_A_TEXT }, () => wordOf(Math.floor(WORDS * next() ** 3))).join(' ')
}

function wordOf(number: number): string {
  return `${SYLLABLES[number % 17] ?? ''}${SYLLABLES[Math.floor(number / 17) % 17] ?? ''}${SYLLABLES[Math.floor(number / 289) % 19] ?? ''}`
}

const SYLLABLES = [
  'ka',
  'lo',
  'mer',
  'tin',
  'su',
  'pra',
  'vel',
  'dor',
  'ni',
  'gas',
  'fo',
  'rek',
  'bul',
  'ham',
  'wi',
  'zet',
  'yo',
  'cle',
  'xa'
]

async function storedBytes({ server, url }: Place): Promise<number> {
  await server.run(url, 'vacuum')
  return Number(
    (
      await server.run(url, `select sum(pg_total_relation_size(oid)) as n from pg_class where relname in ('actor_records', 'actor_rows')`)
    )[0]?.['n']
  )
}

async function logBytes({ server, url }: Place): Promise<number> {
  return Number((await server.run(url, `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as n`))[0]?.['n'])
}

async function heapBytes(): Promise<number> {
  await collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Processor time of this process, without the database. */
function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

await main()
