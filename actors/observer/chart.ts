/** Keeps an observer's chart and its head in step: the head stores the state that the chart is in. */
import { type Sighting, type WatchingEvent, watchingMachine, type WatchingTask } from '../../machines/watching-machine.js'
import type { AnomalyType } from '../../src/domain/commands/observer-commands.js'
import type { Condition } from '../../src/domain/coordination/anomalies.js'
import { StateChart } from '../behaviour/state-chart.js'

type Presence = 'absent' | 'present'

/** Present kinds of anomalies, as stored. A sample under way is not stored, as it ends with its actor. */
export type Present = {
  readonly convergence: Presence
  readonly systemicDrift: Presence
  readonly divergence: Presence
}

type Watching = Present & { readonly sampling: 'resting' | 'looking' }

export type ObserverChart = StateChart<Watching, WatchingEvent, WatchingTask>

/** State before the first sample. */
export const NOTHING_PRESENT: Present = { convergence: 'absent', systemicDrift: 'absent', divergence: 'absent' }

export function createObserverChart(present: Present): ObserverChart {
  const value: Watching = { ...present, sampling: 'resting' }
  return new StateChart(watchingMachine, value)
}

export function presentIn(chart: ObserverChart): Present {
  const { convergence, systemicDrift, divergence } = chart.value()
  return { convergence, systemicDrift, divergence }
}

/** Derives the state from the prefixes of the present conditions' keys, for records of versions without a chart. */
export function presentOf(conditionKeys: Iterable<string>): Present {
  const kinds = new Set([...conditionKeys].map((key) => key.split(':', 1)[0]))
  const presence = (kind: AnomalyType): Presence => (kinds.has(kind) ? 'present' : 'absent')
  return {
    convergence: presence('cross_cluster_convergence'),
    systemicDrift: presence('systemic_drift'),
    divergence: presence('cluster_divergence')
  }
}

/** Counts the present conditions of each kind, and the new ones among them. */
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

/** Tasks that record conditions, by kind. */
export const RECORDING: Readonly<Record<AnomalyType, WatchingTask>> = {
  cross_cluster_convergence: 'recordConvergence',
  systemic_drift: 'recordSystemicDrift',
  cluster_divergence: 'recordDivergence'
}
