/** What harnesses of several nodes share: nodes over one broker and one database, and counts of what all of them used. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { addressKey, ANONYMOUS_SUBJECT } from '../src/domain/address.js'
import { createPlacement } from '../src/domain/rendezvous.js'
import { freePort } from '../test/support/free-port.js'
import { type ProcessStat, processStats } from '../test/support/machine-processes.js'
import { startNatsServer } from '../test/support/nats-server.js'
import { type PostgresServer, startPostgres } from '../test/support/postgres.js'
import { compiledProgram } from '../test/support/program.js'
import { type ServiceProcess, startServiceProcess } from '../test/torture/service-process.js'

export interface NodeRig {
  readonly natsUrl: string
  /**
   * Nodes over a database of their own, with more settings. `count` 0 is one process without a broker. Resolves once all of them know each
   * other.
   */
  startNodes(count: number, env?: Readonly<Record<string, string>>): Promise<Nodes>
  natsCounts(): Promise<NatsCounts>
  close(): Promise<void>
}

export interface Nodes {
  readonly urls: readonly string[]
  /** Where a session's owner listens. */
  ownerOf(sessionId: string): string
  /** Processor milliseconds of each node's main thread since it began: proc(5), /proc/pid/schedstat, the first number. */
  workedMs(): number[]
  databaseCounts(): Promise<DatabaseCounts>
  stop(): Promise<void>
}

/** Since the server started. `in` is what clients sent, `out` what they were sent. */
export interface NatsCounts {
  readonly inMessages: number
  readonly outMessages: number
  readonly inBytes: number
  readonly outBytes: number
}

/** Since the database was made. */
export interface DatabaseCounts {
  readonly transactions: number
  readonly rowsWritten: number
  /** Of the write-ahead log. */
  readonly logBytes: number
}

/** Processor milliseconds since each of them started, by the program that used them. */
export interface ProcessorUse {
  readonly client: number
  readonly nodes: number
  readonly broker: number
  readonly database: number
}

const METRICS = { METRICS_USER: 'bench', METRICS_PASSWORD: 'bench' }

/** Looks whether the nodes know each other, and the milliseconds between two. */
const LOOKS_MAX = 150
const LOOK_MS = 100

/** Nodes that take part, as one of them sees it. */
export const UP = 'service_nodes{state="up"}'

/** Linux counts processor time in hundredths of a second: proc(5), `stat`. */
const TICK_MS = 10

export async function createNodeRig(): Promise<NodeRig> {
  const monitorPort = await freePort()
  // Its rounds of cleaning and counting would be counted as writes.
  const database = await startPostgres(['-c', 'autovacuum=off'])
  const nats = await startNatsServer({ config: `http: "127.0.0.1:${String(monitorPort)}"` })
  const program = [await compiledProgram('src/main.ts')] as const
  return {
    natsUrl: nats.url,
    async startNodes(count, env = {}) {
      const databaseUrl = await database.createDatabase()
      const shared = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: databaseUrl, ...METRICS, ...env }
      const names = Array.from({ length: count }, (_, at) => `node-${String(at + 1)}`)
      const envs = count === 0 ? [shared] : names.map((name) => ({ ...shared, NATS_URL: nats.url, SERVICE_NODE_ID: name }))
      const nodes: ServiceProcess[] = []
      for (const env of envs) nodes.push(await startServiceProcess(program, env))
      const urls = nodes.map(({ url }) => url)
      for (const url of urls) await untilMet(url, count)
      const { ownerOf } = createPlacement(names)
      return {
        urls,
        ownerOf(sessionId) {
          const owner = ownerOf(addressKey({ kind: 'session', subject: ANONYMOUS_SUBJECT, id: sessionId }))
          return urls[owner === null ? 0 : names.indexOf(owner)] ?? ''
        },
        workedMs: () => nodes.map(({ pid }) => Number(readFileSync(`/proc/${String(pid)}/schedstat`, 'utf8').split(' ')[0]) / 1e6),
        databaseCounts: () => databaseCounts(database, databaseUrl),
        async stop() {
          await Promise.all(nodes.map((node) => node.kill()))
          await database.dropDatabase(databaseUrl)
        }
      }
    },
    async natsCounts() {
      const response = await fetch(`http://127.0.0.1:${String(monitorPort)}/varz`)
      const { in_msgs, out_msgs, in_bytes, out_bytes } = (await response.json()) as Record<
        'in_msgs' | 'out_msgs' | 'in_bytes' | 'out_bytes',
        number
      >
      return { inMessages: in_msgs, outMessages: out_msgs, inBytes: in_bytes, outBytes: out_bytes }
    },
    async close() {
      await nats.stop()
      await database.stop()
    }
  }
}

async function untilMet(url: string, count: number): Promise<void> {
  if (count === 0) return
  for (let look = 0; look < LOOKS_MAX; look++) {
    if ((await metricOf(url, UP)) === count) return
    await pause(LOOK_MS)
  }
  throw new Error('The nodes did not find each other in time')
}

/** One sample of a node's metrics; 0 when it is not there. */
export async function metricOf(url: string, name: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${METRICS.METRICS_USER}:${METRICS.METRICS_PASSWORD}`).toString('base64')}`
  const text = await (await fetch(new URL('/metrics', url), { headers: { authorization } })).text()
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? 0)
}

export function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs))
}

/** Asked on a connection to another database, so that the asking does not count. */
async function databaseCounts(server: PostgresServer, url: string): Promise<DatabaseCounts> {
  const name = new URL(url).pathname.slice(1)
  const asked = new URL(url)
  asked.pathname = '/postgres'
  const [row] = await server.run(
    asked.href,
    `select xact_commit + xact_rollback as transactions, tup_inserted + tup_updated + tup_deleted as written,
       pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as log from pg_stat_database where datname = '${name}'`
  )
  return { transactions: Number(row?.['transactions']), rowsWritten: Number(row?.['written']), logBytes: Number(row?.['log']) }
}

/** Of this process and all that it started. Ended processes count with the one that started them. */
export function processorUse(): ProcessorUse {
  const stats = processStats()
  const family = new Set([process.pid])
  for (let before = 0; before !== family.size;) {
    before = family.size
    for (const { pid, parent } of stats) if (family.has(parent)) family.add(pid)
  }
  const useOf = (wanted: (name: string, pid: number) => boolean): number =>
    stats.filter(({ name, pid }) => family.has(pid) && wanted(name, pid)).reduce((sum, stat) => sum + useOfProcess(stat), 0)
  return {
    client: useOf((_, pid) => pid === process.pid),
    nodes: useOf((name, pid) => pid !== process.pid && name.startsWith('node')),
    broker: useOf((name) => name === 'nats-server'),
    database: useOf((name) => name === 'postgres')
  }
}

function useOfProcess({ name, fields }: ProcessStat): number {
  const [own, system, ended, endedSystem] = fields.slice(11, 15).map(Number)
  const children = name === 'postgres' ? (ended ?? 0) + (endedSystem ?? 0) : 0
  return ((own ?? 0) + (system ?? 0) + children) * TICK_MS
}
