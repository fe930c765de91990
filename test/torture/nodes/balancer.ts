/** Which node a client asks: as one that keeps to a node while it answers, or as a balancer that asks each whether it is ready. */
import { setTimeout as passed } from 'node:timers/promises'
import type { Chance } from '../chance.js'
import type { Node } from './node-team.js'

export interface Balancer {
  choose(client: number): Node
  /** Nobody listened at the node, or no answer came from it. */
  avoid(client: number, node: Node): void
  stop(): Promise<void>
}

/** A client without need goes elsewhere once in so many requests: after a fault the nodes get their share of them again. */
const MOVE_ONE_IN = 40
/** Milliseconds between two questions of a balancer: a tenth of what is usual, in a test that shortens everything. */
const READINESS_MS = 100

/** Clients at first spread evenly. */
export function createFollower(nodes: readonly Node[], chance: Chance): Balancer {
  const homes = new Map<number, Node>()
  return {
    choose(client) {
      const home = chance.oneIn(MOVE_ONE_IN) ? chance.pick(nodes) : (homes.get(client) ?? nodes[client % nodes.length])
      if (home === undefined) throw new Error('There are no nodes')
      homes.set(client, home)
      return home
    },
    avoid(client, node) {
      homes.set(client, nodes[(nodes.indexOf(node) + 1) % nodes.length] ?? node)
    },
    stop: async () => undefined
  }
}

/** Asks nodes in turn that said they were ready when they were last asked. */
export function createReadinessBalancer(nodes: readonly Node[]): Balancer {
  let ready: readonly Node[] = nodes
  let turn = 0
  const stopped = new AbortController()
  const asking = (async () => {
    while (!stopped.signal.aborted) {
      const answers = await Promise.all(nodes.map(async (node) => ((await node.isReady()) ? [node] : [])))
      ready = answers.flat()
      await passed(READINESS_MS)
    }
  })()
  return {
    choose: () => {
      turn += 1
      const among = ready.length === 0 ? nodes : ready
      return among[turn % among.length] as Node
    },
    avoid(_, node) {
      ready = ready.filter((other) => other !== node)
    },
    async stop() {
      stopped.abort()
      await asking
    }
  }
}
