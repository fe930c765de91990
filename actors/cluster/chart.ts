/** A cluster's chart and its head: what the one is at, the other keeps. */
import { type SharingEvent, sharingMachine, type SharingTask } from '../../machines/sharing-machine.js'
import { createStateChart, type StateChart } from '../behaviour/state-chart.js'

/** Where a cluster is, as it is stored. */
export type Sharing = {
  readonly coupling: 'alone' | 'loose' | 'coupled'
  readonly feedback: 'resting' | 'spreading'
}

export type ClusterChart = StateChart<Sharing, SharingEvent, SharingTask>

/** Of a cluster without members. */
export const NO_SHARING: Sharing = { coupling: 'alone', feedback: 'resting' }

export function createClusterChart(sharing: Sharing): ClusterChart {
  return createStateChart(sharingMachine, sharing)
}

/** What a cluster's head tells of it: before clusters had a chart nothing but numbers. */
interface ToldSharing {
  readonly sharing?: Sharing
  readonly couplingFactor: number
  readonly memberCount: number
}

/** What a head tells, also one that was written before clusters had a chart. */
export function readSharing(head: ToldSharing, feedbacks: number): Sharing {
  const { sharing, couplingFactor, memberCount } = head
  if (sharing !== undefined) return sharing
  const coupling = memberCount === 0 ? 'alone' : couplingFactor === 0 ? 'loose' : 'coupled'
  return { coupling, feedback: feedbacks === 0 ? 'resting' : 'spreading' }
}

/** What of a cluster its chart decides. */
interface Sharer {
  head: { readonly sharing: Sharing }
  readonly chart: ClusterChart
}

/** Tells the cluster's chart, and keeps what it is at then. The tasks that it sets are the caller's. */
export function tellSharing(state: Sharer, event: SharingEvent): readonly SharingTask[] {
  const tasks = state.chart.tell(event)
  const { coupling, feedback } = state.chart.value()
  const { sharing } = state.head
  if (coupling !== sharing.coupling || feedback !== sharing.feedback) state.head = { ...state.head, sharing: { coupling, feedback } }
  return tasks
}
