/** Faults of the nodes and of the servers that they need, while clients continue. */
import { setTimeout as passed } from 'node:timers/promises'
import type { Way } from '../../support/tcp-proxy.js'
import type { Chance } from '../chance.js'
import type { LineSort } from './lines.js'
import { type Node, type Team, untilReady } from './node-team.js'

export interface Fault {
  /** The kind of lines that it needs. */
  readonly lines: LineSort
  /** Whether clients that ask only ready nodes must not notice it. */
  readonly isRolling: boolean
  /** Processes of each node. Default: one. */
  readonly workers?: number
  /** Whether a logged error is an expected consequence of the fault. Default: none is. */
  readonly isExpected?: (complaint: string) => boolean
  /** Strikes once. Resolves when the next strike may come, although what it struck may still be starting. */
  strike(field: Field): Promise<void>
}

export interface Field {
  readonly team: Team
  readonly chance: Chance
  /** Called with each action as it happens. */
  readonly note: (deed: object) => void
}

export type FaultName = 'kill' | 'worker' | 'pause' | 'freeze' | 'cut' | 'drop' | 'nats' | 'wipe' | 'database' | 'connections' | 'rolling'

const ALONE = { lines: 'direct', isRolling: false } as const

const WAYS: readonly (Way | 'both ways')[] = ['to server', 'to client', 'both ways']

/** Milliseconds between checks whether a node has started. */
const LOOK_MS = 50

/** All faults by name. The shortest are over before anybody notices, the longest outlast every time limit between nodes. */
export const FAULTS: Readonly<Record<FaultName, Fault>> = {
  /** kill -9 of a random node every one to three seconds; the last running node is killed only when another one has started. */
  kill: {
    ...ALONE,
    async strike({ team, chance, note }) {
      await passed(chance.integer(1000, 3000))
      const running = () => team.nodes.filter((one) => one.isRunning())
      while (running().length < 2) await passed(LOOK_MS)
      const node = chance.pick(running()) as Node
      note({ kill: node.name })
      await killAndRestart(node)
    }
  },
  /**
   * kill -9 of one of the two workers of a random node, which its parent process replaces. If none is left, the parent ends and is
   * restarted. The next kill waits until every node is ready: a worker takes seconds to start while nine processes share two processors.
   */
  worker: {
    ...ALONE,
    workers: 2,
    isExpected: (complaint) => complaint.includes('"msg":"a worker ended"'),
    async strike({ team, chance, note }) {
      await Promise.all(team.nodes.map(untilReady))
      await passed(chance.integer(1000, 3000))
      const node = chance.pick(team.nodes) as Node
      note({ killWorkerOf: node.name })
      node.killWorker(chance)
      for (const one of team.nodes) startAgain(one)
    }
  },
  /** SIGSTOP of a random node for 0.2 to 10 seconds. */
  pause: {
    ...ALONE,
    async strike({ team, chance, note }) {
      const node = chance.pick(team.nodes) as Node
      note({ pause: node.name })
      node.pause()
      await passed(chance.integer(200, 10_000))
      note({ resume: node.name })
      node.resume()
      await passed(chance.integer(300, 3000))
    }
  },
  /**
   * SIGSTOP of a random node while its commits wait for the database, until others own what it owned. The commits are done meanwhile, and
   * the node hears of it only afterwards.
   */
  freeze: {
    ...ALONE,
    async strike({ team, chance, note }) {
      const node = chance.pick(team.nodes) as Node
      note({ freeze: node.name })
      team.backend.pause()
      await passed(chance.integer(20, 300))
      node.pause()
      team.backend.resume()
      await passed(chance.integer(4500, 8000))
      note({ resume: node.name })
      node.resume()
      await passed(chance.integer(300, 3000))
    }
  },
  /** Cuts a node off from NATS, from the database, or from both, in one or both directions. What was sent meanwhile arrives late. */
  cut: { lines: 'proxies', isRolling: false, strike: cutOff },
  /** The same by dropped packets, which the kernel retransmits for a while. */
  drop: { lines: 'namespaces', isRolling: false, strike: cutOff },
  nats: {
    ...ALONE,
    strike: (field) => restartNats(field, async () => undefined)
  },
  /** NATS comes back without its streams and their messages. */
  wipe: {
    ...ALONE,
    strike: (field) => restartNats(field, () => field.team.nats.wipe())
  },
  database: {
    ...ALONE,
    async strike({ team, chance, note }) {
      note({ kill: 'database' })
      await team.backend.kill()
      await passed(chance.integer(0, 5000))
      await team.backend.start()
      note({ started: 'database' })
      await passed(chance.integer(1000, 5000))
    }
  },
  /** The database terminates connections, one after the other. */
  connections: {
    ...ALONE,
    async strike({ team, chance, note }) {
      note({ disconnect: 'database' })
      await team.backend.disconnect()
      await passed(chance.integer(100, 2000))
    }
  },
  /** Shuts down and restarts one node after the other, each once the one before is ready. */
  rolling: {
    lines: 'direct',
    isRolling: true,
    async strike({ team, note }) {
      for (const node of team.nodes) {
        note({ terminate: node.name })
        const code = await node.terminate()
        note({ ended: node.name, code })
        if (code !== 0) throw new Error(`Node ${node.name} ended with ${String(code)}`)
        await node.start()
        await untilReady(node)
        note({ ready: node.name })
      }
    }
  }
}

async function restartNats({ team, chance, note }: Field, meanwhile: () => Promise<void>): Promise<void> {
  note({ kill: 'NATS' })
  await team.nats.kill()
  await meanwhile()
  await passed(chance.integer(0, 6000))
  await team.nats.restart()
  note({ started: 'NATS' })
  await passed(chance.integer(1000, 5000))
}

async function cutOff({ team, chance, note }: Field): Promise<void> {
  const { name, lines } = chance.pick(team.nodes) as Node
  const ends = chance.pick([['nats'], ['database'], ['nats', 'database']] as const) ?? []
  const way = chance.pick(WAYS) ?? 'both ways'
  note({ cut: name, from: ends, way })
  for (const end of ends) lines[end].cut(way === 'both ways' ? undefined : way)
  await passed(chance.integer(200, 8000))
  for (const end of ends) lines[end].restore()
  note({ restored: name })
  await passed(chance.integer(300, 3000))
}

/** Does not wait for the start, so that other nodes can be killed meanwhile. A failed start shows when the team heals. */
async function killAndRestart(node: Node): Promise<void> {
  await node.kill()
  startAgain(node)
}

/** Starts the node; a no-op if it runs. */
function startAgain(node: Node): void {
  node.start().catch(() => undefined)
}
