/**
 * How a cluster shares: its coupling, which says whether there is anybody to pull, and its feedback on the way to the members. The actions
 * are tasks for the step that told the event.
 */
import { raise, setup } from 'xstate'

/** More microsteps than this in one transition are an endless loop; the longest real one takes two. */
const MICROSTEPS_MAX = 5

export type SharingEvent =
  /** Somebody came or went. `factor`: the cluster's coupling, 0..1, which never changes. */
  | { readonly type: 'members.counted'; readonly members: number; readonly factor: number }
  /** The members were asked for what they have in common: whether there is anything, and to how many it may be given. */
  | { readonly type: 'feedback.asked'; readonly hasAggregate: boolean; readonly receivers: number }
  /** Members that still lack this feedback, and further feedbacks that are on their way. */
  | { readonly type: 'members.told'; readonly left: number; readonly others: number }
  /** A feedback must not be passed on any further; `others` are still on their way. */
  | { readonly type: 'feedback.withdrawn'; readonly others: number }

/** What one region tells the other. */
type SharingSignal = { readonly type: 'feedback.wanted' }

/** What a step may be asked to do: `spread` a feedback to everybody; `spreadRest` to those that lack it; `drop` one that all have. */
export type SharingTask = 'spread' | 'spreadRest' | 'drop'

const task = (): void => undefined

/** No context: where it is says all it knows. */
export const sharingMachine = setup({
  types: { events: {} as SharingEvent | SharingSignal },
  guards: {
    membersArePulled: ({ event }) => event.type === 'members.counted' && event.members > 0 && event.factor > 0,
    membersAreFree: ({ event }) => event.type === 'members.counted' && event.members > 0 && event.factor === 0,
    nobodyIsMember: ({ event }) => event.type === 'members.counted' && event.members === 0,
    aggregateHasReceivers: ({ event }) => event.type === 'feedback.asked' && event.hasAggregate && event.receivers > 0,
    somebodyLacksIt: ({ event }) => event.type === 'members.told' && event.left > 0,
    itIsTheLast: ({ event }) => (event.type === 'members.told' || event.type === 'feedback.withdrawn') && event.others === 0
  },
  actions: { wantFeedback: raise({ type: 'feedback.wanted' }), spread: task, spreadRest: task, drop: task }
}).createMachine({
  id: 'sharing',
  options: { maxIterations: MICROSTEPS_MAX },
  type: 'parallel',
  states: {
    coupling: {
      initial: 'alone',
      states: {
        alone: {
          on: {
            'members.counted': [
              { guard: 'membersArePulled', target: 'coupled' },
              { guard: 'membersAreFree', target: 'loose' }
            ]
          }
        },
        loose: { on: { 'members.counted': { guard: 'nobodyIsMember', target: 'alone' } } },
        coupled: {
          on: {
            'members.counted': { guard: 'nobodyIsMember', target: 'alone' },
            'feedback.asked': { guard: 'aggregateHasReceivers', actions: 'wantFeedback' }
          }
        }
      }
    },
    feedback: {
      initial: 'resting',
      states: {
        resting: { on: { 'feedback.wanted': { target: 'spreading', actions: 'spread' } } },
        spreading: {
          on: {
            'feedback.wanted': { actions: 'spread' },
            'members.told': [
              { guard: 'somebodyLacksIt', actions: 'spreadRest' },
              { guard: 'itIsTheLast', target: 'resting', actions: 'drop' },
              { actions: 'drop' }
            ],
            'feedback.withdrawn': { guard: 'itIsTheLast', target: 'resting' }
          }
        }
      }
    }
  }
})
