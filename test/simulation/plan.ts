/** What happens in a simulation from outside, all of it chosen by one seed: faults, and what clients ask. A part of a plan is a plan. */
import { type Chance, createChance } from '../torture/chance.js'
import { type Fault, FAULT_KINDS, faultOf } from './faults.js'
import { type Operation, operationsOf } from './operations.js'

export const NODES = ['n1', 'n2', 'n3'] as const

export interface NodePlan {
  readonly name: string
  /** Seconds by which its time of day is ahead. */
  readonly skewS: number
  /** Of its monotonic clock. */
  readonly rate: number
}

export interface Plan {
  readonly seed: number
  readonly nodes: readonly NodePlan[]
  /** Milliseconds of one way to the broker, and to the storage. */
  readonly networkMsMax: number
  readonly storageMsMax: number
  readonly faults: readonly Fault[]
  readonly operations: readonly Operation[]
}

/** Seconds by which two clocks differ at most: the service claims nothing beyond twice that. */
export const SKEW_S_MAX = 2.4

/** Clocks of machines run within a hundredth of each other, far beyond what crystals do. */
const RATE_PARTS_MAX = 10

/** Milliseconds in which everything of a plan begins. */
export const TROUBLE_MS = 14_000

const FAULTS_MIN = 2
const FAULTS_MAX = 6

export function planOf(seed: number): Plan {
  const chance = createChance(seed * 7 + 1)
  const count = chance.integer(FAULTS_MIN, FAULTS_MAX)
  // A few kinds at a time: with all of them in every plan, each would hide what another one brings about.
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
