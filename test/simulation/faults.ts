/** Faults of nodes, of their clocks, and of their lines to the network and the storage. */
import type { Chance } from '../torture/chance.js'
import type { World } from './world.js'

export const FAULT_KINDS = ['pause', 'kill', 'stop', 'replace', 'cut', 'stuck', 'slow', 'loss', 'double', 'failing', 'jump'] as const

export interface Fault {
  readonly kind: (typeof FAULT_KINDS)[number]
  readonly node: string
  readonly atMs: number
  readonly forMs: number
  /** Chooses a variant of the kind, 0..WAYS - 1. */
  readonly way: number
}

/** A third of the faults end before anyone notices, a third before the node is given up, a third after that. */
const LENGTHS_MS = [
  [100, 1_400],
  [1_500, 4_000],
  [4_000, 8_000]
] as const

const WAYS = 6

/** When faults begin: after the preparations. */
const FAULTS_FROM_MS = 500
const FAULTS_UNTIL_MS = 9_000

export function faultOf(chance: Chance, kinds: readonly Fault['kind'][], nodes: readonly string[]): Fault {
  const [least, most] = chance.pick(LENGTHS_MS) ?? LENGTHS_MS[0]
  return {
    kind: chance.pick(kinds) ?? 'kill',
    node: chance.pick(nodes) ?? '',
    atMs: chance.integer(FAULTS_FROM_MS, FAULTS_UNTIL_MS),
    forMs: chance.integer(least, most),
    way: chance.integer(0, WAYS - 1)
  }
}

/** Causes the fault. Returns a function that ends it. */
export function strike(world: World, { kind, node, way }: Fault): () => void {
  switch (kind) {
    case 'pause': {
      const process = world.processOf(node)
      process?.pause()
      return () => process?.resume(way % 2 === 0 ? 'arrived first' : 'due first')
    }
    case 'kill':
      world.kill(node)
      return () => world.start(node)
    case 'stop':
      world.stop(node)
      return () => world.start(node)
    case 'replace':
      // A second process with the same name while the first one still runs.
      world.start(node)
      return () => undefined
    case 'cut': {
      const line = world.network.lineOf(node)
      Object.assign(line, { toIsCut: way % 3 !== 1, fromIsCut: way % 3 !== 2, isNoticed: way >= 3 })
      return () => Object.assign(line, { toIsCut: false, fromIsCut: false, isNoticed: false })
    }
    case 'stuck': {
      const line = world.storage.lineOf(node)
      line.isCut = true
      return () => void (line.isCut = false)
    }
    case 'slow': {
      const line = world.storage.lineOf(node)
      const before = line.latencyMsMax
      line.latencyMsMax = 400 * (way + 1)
      return () => void (line.latencyMsMax = before)
    }
    case 'loss': {
      const line = world.network.lineOf(node)
      line.lossOneIn = 2 + way
      return () => void (line.lossOneIn = 0)
    }
    case 'double': {
      const line = world.network.lineOf(node)
      const before = line.latencyMsMax
      // The higher latency lets copies overtake other messages and be overtaken.
      Object.assign(line, { doubleOneIn: 2, latencyMsMax: 100 * (way + 1) })
      return () => Object.assign(line, { doubleOneIn: 0, latencyMsMax: before })
    }
    case 'failing': {
      const line = world.storage.lineOf(node)
      line.failOneIn = 2 + way
      return () => void (line.failOneIn = 0)
    }
    case 'jump': {
      const time = world.timeOf(node)
      // As far off on the other side: within the bound for which the service makes its promises.
      time.skewS = -time.skewS
      return () => undefined
    }
  }
}

export function faultText({ kind, node, forMs, way }: Fault): string {
  return `${kind} of ${node} for ${(forMs / 1000).toFixed(1)} s (way ${String(way)})`
}
