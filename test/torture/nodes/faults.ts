/** What happens to the nodes, and to what they need, while clients go on. */
import { setTimeout as passed } from 'node:timers/promises'
import type { Way } from '../../support/tcp-proxy.js'
import type { Chance } from '../chance.js'
import type { LineSort } from './lines.js'
import { untilReady, type Node, type Team } from './node-team.js'

export interface Fault {
  /** What it cuts. */
  readonly lines: LineSort
  /** Whether clients that ask only nodes which are ready notice nothing of it. */
  readonly isRolling: boolean
  /** Strikes once, and resolves when the next strike may come: what it struck may still be starting. */
  strike(team: Team, chance: Chance): Promise<Strike>
}

/** What was done, for the history. */
export type Strike = Readonly<Record<string, string | number | null>>

export type FaultName = 'kill' | 'pause' | 'cut' | 'drop' | 'nats' | 'database' | 'rolling'

const ALONE = { lines: 'direct', isRolling: false } as const

const WAYS: readonly (Way | 'both ways')[] = ['to server', 'to client', 'both ways']

/** Milliseconds between looks at whether a node has started. */
const LOOK_MS = 50

/** Milliseconds; the shortest are over before anybody notices, the longest outlast every time limit between nodes. */
export const FAULTS: Readonly<Record<FaultName, Fault>> = {
  /** kill -9 of a random node every one to three seconds; of the last one that runs only when another one has started. */
  kill: {
    ...ALONE,
    async strike(team, chance) {
      await passed(chance.integer(1000, 3000))
      const running = () => team.nodes.filter((one) => one.isRunning())
      while (running().length < 2) await passed(LOOK_MS)
      const node = chance.pick(running()) as Node
      await killAndRestart(node)
      return { killed: node.name }
    }
  },
  /** SIGSTOP of a random node for 0.2 to 10 seconds. */
  pause: {
    ...ALONE,
    async strike(team, chance) {
      const node = nodeOf(team, chance)
      const ms = chance.integer(200, 10_000)
      node.pause()
      await passed(ms)
      node.resume()
      await passed(chance.integer(300, 3000))
      return { paused: node.name, ms }
    }
  },
  /** A node cut off from NATS, from the database, or from both; in one direction or in both. What was sent meanwhile arrives late. */
  cut: { lines: 'proxies', isRolling: false, strike: cutOff },
  /** The same by lost packets, which the kernel sends again for a while. */
  drop: { lines: 'namespaces', isRolling: false, strike: cutOff },
  nats: {
    ...ALONE,
    async strike(team, chance) {
      const ms = chance.integer(0, 6000)
      await team.nats.kill()
      await passed(ms)
      await team.nats.restart()
      await passed(chance.integer(1000, 5000))
      return { nats: 'killed', ms }
    }
  },
  database: {
    ...ALONE,
    async strike(team, chance) {
      const ms = chance.integer(0, 5000)
      await team.backend.kill()
      await passed(ms)
      await team.backend.start()
      await passed(chance.integer(1000, 5000))
      return { database: 'killed', ms }
    }
  },
  /** One node after the other ended in order, and started again; the next one once the node is ready. */
  rolling: {
    lines: 'direct',
    isRolling: true,
    async strike(team) {
      const codes: (number | null)[] = []
      for (const node of team.nodes) {
        codes.push(await node.terminate())
        await node.start()
        await untilReady(node)
      }
      if (codes.some((code) => code !== 0)) throw new Error(`Nodes ended with ${codes.join(', ')}`)
      return { rolled: codes.length }
    }
  }
}

async function cutOff(team: Team, chance: Chance): Promise<Strike> {
  const { name, lines } = nodeOf(team, chance)
  const ends = chance.pick([['nats'], ['database'], ['nats', 'database']] as const) ?? []
  const way = chance.pick(WAYS) ?? 'both ways'
  const ms = chance.integer(200, 8000)
  for (const end of ends) lines[end].cut(way === 'both ways' ? undefined : way)
  await passed(ms)
  for (const end of ends) lines[end].restore()
  await passed(chance.integer(300, 3000))
  return { cut: name, from: ends.join(' and '), way, ms }
}

function nodeOf(team: Team, chance: Chance): Node {
  return chance.pick(team.nodes) as Node
}

/** Does not wait for the start, so that other nodes are killed meanwhile. What goes wrong with it is found when the team heals. */
async function killAndRestart(node: Node): Promise<void> {
  await node.kill()
  node.start().catch(() => undefined)
}
