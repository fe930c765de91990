/**
 * A PgBouncer for one test, in front of a PostgreSQL server: each transaction may get another of the server's connections, and none of them
 * is reset in between.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { freePort } from './free-port.js'
import { type Account, findProgram, POSTGRES_USER, postgresAccount } from './needs.js'
import { untilSaid } from './until-said.js'

export interface Pgbouncer {
  /** URL of the database behind it. */
  urlOf(direct: string): string
  /** Ends it and removes its files. Idempotent. */
  stop(): Promise<void>
}

/** Starts it in front of the server that any of its databases' URLs names. */
export async function startPgbouncer(direct: string): Promise<Pgbouncer> {
  const program = findProgram('pgbouncer')
  if (program === null) throw new Error('PgBouncer is not installed')
  // It refuses to run as root, like PostgreSQL.
  const owner: Partial<Account> = process.getuid?.() === 0 ? (postgresAccount() ?? {}) : {}
  const directory = await mkdtemp(join(tmpdir(), 'pgbouncer-'))
  const [settings, port] = [join(directory, 'pgbouncer.ini'), await freePort()]
  await writeFile(settings, settingsOf(port, new URL(direct).port))
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(directory, owner.uid, owner.gid)
  const child = spawn(program, [settings], { ...owner, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  await untilSaid(child, 'stderr', 'process up')
  return {
    urlOf(url) {
      const pooled = new URL(url)
      pooled.port = String(port)
      return pooled.href
    },
    async stop() {
      child.kill('SIGKILL')
      await exited
      await rm(directory, { recursive: true, force: true })
    }
  }
}

/** Fewer connections to the server than a storage opens, so that they are shared; a killed server is tried again at once. */
function settingsOf(port: number, serverPort: string): string {
  return `[databases]
* = host=127.0.0.1 port=${serverPort} user=${POSTGRES_USER}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${String(port)}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
server_login_retry = 0.1
`
}
