/** Input of a simulation, chosen by one seed: faults and operations of clients. Any part of a plan is a plan too. */
import { type Chance, createChance } from '../torture/chance.js'
import { type Fault, FAULT_KINDS, faultOf } from './faults.js'
import { type Operation, operationsOf } from './operations.js'

export const NODES = ['n1', 'n2', 'n3'] as const

export interface NodePlan {
  readonly name: string
  /** Seconds by which the machine's time of day is ahead; may be negative. */
  readonly skewS: number
  /** Speed of the machine's monotonic clock relative to simulated time. */
  readonly rate: number
}

export interface Plan {
  readonly seed: number
  readonly nodes: readonly NodePlan[]
  /** Longest latency in milliseconds of one way to the broker, and below it to the storage. */
  readonly networkMsMax: number
  readonly storageMsMax: number
  readonly faults: readonly Fault[]
  readonly operations: readonly Operation[]
}

/** Most seconds by which a machine's clock is off. Two clocks differ by at most twice that, beyond which the service promises nothing. */
export const SKEW_S_MAX = 2.4

/** Largest deviation of a clock's rate, in thousandths: far more than that of real crystals. */
const RATE_PARTS_MAX = 10

/** Milliseconds in which all operations of a plan begin, and all faults begin and end. */
export const TROUBLE_MS = 14_000

const FAULTS_MIN = 2
const FAULTS_MAX = 6

export function planOf(seed: number): Plan {
  const chance = createChance(seed * 7 + 1)
  const count = chance.integer(FAULTS_MIN, FAULTS_MAX)
  // Few kinds per plan: with all of them in every plan, some would hide the effects of others.
  const kinds = Array.from({ length: chance.integer(1, 3) }, () => chance.pick(FAULT_KINDS) ?? 'kill')
  const faults = Array.from({ length: count }, () => faultOf(chance, kinds, NODES))
  return {
    seed,
    nodes: NODES.map((name) => ({
      name,
      skewS: signed(chance, SKEW_S_MAX * 1000) / 1000,
      rate: 1 + signed(chance, RATE_PARTS_MAX) / 1000
    })),
    networkMsMax: chance.pick([2, 5, 30]) ?? 2,
    storageMsMax: chance.pick([2, 10, 50]) ?? 2,
    faults: faults.sort((a, b) => a.atMs - b.atMs),
    operations: operationsOf(
      chance,
      faults.map(({ atMs }) => atMs)
    )
  }
}

function signed(chance: Chance, most: number): number {
  return chance.integer(-most, most)
}
