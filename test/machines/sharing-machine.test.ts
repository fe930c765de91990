import t from 'tap'
import { initialTransition, transition } from 'xstate'
import { type SharingEvent, sharingMachine } from '../../machines/sharing-machine.js'
import { holdToDescription } from '../support/random-walk.js'
import { walk } from './walk.js'

const counted = (members: number, factor = 0.5): SharingEvent => ({ type: 'members.counted', members, factor })
const asked = (hasAggregate: boolean, receivers: number): SharingEvent => ({ type: 'feedback.asked', hasAggregate, receivers })
const told = (left: number, others: number): SharingEvent => ({ type: 'members.told', left, others })
const withdrawn = (others: number): SharingEvent => ({ type: 'feedback.withdrawn', others })

const EVENTS = [
  counted(0),
  counted(0, 0),
  counted(2),
  counted(2, 0),
  asked(false, 2),
  asked(true, 0),
  asked(true, 2),
  told(1, 0),
  told(1, 1),
  told(0, 0),
  told(0, 1),
  withdrawn(0),
  withdrawn(1)
]

function after(...events: SharingEvent[]) {
  let [state, actions] = initialTransition(sharingMachine)
  for (const event of events) [state, actions] = transition(sharingMachine, state, event)
  return { ...state.value, tasks: actions.map(({ type }) => type).filter((type) => !type.startsWith('xstate.')) }
}

t.test('every state and every transition is reached', async (t) => {
  // The machine raises the last one itself, which a walk does not see.
  const { states, missed } = walk(sharingMachine, { events: [...EVENTS, { type: 'feedback.wanted' } as const] })
  t.same(states, ['coupling', 'coupling.alone', 'coupling.coupled', 'coupling.loose', 'feedback', 'feedback.resting', 'feedback.spreading'])
  t.same(missed, [])
})

t.test('a feedback goes to the members of a coupled cluster, until all have it', async (t) => {
  t.same(after(counted(2), asked(true, 2)), { coupling: 'coupled', feedback: 'spreading', tasks: ['spread'] })
  t.same(after(counted(2), asked(true, 2), told(1, 0)).tasks, ['spreadRest'])
  t.same(after(counted(2), asked(true, 2), told(0, 1)), { coupling: 'coupled', feedback: 'spreading', tasks: ['drop'] })
  t.same(after(counted(2), asked(true, 2), told(0, 0)), { coupling: 'coupled', feedback: 'resting', tasks: ['drop'] })
  t.same(after(counted(2, 0), asked(true, 2)), { coupling: 'loose', feedback: 'resting', tasks: [] }, 'of a loose one to nobody')
  t.same(after(counted(2), counted(0), asked(true, 2)).tasks, [], 'nor of one without members')
})

/** State of a cluster as its members see it: who is there, and whether anything is on its way. */
interface Place {
  readonly members: 'none' | 'free' | 'pulled'
  readonly isSpreading: boolean
}

const COUPLING = { none: 'alone', free: 'loose', pulled: 'coupled' } as const

t.test('along a long walk, it agrees with its description, and would not without any of its guards or actions', async (t) => {
  holdToDescription<typeof sharingMachine, Place>(t, sharingMachine, {
    start: { place: { members: 'none', isSpreading: false }, actions: [] },
    // The factor of a cluster never changes.
    draw: (chance, { members }) => {
      const event = chance.pick(EVENTS) ?? counted(0)
      if (event.type !== 'members.counted' || members === 'none') return event
      return { ...event, factor: members === 'free' ? 0 : 0.5 }
    },
    next(place, event) {
      const { members, isSpreading } = place
      switch (event.type) {
        case 'members.counted':
          return { place: { ...place, members: event.members === 0 ? 'none' : event.factor === 0 ? 'free' : 'pulled' }, actions: [] }
        case 'feedback.asked': {
          const isGiven = members === 'pulled' && event.hasAggregate && event.receivers > 0
          return { place: { ...place, isSpreading: isSpreading || isGiven }, actions: isGiven ? ['spread'] : [] }
        }
        case 'members.told':
          if (!isSpreading) return { place, actions: [] }
          if (event.left > 0) return { place, actions: ['spreadRest'] }
          return { place: { ...place, isSpreading: event.others > 0 }, actions: ['drop'] }
        case 'feedback.withdrawn':
          return { place: { ...place, isSpreading: isSpreading && event.others > 0 }, actions: [] }
        default:
          throw new Error('not drawn')
      }
    },
    valueOf: ({ members, isSpreading }) => ({ coupling: COUPLING[members], feedback: isSpreading ? 'spreading' : 'resting' })
  })
})
