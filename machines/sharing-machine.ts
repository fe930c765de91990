/**
 * Chart of a cluster, with two parallel regions: its coupling, which tells whether there are members to pull, and its feedback to the
 * members. The actions are tasks for the step that sent the event.
 */
import { raise, setup } from 'xstate'
import { MICROSTEPS_MAX, task } from './setup-parts.js'

export type SharingEvent =
  /** A member was added or removed. `factor`: coupling factor of the cluster, 0..1, which never changes. */
  | { readonly type: 'members.counted'; readonly members: number; readonly factor: number }
  /** The members' states were gathered: whether there is an aggregate, and the number of members that may be given it. */
  | { readonly type: 'feedback.asked'; readonly hasAggregate: boolean; readonly receivers: number }
  /** Members were told of a feedback. `left`: members that still lack it; `others`: other pending feedbacks. */
  | { readonly type: 'members.told'; readonly left: number; readonly others: number }
  /** A feedback must not be passed on. `others`: other pending feedbacks. */
  | { readonly type: 'feedback.withdrawn'; readonly others: number }

/** Signal between the two parallel regions of the chart. */
type SharingSignal = { readonly type: 'feedback.wanted' }

/** Tasks for a step: `spread` a feedback to all receivers; `spreadRest` to those that lack it; `drop` one that all have. */
export type SharingTask = 'spread' | 'spreadRest' | 'drop'

/** Has no context: the state is all the data there is. */
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
