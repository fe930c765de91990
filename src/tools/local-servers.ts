/** Servers behind the nodes on a developer's machine: NATS with the project's configuration, and the first database that is installed. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setUpOutbox } from '../bus/nats/outbox-setup.js'
import type { Environment } from '../config.js'
import { createSystemClock } from '../platform/clock.js'
import { isExecutable } from '../platform/executable.js'
import { SILENT } from '../platform/silent-logger.js'
import type { LocalProcesses } from './local-processes.js'

export interface Surroundings {
  readonly processes: LocalProcesses
  /** Each server keeps its files in its own subfolder. */
  readonly folder: string
  readonly env: Environment
}

/** A database, and the settings with which a node uses it. */
export interface Database {
  readonly title: string
  readonly settings: Environment
}

const NATS_CONFIG = fileURLToPath(new URL('../../nats.conf', import.meta.url))
/** Debian keeps PostgreSQL's programs off the path, in one folder per version. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql'
/** PostgreSQL refuses to run as root. */
const POSTGRES_USER = 'postgres'
/** Folders of servers that an ordinary user's path may lack. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin']
const LOOPBACK = '127.0.0.1'
const PASSWORD_BYTES = 24

const NO_NATS =
  'nats-server is needed and not installed: apt-get install nats-server, brew install nats-server, or github.com/nats-io/nats-server/releases.'
const NO_DATABASE =
  'A database that the nodes share is needed, and none is installed: apt-get install postgresql, or redis-server, or the same with brew.'

/**
 * Starts NATS with `nats.conf` and the streams for outbox messages, on a free port of loopback. Resolves to a function that returns each
 * node's address. `passwords` are by node id; `initPassword` is the operator's (default: a random one). Throws an Error with a sentence
 * when NATS is not installed.
 */
export async function startNats(
  { processes, folder, env }: Surroundings,
  passwords: Readonly<Record<string, string>>,
  initPassword = `p${randomBytes(PASSWORD_BYTES).toString('hex')}`
): Promise<(nodeId: string) => string> {
  const command = findProgram('nats-server', env)
  if (command === null) throw new Error(NO_NATS)
  const [port, monitorPort] = [await freePort(), await freePort()]
  const variables = Object.fromEntries(
    Object.entries({ ...passwords, init: initPassword }).map(([nodeId, password]) => [`NATS_PASSWORD_${nodeId.toUpperCase()}`, password])
  )
  await processes.start({
    name: 'nats',
    command,
    args: ['-c', NATS_CONFIG, '-a', LOOPBACK, '-p', String(port), '-m', String(monitorPort), '-sd', join(folder, 'nats')],
    env: { ...env, ...variables },
    isReady: (line) => line.includes('Server is ready'),
    endSignal: 'SIGTERM'
  })
  const url = `nats://init:${initPassword}@${LOOPBACK}:${port}`
  await setUpOutbox({ url, nodes: Object.keys(passwords), clock: createSystemClock(), logger: SILENT })
  return (nodeId) => `nats://${nodeId}:${passwords[nodeId] ?? ''}@${LOOPBACK}:${port}`
}

/**
 * Starts PostgreSQL, else Redis, on a free port of loopback without a password. Throws an Error with a sentence when neither is installed.
 */
export async function startDatabase(surroundings: Surroundings): Promise<Database> {
  const programs = findPostgres(surroundings.env)
  const account = postgresAccount()
  if (programs !== null && account !== null) return startPostgres(surroundings, programs, account)
  const redis = findProgram('redis-server', surroundings.env)
  if (redis !== null) return startRedis(surroundings, redis)
  throw new Error(NO_DATABASE)
}

/** Undefined: PostgreSQL can run as the current user. */
type Account = { readonly uid: number; readonly gid: number } | undefined

async function startPostgres({ processes, folder, env }: Surroundings, programs: string, account: Account): Promise<Database> {
  const data = join(folder, 'postgres')
  if (!existsSync(data)) {
    mkdirSync(data, { recursive: true, mode: 0o700 })
    if (account !== undefined) chownSync(data, account.uid, account.gid)
    const made = spawnSync(join(programs, 'initdb'), ['-D', data, '-U', POSTGRES_USER, '-A', 'trust', '-E', 'UTF8', '--locale=C'], {
      ...account,
      cwd: '/'
    })
    if (made.status !== 0) throw new Error(`PostgreSQL could not make its files:\n${made.stderr.toString()}`)
  }
  const port = await freePort()
  await processes.start({
    name: 'postgres',
    command: join(programs, 'postgres'),
    // No Unix socket, because its folder may belong to another user.
    args: ['-D', data, '-h', LOOPBACK, '-p', String(port), '-k', ''],
    env,
    isReady: (line) => line.includes('database system is ready to accept connections'),
    // SIGINT is a "fast" shutdown: it ends connections and leaves complete files.
    endSignal: 'SIGINT',
    cwd: '/',
    ...(account !== undefined && { account })
  })
  const settings = {
    SERVICE_SESSION_BACKEND: 'memory',
    SERVICE_STATE_PERSIST: '1',
    DATABASE_URL: `postgres://${POSTGRES_USER}@${LOOPBACK}:${port}/postgres`
  }
  return { title: 'PostgreSQL', settings }
}

async function startRedis({ processes, folder, env }: Surroundings, command: string): Promise<Database> {
  const data = join(folder, 'redis')
  mkdirSync(data, { recursive: true })
  const port = await freePort()
  await processes.start({
    name: 'redis',
    command,
    args: ['--port', String(port), '--bind', LOOPBACK, '--dir', data, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'],
    env,
    isReady: (line) => line.includes('Ready to accept connections'),
    endSignal: 'SIGTERM'
  })
  const settings = { SERVICE_SESSION_BACKEND: 'redis', SERVICE_STATE_PERSIST: '0', REDIS_URL: `redis://${LOOPBACK}:${port}` }
  return { title: 'Redis', settings }
}

/** Returns a port of loopback that was free a moment ago. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, LOOPBACK)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Returns the folder of PostgreSQL's programs; null if there is none. */
function findPostgres(env: Environment): string | null {
  const versions = existsSync(POSTGRES_VERSIONS) ? readdirSync(POSTGRES_VERSIONS).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((version) => join(POSTGRES_VERSIONS, version, 'bin')), ...pathOf(env)]
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => isExecutable(join(folder, name)))) ?? null
}

function findProgram(name: string, env: Environment): string | null {
  const folder = [...pathOf(env), ...SERVER_FOLDERS].find((one) => isExecutable(join(one, name)))
  return folder === undefined ? null : join(folder, name)
}

function pathOf(env: Environment): string[] {
  return env['PATH']?.split(delimiter) ?? []
}

/** Returns null when this process is root and the machine has no user for PostgreSQL. */
function postgresAccount(): Account | null {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, POSTGRES_USER]))
  return uid?.status === 0 && gid?.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : null
}
