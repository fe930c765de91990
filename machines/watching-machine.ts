/**
 * What an observer is at: whether it looks at its regions now, and which kinds of anomalies there are, as its last sample tells. The
 * actions are tasks for the step that told the event.
 */
import { setup } from 'xstate'
import type { AnomalyType } from '../src/domain/commands/observer-commands.js'

/** More microsteps than this in one transition are an endless loop; the longest real one takes one. */
const MICROSTEPS_MAX = 5

/** Conditions of one kind in a sample: how many hold, and how many of those did not at the last one. */
export interface Sighting {
  readonly held: number
  readonly raised: number
}

export type WatchingEvent =
  /** It asks its regions and their clusters. */
  | { readonly type: 'look.began' }
  /** They have answered, or do not. */
  | { readonly type: 'look.ended' }
  | { readonly type: 'sample.taken'; readonly sightings: Readonly<Record<AnomalyType, Sighting>> }

/** What a step may be asked to do: to record what has come to hold, kind by kind. */
export type WatchingTask = 'recordConvergence' | 'recordSystemicDrift' | 'recordDivergence'

const task = (): void => undefined

const watchingSetup = setup({
  types: { events: {} as WatchingEvent },
  guards: {
    itHolds: ({ event }, { kind }: { readonly kind: AnomalyType }) => event.type === 'sample.taken' && event.sightings[kind].held > 0,
    itIsOver: ({ event }, { kind }: { readonly kind: AnomalyType }) => event.type === 'sample.taken' && event.sightings[kind].held === 0,
    moreHas: ({ event }, { kind }: { readonly kind: AnomalyType }) => event.type === 'sample.taken' && event.sightings[kind].raised > 0
  },
  actions: { recordConvergence: task, recordSystemicDrift: task, recordDivergence: task }
})

/** A kind is there from the first sample that has it until one that has none of it; what comes to hold meanwhile is recorded as well. */
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

/** No context: where it is says all it knows. */
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
