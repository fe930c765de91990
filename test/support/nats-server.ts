/** A NATS server with JetStream for one test: on a free port, with its own directory, killed and restarted at will. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.js'
import { findProgram } from './needs.js'
import { untilSaid } from './until-said.js'

export interface NatsServer {
  readonly url: string
  readonly port: number
  /** kill -9. */
  kill(): Promise<void>
  /** Kills the server if it runs, and restarts it on the same port and files. Resolves once it listens. */
  restart(): Promise<void>
  /** Deletes JetStream's files of a killed server. */
  wipe(): Promise<void>
  /** Kills the server and removes its files, unless the directory was given. Idempotent. */
  stop(): Promise<void>
}

export interface NatsServerOptions {
  readonly port?: number
  /** Directory of JetStream's files; the caller removes it. */
  readonly storeDir?: string
  /** Further lines of the configuration file. */
  readonly config?: string
  /** Default true. */
  readonly hasJetStream?: boolean
}

const BINARY = findProgram('nats-server') ?? 'nats-server'

export async function startNatsServer(options: NatsServerOptions = {}): Promise<NatsServer> {
  const port = options.port ?? (await freePort())
  const directory = await mkdtemp(join(tmpdir(), 'nats-'))
  const settings = join(directory, 'nats.conf')
  const { storeDir = directory } = options
  const jetStream = `jetstream { store_dir: ${JSON.stringify(storeDir)} }`
  await writeFile(settings, `listen: "127.0.0.1:${port}"\n${options.hasJetStream === false ? '' : jetStream}\n${options.config ?? ''}\n`)
  let child: ChildProcess | undefined

  const server: NatsServer = {
    url: `nats://127.0.0.1:${port}`,
    port,
    async kill() {
      const running = child
      child = undefined
      if (running?.exitCode !== null) return
      const exited = once(running, 'exit')
      running.kill('SIGKILL')
      await exited
    },
    async restart() {
      await server.kill()
      child = spawn(BINARY, ['--config', settings], { stdio: ['ignore', 'ignore', 'pipe'] })
      await untilSaid(child, 'stderr', 'Server is ready')
    },
    wipe: () => rm(join(storeDir, 'jetstream'), { recursive: true, force: true }),
    async stop() {
      await server.kill()
      await rm(directory, { recursive: true, force: true })
    }
  }
  await server.restart()
  return server
}
