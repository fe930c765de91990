/** What may befall nodes, and what it looks like from inside. */
import type { Chance } from '../torture/chance.js'
import type { World } from './world.js'

export const FAULT_KINDS = ['pause', 'kill', 'stop', 'replace', 'cut', 'stuck', 'slow', 'loss', 'double', 'failing', 'jump'] as const

export interface Fault {
  readonly kind: (typeof FAULT_KINDS)[number]
  readonly node: string
  readonly atMs: number
  readonly forMs: number
  /** Chooses among the ways in which the kind shows itself. */
  readonly way: number
}

/** A third is over before anybody notices, a third before a node is given up, a third after that. */
const LENGTHS_MS = [
  [100, 1_400],
  [1_500, 4_000],
  [4_000, 8_000]
] as const

const WAYS = 6

/** Faults begin when everything has been made. */
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

/** Brings the fault about. What it returns ends it. */
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
      // Another process under the same name, while the first one goes on.
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
      // Copies that come much later overtake, and are overtaken.
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
      // To the other side of what is even: within the bound that the service claims for.
      time.skewS = -time.skewS
      return () => undefined
    }
  }
}

export function faultText({ kind, node, forMs, way }: Fault): string {
  return `${kind} of ${node} for ${(forMs / 1000).toFixed(1)} s (way ${String(way)})`
}
