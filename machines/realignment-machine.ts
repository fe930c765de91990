/**
 * When a region realigns, and how far it has come with it. Two questions side by side: whether its clusters' votes are a
 * consensus, which asks for a realignment once a crossing, and what the realignment under way is at.
 */
import { raise, setup, transition } from 'xstate'
import { isConsensus } from '../src/domain/votes.js'

/** What has happened to the votes, or to the realignment under way. */
export type RealignmentCommand =
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

type RealignmentSignal = RealignmentCommand | { readonly type: 'realignment.wanted' }

/** No context: where it is says all it knows. */
export const realignmentMachine = setup({
  types: { events: {} as RealignmentSignal },
  guards: {
    votesAreConsensus: ({ event }) => event.type === 'votes.weighed' && event.isByVote && isConsensus(event.fraction, event.threshold),
    votesAreDivided: ({ event }) => event.type === 'votes.weighed' && !isConsensus(event.fraction, event.threshold),
  },
  actions: {
    wantRealignment: raise({ type: 'realignment.wanted' }),
    // Decisions only: the region's step looks at which were asked for, and does them.
    count: () => undefined,
    gather: () => undefined,
    pull: () => undefined,
  },
}).createMachine({
  id: 'realignment',
  type: 'parallel',
  states: {
    votes: {
      initial: 'divided',
      states: {
        divided: { on: { 'votes.weighed': { guard: 'votesAreConsensus', target: 'agreed', actions: ['count', 'wantRealignment'] } } },
        agreed: { on: { 'votes.weighed': { guard: 'votesAreDivided', target: 'divided' } } },
      },
    },
    work: {
      initial: 'idle',
      states: {
        idle: { on: { 'realignment.wanted': { target: 'gathering', actions: 'gather' } } },
        // What is gathered is no older than a crossing that comes meanwhile, so it serves that one too.
        gathering: {
          on: {
            'consensus.found': { target: 'pulling', actions: 'pull' },
            'consensus.missed': 'idle',
            'consensus.withdrawn': { target: 'gathering', actions: 'gather' },
          },
        },
        pulling: {
          on: {
            'realignment.wanted': 'outdated',
            'clusters.pulled': 'idle',
            'consensus.withdrawn': { target: 'gathering', actions: 'gather' },
          },
        },
        // Pulling to a consensus that a later crossing has overtaken.
        outdated: {
          on: {
            'clusters.pulled': { target: 'gathering', actions: 'gather' },
            'consensus.withdrawn': { target: 'gathering', actions: 'gather' },
          },
        },
      },
    },
  },
})

/** Where a region is, as it is stored. */
export interface RealignmentProgress {
  readonly votes: 'divided' | 'agreed'
  readonly work: 'idle' | 'gathering' | 'pulling' | 'outdated'
}

/** Where a command leads, and what has to be done for it. */
export interface RealignmentDecision {
  readonly progress: RealignmentProgress
  /** `count` a realignment; `gather` a consensus; `pull` everyone to the one that was found. */
  readonly tasks: readonly ('count' | 'gather' | 'pull')[]
}

/** Of a region without any vote. */
export const REALIGNMENT_START: RealignmentProgress = { votes: 'divided', work: 'idle' }

const TASKS = ['count', 'gather', 'pull'] as const

/** What one command leads to, from any stored progress. Pure. */
export function nextRealignment(progress: RealignmentProgress, command: RealignmentCommand): RealignmentDecision {
  const [next, actions] = transition(realignmentMachine, realignmentMachine.resolveState({ value: { ...progress } }), command)
  const asked = new Set(actions.map(({ type }) => type))
  return { progress: next.value, tasks: TASKS.filter((task) => asked.has(task)) }
}
