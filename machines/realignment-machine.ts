/**
 * What a region makes of its clusters' drifts: how far their votes have come, and beside it what the realignment under way is at. The two
 * are apart because votes go on while clusters are pulled. The actions are tasks for the step that told the event.
 */
import { raise, setup } from 'xstate'
import { isConsensus } from '../src/domain/coordination/votes.js'

/** More microsteps than this in one transition are an endless loop; the longest real one takes two. */
const MICROSTEPS_MAX = 5

/** What has happened to the votes, or to the realignment under way. */
export type RealignmentEvent =
  | {
      readonly type: 'votes.weighed'
      /** 0..1 */
      readonly fraction: number
      /** Above 0, at most 1. */
      readonly threshold: number
      /** False: only time, or who is attached, has changed. That may end a consensus, and never makes one. */
      readonly isByVote: boolean
    }
  /** The clusters were asked, and there is a vector to pull to. */
  | { readonly type: 'consensus.found' }
  /** The clusters were asked, and none of them has a direction. */
  | { readonly type: 'consensus.missed' }
  /** What was found, or asked for, must not be used: it may hold what has been erased. */
  | { readonly type: 'consensus.withdrawn' }
  /** Everyone was pulled. */
  | { readonly type: 'clusters.pulled' }

/** What one region tells the other. */
type RealignmentSignal = { readonly type: 'realignment.wanted' } | { readonly type: 'realignment.ended' }

/**
 * What a step may be asked to do: `count` a realignment; `ask` the clusters for a consensus; `pull` everyone to the one that was found;
 * `finish`.
 */
export type RealignmentTask = 'count' | 'ask' | 'pull' | 'finish'

const task = (): void => undefined

const END = { target: 'idle', actions: ['finish', 'endRealignment'] } as const

const CROSSING = { guard: 'votesAreConsensus', target: 'realigning', actions: ['count', 'wantRealignment'] } as const

/** No context: where it is says all it knows. */
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
        // Votes beyond the threshold have started a realignment, and start no other until they have fallen below it again.
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
        // What the clusters say is no older than a crossing that comes meanwhile, so it serves that one too.
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
        // Pulling to a consensus that a later crossing has overtaken.
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
