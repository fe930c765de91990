/** A Redis server for one test: on a free port, with its own directory, killed and restarted at will. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.js'
import { findProgram } from './needs.js'
import { untilSaid } from './until-said.js'

export interface RedisServer {
  readonly url: string
  readonly port: number
  /** Directory of its files. */
  readonly directory: string
  /** Id of the current process. */
  pid(): number
  /** Suspends the server: connections stay open without answers. */
  pause(): void
  resume(): void
  /** kill -9: nothing more is written. */
  kill(): Promise<void>
  /** Restarts it on the same port and files. Resolves once it has loaded them and accepts commands. */
  start(): Promise<void>
  /** Kills it and removes its files. Idempotent. */
  stop(): Promise<void>
}

const BINARY = findProgram('redis-server') ?? 'redis-server'

/** Starts a server that syncs every acknowledged write (`appendfsync always`), unless `settings` (command line options) say otherwise. */
export async function startRedis(settings: readonly string[] = []): Promise<RedisServer> {
  const port = await freePort()
  const directory = await mkdtemp(join(tmpdir(), 'redis-'))
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    directory,
    '--save',
    '',
    '--appendonly',
    'yes',
    '--appendfsync',
    'always'
  ]
  let child: ChildProcess | undefined

  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    port,
    directory,
    pid: () => child?.pid ?? 0,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async kill() {
      const running = child
      child = undefined
      if (running?.exitCode !== null) return
      const exited = once(running, 'exit')
      running.kill('SIGKILL')
      await exited
    },
    async start() {
      const attempt = () => {
        child = spawn(BINARY, [...args, ...settings], { stdio: ['ignore', 'pipe', 'inherit'] })
        return untilSaid(child, 'stdout', 'Ready to accept connections')
      }
      // If it was killed while starting a new log after a torn one, Redis repairs the torn one, exits, and starts the next time.
      await attempt().catch(attempt)
    },
    async stop() {
      await server.kill()
      await rm(directory, { recursive: true, force: true })
    }
  }
  await server.start()
  return server
}

/** Sends one command as a user at a terminal would, and returns the first chunk of the answer. */
export async function askRedis(server: RedisServer, command: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  socket.write(`${command}\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return answer.toString()
}
