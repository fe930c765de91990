/** Chooses the node that a client asks: the same one while it answers, or, as a load balancer does, any that reports ready. */
import { setTimeout as passed } from 'node:timers/promises'
import type { Chance } from '../chance.js'
import type { Node } from './node-team.js'

export interface Balancer {
  choose(client: number): Node
  /** Call it when nobody listened at the node, or no answer came. */
  avoid(client: number, node: Node): void
  stop(): Promise<void>
}

/** One request in this many moves a client to a random node, so that after a fault all nodes get clients again. */
const MOVE_ONE_IN = 40
/** Milliseconds between readiness checks: a tenth of the usual, because the test shortens everything. */
const READINESS_MS = 100

/** Each client stays at a node while it answers. At first clients are spread evenly. */
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

/** Round robin over the nodes that were ready at the last check. */
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
