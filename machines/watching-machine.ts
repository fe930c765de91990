/**
 * Chart of an observer, with parallel regions: whether a sample is under way, and for each kind of anomaly whether the last sample had it.
 * The actions are tasks for the step that sent the event.
 */
import { setup } from 'xstate'
import type { AnomalyType } from '../src/domain/commands/observer-commands.js'
import { MICROSTEPS_MAX, task } from './setup-parts.js'

/** Conditions of one kind in a sample: the number that hold, and the number of those that did not hold in the sample before. */
export interface Sighting {
  readonly held: number
  readonly raised: number
}

export type WatchingEvent =
  /** A sample began: the regions and their clusters are asked. */
  | { readonly type: 'look.began' }
  /** The sample ended, with answers or without. */
  | { readonly type: 'look.ended' }
  | { readonly type: 'sample.taken'; readonly sightings: Readonly<Record<AnomalyType, Sighting>> }

/** Tasks for a step: record the new conditions of a kind. */
export type WatchingTask = 'recordConvergence' | 'recordSystemicDrift' | 'recordDivergence'

const watchingSetup = setup({
  types: { events: {} as WatchingEvent },
  guards: {
    itHolds: ({ event }, { kind }: { readonly kind: AnomalyType }) => event.type === 'sample.taken' && event.sightings[kind].held > 0,
    itIsOver: ({ event }, { kind }: { readonly kind: AnomalyType }) => event.type === 'sample.taken' && event.sightings[kind].held === 0,
    moreHas: ({ event }, { kind }: { readonly kind: AnomalyType }) => event.type === 'sample.taken' && event.sightings[kind].raised > 0
  },
  actions: { recordConvergence: task, recordSystemicDrift: task, recordDivergence: task }
})

/** A kind is present from the first sample with a condition of it until one without any. Further new conditions are recorded meanwhile. */
const presenceOf = (kind: AnomalyType, record: WatchingTask) =>
  watchingSetup.createStateConfig({
    initial: 'absent',
    states: {
      absent: { on: { 'sample.taken': { guard: { type: 'itHolds', params: { kind } }, target: 'present', actions: record } } },
      present: {
        on: {
          'sample.taken': [
            { guard: { type: 'itIsOver', params: { kind } }, target: 'absent' },
            { guard: { type: 'moreHas', params: { kind } }, actions: record }
          ]
        }
      }
    }
  })

/** Has no context: the state is all the data there is. */
export const watchingMachine = watchingSetup.createMachine({
  id: 'watching',
  options: { maxIterations: MICROSTEPS_MAX },
  type: 'parallel',
  states: {
    sampling: {
      initial: 'resting',
      states: { resting: { on: { 'look.began': 'looking' } }, looking: { on: { 'look.ended': 'resting' } } }
    },
    convergence: presenceOf('cross_cluster_convergence', 'recordConvergence'),
    systemicDrift: presenceOf('systemic_drift', 'recordSystemicDrift'),
    divergence: presenceOf('cluster_divergence', 'recordDivergence')
  }
})
