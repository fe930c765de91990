/** Three nodes with one database and one NATS server, each on a fixed port of its own. */
import process from 'node:process'
import { setTimeout as passed } from 'node:timers/promises'
import { freePort } from '../../support/free-port.js'
import { childrenOf } from '../../support/machine-processes.js'
import { type NatsServer, startNatsServer } from '../../support/nats-server.js'
import { type Program, type ServiceProcess, startServiceProcess } from '../service-process.js'
import { type Backend, type BackendName, BACKENDS } from './backends.js'
import type { Chance } from '../chance.js'
import { createHttpClient } from './http-client.js'
import { createLines, type Line, type Lines, type LineSort } from './lines.js'

export interface TeamOptions {
  readonly program: Program
  readonly backend: BackendName
  /** How each node reaches the database and NATS. Lines that can be cut are slower. */
  readonly lines: LineSort
  /** Processes of each node behind its port. Default: one, which then has the node's name. */
  readonly workers?: number
}

export interface Node {
  readonly name: string
  readonly url: string
  readonly lines: { readonly database: Line; readonly nats: Line }
  isRunning(): boolean
  /** Starts the node; a no-op if it runs. Resolves when it listens. `program`: by default the team's own. */
  start(program?: Program): Promise<void>
  /** kill -9. Resolves when it is gone. */
  kill(): Promise<void>
  /** kill -9 of one of its workers, if there is any. */
  killWorker(chance: Chance): void
  /** SIGSTOP and SIGCONT. */
  pause(): void
  resume(): void
  /** SIGTERM. Resolves with the exit code; null if it was killed meanwhile. */
  terminate(): Promise<number | null>
  /** Whether `/v1/readyz` reports ready. */
  isReady(): Promise<boolean>
}

export interface Team {
  readonly nodes: readonly Node[]
  readonly backend: Backend
  readonly nats: NatsServer
  /** Errors that the nodes logged. */
  complaints(): readonly string[]
  /** Starts what does not run and resumes what is paused. Resolves when every node is ready. */
  heal(): Promise<void>
  stop(): Promise<void>
}

const NAMES = ['one', 'two', 'three']
/** Milliseconds between checks of a node's readiness, and the time limit for a node to become ready. */
const LOOK_MS = 50
const READY_MS_MAX = 60_000
const LOOK_PATIENCE_MS = 2_000

export async function startTeam(options: TeamOptions): Promise<Team> {
  const { workers = 1 } = options
  const [backend, nats] = await Promise.all([BACKENDS[options.backend].open(), startNatsServer()])
  const probe = createHttpClient({ patienceMs: LOOK_PATIENCE_MS })
  const services: ServiceProcess[] = []
  const ways: Lines[] = []

  async function prepare(name: string): Promise<Node> {
    const port = await freePort()
    const way = createLines(options.lines)
    ways.push(way)
    const url = `http://${way.address}:${port}`
    const lines = { database: await way.to(backend), nats: await way.to(nats) }
    const env = {
      ...backend.env(lines.database),
      SERVICE_HOST: way.address,
      SERVICE_PORT: String(port),
      ...(workers === 1 ? { SERVICE_NODE_ID: name } : { SERVICE_WORKERS: String(workers) }),
      NATS_URL: `nats://${lines.nats.host}:${lines.nats.port}`
    }
    let service: ServiceProcess | null = null
    let starting: Promise<void> | null = null
    return {
      name,
      url,
      lines,
      isRunning: () => service?.isRunning() ?? false,
      start(program = options.program) {
        if (service?.isRunning() === true) return Promise.resolve()
        starting ??= startServiceProcess(program, env, way.launcher)
          .then((started) => {
            service = started
            services.push(started)
          })
          .finally(() => (starting = null))
        return starting
      },
      async kill() {
        await starting?.catch(() => undefined)
        await service?.kill()
      },
      killWorker(chance) {
        const worker = chance.pick(service === null ? [] : childrenOf(service.pid))
        if (worker !== undefined) process.kill(worker.pid, 'SIGKILL')
      },
      pause: () => service?.signal('SIGSTOP'),
      resume: () => service?.signal('SIGCONT'),
      async terminate() {
        service?.signal('SIGTERM')
        return (await service?.ended) ?? null
      },
      async isReady() {
        const reply = await probe.send(url, { method: 'GET', path: '/v1/readyz' })
        return typeof reply === 'object' && reply.status === 200
      }
    }
  }

  const nodes: Node[] = []
  const team: Team = {
    nodes,
    backend,
    nats,
    complaints: () => services.flatMap((service) => service.complaints),
    async heal() {
      for (const way of ways) way.restore()
      for (const node of nodes) node.resume()
      await Promise.all(nodes.map((node) => node.start()))
      await Promise.all(nodes.map(untilReady))
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.kill()))
      await Promise.all(ways.map((way) => way.remove()))
      await Promise.all([nats.stop(), backend.stop()])
      probe.close()
    }
  }
  try {
    for (const name of NAMES) nodes.push(await prepare(name))
    await team.heal()
    return team
  } catch (error) {
    await team.stop()
    throw error
  }
}

/** Resolves when the node is ready. Throws after READY_MS_MAX. */
export async function untilReady(node: Node): Promise<void> {
  for (let waitedMs = 0; !(await node.isReady()); waitedMs += LOOK_MS) {
    if (waitedMs > READY_MS_MAX) throw new Error(`Node ${node.name} is not ready`)
    await passed(LOOK_MS)
  }
}
