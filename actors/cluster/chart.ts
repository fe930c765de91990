/** Keeps a cluster's chart and its head in step: the head stores the state that the chart is in. */
import type { SharingEvent, SharingTask } from '../../machines/sharing-machine.js'
import type { StateChart } from '../behaviour/state-chart.js'

/** State of a cluster's chart, as it is stored. */
export type Sharing = {
  readonly coupling: 'alone' | 'loose' | 'coupled'
  readonly feedback: 'resting' | 'spreading'
}

export type ClusterChart = StateChart<Sharing, SharingEvent, SharingTask>

/** State of a cluster without members. */
export const NO_SHARING: Sharing = { coupling: 'alone', feedback: 'resting' }

/** Fields of a head that tell the chart's state. Heads of versions without a chart have no `sharing`. */
interface ToldSharing {
  readonly sharing?: Sharing
  readonly couplingFactor: number
  readonly memberCount: number
}

/** Reads the chart's state from a head; for heads of versions without a chart, derives it from their numbers. */
export function readSharing(head: ToldSharing, feedbacks: number): Sharing {
  const { sharing, couplingFactor, memberCount } = head
  if (sharing !== undefined) return sharing
  const coupling = memberCount === 0 ? 'alone' : couplingFactor === 0 ? 'loose' : 'coupled'
  return { coupling, feedback: feedbacks === 0 ? 'resting' : 'spreading' }
}

/** Parts of a cluster that its chart decides. */
interface Sharer {
  head: { readonly sharing: Sharing }
  readonly chart: ClusterChart
}

/** Sends an event to the cluster's chart, and stores its new state in the head. Returns the tasks for the caller to carry out. */
export function tellSharing(state: Sharer, event: SharingEvent): readonly SharingTask[] {
  const tasks = state.chart.tell(event)
  const { coupling, feedback } = state.chart.value()
  const { sharing } = state.head
  if (coupling !== sharing.coupling || feedback !== sharing.feedback) state.head = { ...state.head, sharing: { coupling, feedback } }
  return tasks
}
