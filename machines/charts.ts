/** All machines as data: what they are, without what they do. For documents, visualizers and the debugger. */
import type { AnyStateNode } from 'xstate'
import { DRAIN_MS_MAX } from '../src/domain/limits.js'
import { type ChartState, readChart } from './chart.js'
import { kindMachines } from './kinds.js'
import { membershipMachine } from './membership-machine.js'
import { mindMachine } from './mind-machine.js'
import { nodeMachine } from './node-machine.js'
import { realignmentMachine } from './realignment-machine.js'
import { sharingMachine } from './sharing-machine.js'
import { supervisorMachine } from './supervisor-machine.js'
import { watchingMachine } from './watching-machine.js'

const MACHINES = [
  ...Object.values(kindMachines),
  supervisorMachine,
  nodeMachine,
  membershipMachine,
  mindMachine,
  sharingMachine,
  realignmentMachine,
  watchingMachine
]

/** Milliseconds of the delays that a configuration or a command sets: its defaults. */
const CONFIGURED_MS: Readonly<Record<string, number>> = { sweepInterval: 60_000, drainLimit: DRAIN_MS_MAX }

/** One chart a machine; its key is the machine's id. */
export function machineCharts(): readonly ChartState[] {
  return MACHINES.map(({ root }) => readChart(root as AnyStateNode))
}

/** What `createMachine` takes, or a state in it. */
export interface StateConfig {
  readonly on?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  readonly invoke?: Invocation | readonly Invocation[]
  readonly states?: Readonly<Record<string, StateConfig>>
}

export interface Invocation {
  readonly src: string
  readonly onDone?: unknown
  readonly onError?: unknown
}

/**
 * What each machine was made of, by its id. Guards and actions have names here, so plain JSON says all of the chart; contexts, inputs
 * and parameters that are computed are functions, and left out.
 */
export function machineConfigs(): ReadonlyMap<string, StateConfig> {
  return new Map(MACHINES.map(({ id, config }) => [id, JSON.parse(JSON.stringify(config)) as StateConfig]))
}

/** Milliseconds of the delays that a machine names. Throws an Error for one that has no number. */
export function delaysOf(id: string): Readonly<Record<string, number>> {
  const delays = MACHINES.find((machine) => machine.id === id)?.implementations.delays ?? {}
  return Object.fromEntries(
    Object.entries(delays).map(([name, delay]) => {
      const ms: unknown = CONFIGURED_MS[name] ?? delay
      // Stryker disable next-line ConditionalExpression: every delay that there is has a number
      if (typeof ms !== 'number') throw new Error(`The delay ${name} of the machine ${id} has no number`)
      return [name, ms]
    })
  )
}
