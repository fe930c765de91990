/** Shared by benchmarks of several nodes: nodes over one broker and one database, and their resource usage. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { addressKey, ANONYMOUS_SUBJECT } from '../src/domain/address.js'
import { createPlacement } from '../src/domain/nodes/rendezvous.js'
import { freePort } from '../test/support/free-port.js'
import { type ProcessStat, processStats } from '../test/support/machine-processes.js'
import { startNatsServer } from '../test/support/nats-server.js'
import { type PostgresServer, startPostgres } from '../test/support/postgres.js'
import { compiledProgram } from '../test/support/program.js'
import { type ServiceProcess, startServiceProcess } from '../test/torture/service-process.js'

export interface NodeRig {
  readonly natsUrl: string
  /**
   * Starts nodes over a new database, with additional settings. With `count` 0 it starts one process without a broker. Resolves once all
   * nodes know each other.
   */
  startNodes(count: number, env?: Readonly<Record<string, string>>): Promise<Nodes>
  natsCounts(): Promise<NatsCounts>
  close(): Promise<void>
}

export interface Nodes {
  readonly urls: readonly string[]
  /** URL of a session's owner. */
  ownerOf(sessionId: string): string
  /** Processor milliseconds of each node's main thread since its start: proc(5), first number of /proc/pid/schedstat. */
  workedMs(): number[]
  databaseCounts(): Promise<DatabaseCounts>
  stop(): Promise<void>
}

/** Counts since the server's start. `in` was sent by clients, `out` to them. */
export interface NatsCounts {
  readonly inMessages: number
  readonly outMessages: number
  readonly inBytes: number
  readonly outBytes: number
}

/** Counts since the database was created. */
export interface DatabaseCounts {
  readonly transactions: number
  readonly rowsWritten: number
  /** Bytes of the write-ahead log. */
  readonly logBytes: number
}

/** Processor milliseconds since the start of each process, by program. */
export interface ProcessorUse {
  readonly client: number
  readonly nodes: number
  readonly broker: number
  readonly database: number
}

const METRICS = { METRICS_USER: 'bench', METRICS_PASSWORD: 'bench' }

/** Maximum number of checks whether the nodes know each other, and the milliseconds between two. */
const LOOKS_MAX = 150
const LOOK_MS = 100

/** Number of active nodes, as one node sees it. */
export const UP = 'service_nodes{state="up"}'

/** Linux counts processor time in hundredths of a second: proc(5), `stat`. */
const TICK_MS = 10

export async function createNodeRig(): Promise<NodeRig> {
  const monitorPort = await freePort()
  // Its vacuum and statistics would be counted as writes.
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

/** Returns one sample of a node's metrics; 0 if it is missing. */
export async function metricOf(url: string, name: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${METRICS.METRICS_USER}:${METRICS.METRICS_PASSWORD}`).toString('base64')}`
  const text = await (await fetch(new URL('/metrics', url), { headers: { authorization } })).text()
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? 0)
}

export function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs))
}

/** Queried on a connection to another database, so that the query itself does not count. */
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

/** Usage of this process and of all that it started. Ended processes count towards their parent. */
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
