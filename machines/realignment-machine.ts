/**
 * Chart of a region, with two parallel regions: the votes of its clusters, and the progress of a realignment. They are parallel because
 * votes continue while clusters are pulled. The actions are tasks for the step that sent the event.
 */
import { raise, setup } from 'xstate'
import { isConsensus } from '../src/domain/coordination/votes.js'
import { MICROSTEPS_MAX, task } from './setup-parts.js'

/** Events of the votes, or of the realignment under way. */
export type RealignmentEvent =
  | {
      readonly type: 'votes.weighed'
      /** 0..1 */
      readonly fraction: number
      /** Above 0, at most 1. */
      readonly threshold: number
      /** False: only the time or the attached clusters have changed. That may end a consensus, but never starts one. */
      readonly isByVote: boolean
    }
  /** The clusters have answered, and there is a vector to pull to. */
  | { readonly type: 'consensus.found' }
  /** The clusters have answered without a common direction. */
  | { readonly type: 'consensus.missed' }
  /** A consensus, found or being gathered, must not be used: it may contain erased content. */
  | { readonly type: 'consensus.withdrawn' }
  /** All clusters were pulled. */
  | { readonly type: 'clusters.pulled' }

/** Signals between the two parallel regions of the chart. */
type RealignmentSignal = { readonly type: 'realignment.wanted' } | { readonly type: 'realignment.ended' }

/**
 * Tasks for a step: `count` a realignment; `ask` the clusters for a consensus; `pull` all clusters to the one found; `finish` the
 * realignment.
 */
export type RealignmentTask = 'count' | 'ask' | 'pull' | 'finish'

const END = { target: 'idle', actions: ['finish', 'endRealignment'] } as const

const CROSSING = { guard: 'votesAreConsensus', target: 'realigning', actions: ['count', 'wantRealignment'] } as const

/** Has no context: the state is all the data there is. */
export const realignmentMachine = setup({
  types: { events: {} as RealignmentEvent | RealignmentSignal },
  guards: {
    votesAreConsensus: ({ event }) => event.type === 'votes.weighed' && event.isByVote && isConsensus(event.fraction, event.threshold),
    votesAreDivided: ({ event }) => event.type === 'votes.weighed' && !isConsensus(event.fraction, event.threshold),
    nobodyVotes: ({ event }) => event.type === 'votes.weighed' && event.fraction === 0,
    somebodyVotes: ({ event }) => event.type === 'votes.weighed' && event.fraction > 0
  },
  actions: {
    wantRealignment: raise({ type: 'realignment.wanted' }),
    endRealignment: raise({ type: 'realignment.ended' }),
    count: task,
    ask: task,
    pull: task,
    finish: task
  }
}).createMachine({
  id: 'realignment',
  options: { maxIterations: MICROSTEPS_MAX },
  type: 'parallel',
  states: {
    votes: {
      initial: 'quiet',
      states: {
        quiet: { on: { 'votes.weighed': [CROSSING, { guard: 'somebodyVotes', target: 'gathering' }] } },
        gathering: { on: { 'votes.weighed': [CROSSING, { guard: 'nobodyVotes', target: 'quiet' }] } },
        // The votes have crossed the threshold and started a realignment. They start no other until they have fallen below it again.
        realigning: {
          on: {
            'votes.weighed': [
              { guard: 'nobodyVotes', target: 'quiet' },
              { guard: 'votesAreDivided', target: 'gathering' }
            ],
            'realignment.ended': 'coolingDown'
          }
        },
        coolingDown: {
          on: {
            'votes.weighed': [
              { guard: 'nobodyVotes', target: 'quiet' },
              { guard: 'votesAreDivided', target: 'gathering' }
            ]
          }
        }
      }
    },
    work: {
      initial: 'idle',
      states: {
        idle: { on: { 'realignment.wanted': { target: 'asking', actions: 'ask' } } },
        // A further crossing meanwhile needs no realignment of its own: the clusters are being asked already.
        asking: {
          on: {
            'consensus.found': { target: 'pulling', actions: 'pull' },
            'consensus.missed': END,
            'consensus.withdrawn': { actions: 'ask' }
          }
        },
        pulling: {
          on: {
            'realignment.wanted': 'outdated',
            'clusters.pulled': END,
            'consensus.withdrawn': { target: 'asking', actions: 'ask' }
          }
        },
        // Pulling to a consensus that a later crossing has outdated.
        outdated: {
          on: {
            'clusters.pulled': { target: 'asking', actions: 'ask' },
            'consensus.withdrawn': { target: 'asking', actions: 'ask' }
          }
        }
      }
    }
  }
})
