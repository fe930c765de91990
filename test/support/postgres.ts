/** A PostgreSQL server for one test: on a free port, with its own directory, killed and restarted at will. */
import { type ChildProcess, spawn, spawnSync, type SpawnSyncOptions } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { outputFolder } from '../runner/output-folder.js'
import { freePort } from './free-port.js'
import { childrenOf } from './machine-processes.js'
import { type Account, findProgram, POSTGRES_USER, postgresAccount } from './needs.js'
import { projectRoot } from './project-root.js'

export interface PostgresServer {
  /** Directory of its files. */
  readonly data: string
  /** Ids of all its current processes. */
  pids(): readonly number[]
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>
  /** Drops a database. Fewer files shorten recovery, because the server syncs each one when it starts after a kill. */
  dropDatabase(url: string): Promise<void>
  /** Runs SQL on a separate connection. */
  run(url: string, sql: string): Promise<Record<string, unknown>[]>
  /** Suspends all processes of the server: connections stay open without answers. */
  pause(): void
  resume(): void
  /** kill -9 of the server and its connections. */
  kill(): Promise<void>
  /** Restarts it on the same port and files. Resolves once it accepts connections. */
  start(): Promise<void>
  /** Kills it and removes its files. Idempotent. */
  stop(): Promise<void>
}

const STARTS_MAX = 50
/** Ignored by git. */
const CLUSTERS = '.tap/postgres'

/** Starts a server that flushes like a production one. `settings` are command line options added to the defaults. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = binaries()
  if (folder === null) throw new Error('PostgreSQL is not installed')
  const owner: Partial<Account> = process.getuid?.() === 0 ? (postgresAccount() ?? {}) : {}
  const directory = await mkdtemp(join(tmpdir(), 'postgres-'))
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(directory, owner.uid, owner.gid)
  const data = join(directory, 'data')
  execute('cp', ['-a', join(await emptyCluster(folder, owner), 'data'), data])
  const port = await freePort()
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-c', 'wal_level=minimal', '-c', 'max_wal_senders=0']
  const urlOf = (database: string) => `postgres://${POSTGRES_USER}@127.0.0.1:${port}/${database}`
  let child: ChildProcess | null = null
  let databases = 0

  const family = () => (child?.pid === undefined ? [] : [child.pid, ...childrenOf(child.pid).map(({ pid }) => pid)])
  const signal = (name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL') => {
    for (const pid of family()) tryKill(pid, name)
  }
  const server: PostgresServer = {
    data,
    pids: family,
    async createDatabase() {
      const name = `records_${++databases}`
      await server.run(urlOf('postgres'), `create database ${name}`)
      return urlOf(name)
    },
    async dropDatabase(url) {
      await server.run(urlOf('postgres'), `drop database ${new URL(url).pathname.slice(1)} with (force)`)
    },
    run: runSql,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async kill() {
      if (child?.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      signal('SIGKILL')
      await exited
      child = null
    },
    async start() {
      // The first attempts may meet processes of the killed server that still hold its shared memory.
      for (let attempt = 1; ; attempt++) {
        child = spawn(join(folder, 'postgres'), [...args, ...settings], { ...owner, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] })
        const problem = await whyNotReady(child)
        if (problem === null) return
        if (attempt === STARTS_MAX) throw new Error(`PostgreSQL did not start:\n${problem}`)
      }
    },
    async stop() {
      await server.kill()
      await rm(directory, { recursive: true, force: true })
    }
  }
  await server.start()
  return server
}

async function runSql(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Returns a folder with the files of an empty server, created once per installed version because initdb takes longer than a start. */
function emptyCluster(binaries: string, owner: Partial<Account>): Promise<string> {
  const initdb = join(binaries, 'initdb')
  const digest = createHash('sha256')
    .update(JSON.stringify([execute(initdb, ['--version']), owner]))
    .digest('hex')
    .slice(0, 16)
  return outputFolder(join(projectRoot(), CLUSTERS), digest, async (output) => {
    // The files' owner may not have access to the project.
    const directory = await mkdtemp(join(tmpdir(), 'postgres-'))
    if (owner.uid !== undefined && owner.gid !== undefined) await chown(directory, owner.uid, owner.gid)
    const data = join(directory, 'data')
    const settings = ['-U', POSTGRES_USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
    execute(initdb, ['-D', data, ...settings], { ...owner, cwd: directory })
    execute('cp', ['-a', data, join(output, 'data')])
    await rm(directory, { recursive: true })
  })
}

/** Returns the command's output. */
function execute(command: string, args: readonly string[], options: SpawnSyncOptions = {}): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { ...options, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`)
  return stdout
}

function binaries(): string | null {
  const found = findProgram('initdb')
  return found === null ? null : dirname(found)
}

function tryKill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended meanwhile.
  }
}

/** Resolves to null once the server accepts connections, or to its output if it ended instead. */
async function whyNotReady(child: ChildProcess): Promise<string | null> {
  if (child.stderr === null) throw new Error('The server has no output')
  const lines = createInterface(child.stderr)
  const said: string[] = []
  const problem = await new Promise<string | null>((resolve, reject) => {
    lines.on('line', (line) => {
      said.push(line)
      if (line.includes('database system is ready to accept connections')) resolve(null)
    })
    child.once('exit', () => resolve(said.join('\n')))
    child.once('error', reject)
  })
  // Keeps reading, so that the server never blocks on its output.
  lines.removeAllListeners('line')
  lines.on('line', () => undefined)
  return problem
}
