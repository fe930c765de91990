/** An observer's chart and its head: what the one is at, the other keeps. */
import { type Sighting, type WatchingEvent, watchingMachine, type WatchingTask } from '../../machines/watching-machine.js'
import type { AnomalyType } from '../../src/domain/commands/observer-commands.js'
import type { Condition } from '../../src/domain/coordination/anomalies.js'
import { createStateChart, type StateChart } from '../behaviour/state-chart.js'

type Presence = 'absent' | 'present'

/** Which kinds of anomalies there are, as it is stored. A look that is under way ends with its actor. */
export type Present = {
  readonly convergence: Presence
  readonly systemicDrift: Presence
  readonly divergence: Presence
}

type Watching = Present & { readonly sampling: 'resting' | 'looking' }

export type ObserverChart = StateChart<Watching, WatchingEvent, WatchingTask>

/** Before the first sample. */
export const NOTHING_PRESENT: Present = { convergence: 'absent', systemicDrift: 'absent', divergence: 'absent' }

export function createObserverChart(present: Present): ObserverChart {
  const value: Watching = { ...present, sampling: 'resting' }
  return createStateChart(watchingMachine, value)
}

export function presentIn(chart: ObserverChart): Present {
  const { convergence, systemicDrift, divergence } = chart.value()
  return { convergence, systemicDrift, divergence }
}

/** Of a record that was written before observers had a chart: what the keys of the conditions that hold begin with. */
export function presentOf(conditionKeys: Iterable<string>): Present {
  const kinds = new Set([...conditionKeys].map((key) => key.split(':', 1)[0]))
  const presence = (kind: AnomalyType): Presence => (kinds.has(kind) ? 'present' : 'absent')
  return {
    convergence: presence('cross_cluster_convergence'),
    systemicDrift: presence('systemic_drift'),
    divergence: presence('cluster_divergence')
  }
}

/** How many conditions of each kind hold, and how many of these are new. */
export function sightingsOf(held: readonly Condition[], raised: readonly Condition[]): Readonly<Record<AnomalyType, Sighting>> {
  const count = (conditions: readonly Condition[], kind: AnomalyType) =>
    conditions.reduce((sum, { anomalyType }) => sum + (anomalyType === kind ? 1 : 0), 0)
  const sighting = (kind: AnomalyType): Sighting => ({ held: count(held, kind), raised: count(raised, kind) })
  return {
    cross_cluster_convergence: sighting('cross_cluster_convergence'),
    systemic_drift: sighting('systemic_drift'),
    cluster_divergence: sighting('cluster_divergence')
  }
}

/** The task that records conditions of a kind. */
export const RECORDING: Readonly<Record<AnomalyType, WatchingTask>> = {
  cross_cluster_convergence: 'recordConvergence',
  systemic_drift: 'recordSystemicDrift',
  cluster_divergence: 'recordDivergence'
}
