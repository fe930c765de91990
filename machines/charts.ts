/** All machines as data, without their effects. For documents, visualizers and the debugger. */
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

/** Default milliseconds of the delays that a configuration or a command sets. */
const CONFIGURED_MS: Readonly<Record<string, number>> = { sweepInterval: 60_000, drainLimit: DRAIN_MS_MAX }

/** Returns one chart per machine; its key is the machine's id. */
export function machineCharts(): readonly ChartState[] {
  return MACHINES.map(({ root }) => readChart(root as AnyStateNode))
}

/** Configuration of a machine, as `createMachine` takes it, or of a state in it. */
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
 * Returns the configuration of each machine by its id. Guards and actions are names, so that plain JSON describes the whole chart. Computed
 * contexts, inputs and parameters are functions, and left out.
 */
export function machineConfigs(): ReadonlyMap<string, StateConfig> {
  return new Map(MACHINES.map(({ id, config }) => [id, JSON.parse(JSON.stringify(config)) as StateConfig]))
}

/** Returns the milliseconds of a machine's delays by name. Throws an Error for a delay without a number. */
export function delaysOf(id: string): Readonly<Record<string, number>> {
  const delays = MACHINES.find((machine) => machine.id === id)?.implementations.delays ?? {}
  return Object.fromEntries(
    Object.entries(delays).map(([name, delay]) => {
      const ms: unknown = CONFIGURED_MS[name] ?? delay
      // Stryker disable next-line ConditionalExpression: every existing delay has a number
      if (typeof ms !== 'number') throw new Error(`The delay ${name} of the machine ${id} has no number`)
      return [name, ms]
    })
  )
}
