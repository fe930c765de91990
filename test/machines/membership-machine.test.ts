import t from 'tap'
import { type EventFromLogic, initialTransition, transition } from 'xstate'
import { membershipMachine } from '../../machines/membership-machine.js'
import { holdToDescription } from '../support/random-walk.js'
import * as report from './walk.js'

type Event = EventFromLogic<typeof membershipMachine>

const listened = report.passed('membership', 'present.belonging.joining', 'listeningTime') as Event
const beaten = report.passed('membership', 'present.beating.resting', 'heartbeatInterval') as Event
const lost: Event = { type: 'network.lost' }
const found: Event = { type: 'network.found' }
const unfit: Event = { type: 'storage.lost' }
const fit: Event = { type: 'storage.found' }
const drain: Event = { type: 'node.drain' }
const leave: Event = { type: 'node.leave' }
const supersede: Event = { type: 'namesake.joined' }
const stay: Event = { type: 'namesake.stayed' }

const EVENTS = [listened, beaten, lost, found, unfit, fit, drain, leave, supersede, stay]

function after(...events: Event[]) {
  let [state, actions] = initialTransition(membershipMachine)
  for (const event of events) [state, actions] = transition(membershipMachine, state, event)
  const named = actions.filter(({ type }) => !type.startsWith('xstate.'))
  return {
    belonging: typeof state.value === 'string' ? state.value : state.value.present.belonging,
    actions: named.map(({ type, params }) => (type === 'announce' ? `announce ${(params as { state: string }).state}` : type))
  }
}

t.test('every state and every transition is reached', async (t) => {
  const { states, missed } = report.walk(membershipMachine, {
    events: EVENTS
  })
  t.strictSame(
    states.filter((path) => !path.startsWith('present.belonging.')),
    ['left', 'present', 'present.beating', 'present.beating.resting', 'present.belonging']
  )
  t.strictSame(
    states.filter((path) => path.startsWith('present.belonging.')),
    ['draining', 'isolated', 'joining', 'member', 'member.unfit', 'member.up', 'superseded'].map((state) => `present.belonging.${state}`)
  )
  t.strictSame(missed, [])
})

t.test('a newcomer takes an incarnation, says that it joins, and is up when it has listened', async (t) => {
  t.strictSame(after().actions, ['renew', 'announce joining'])
  t.strictSame(after(listened), { belonging: { member: 'up' }, actions: ['announce up'] })
  t.strictSame(after(beaten).actions, ['beat'])
})

t.test('a member whose storage is lost says that it is unfit, and up when it is found', async (t) => {
  t.strictSame(after(listened, unfit), { belonging: { member: 'unfit' }, actions: ['announce unfit'] })
  t.strictSame(after(listened, unfit, fit), { belonging: { member: 'up' }, actions: ['announce up'] })
  t.strictSame(after(unfit).belonging, 'joining', 'not before it is a member')
})

t.test('a member that is cut off gives up what it has before it says so, and comes back under a new incarnation', async (t) => {
  for (const events of [[listened], [listened, unfit], []]) {
    t.strictSame(after(...events, lost), { belonging: 'isolated', actions: ['reportIsolated', 'fence', 'announce isolated'] })
  }
  t.strictSame(after(listened, lost, found), { belonging: 'joining', actions: ['renew', 'announce joining'] })
  t.strictSame(after(listened, found).actions, [], 'that it hears itself, is nothing new to a member')
})

t.test('a node that drains is not cut off any more, and leaves', async (t) => {
  t.strictSame(after(listened, drain), { belonging: 'draining', actions: ['announce draining'] })
  t.strictSame(after(listened, drain, lost), { belonging: 'draining', actions: ['giveUpOthers'] })
  t.strictSame(after(listened, drain, leave), { belonging: 'left', actions: ['announce left'] })
})

t.test('a node whose name another process took gives up what it has, for good', async (t) => {
  t.strictSame(after(listened, supersede), { belonging: 'superseded', actions: ['reportSuperseded', 'fence', 'announce superseded'] })
  t.strictSame(after(listened, stay).belonging, 'superseded')
  t.strictSame(after(listened, supersede, lost, found, drain).belonging, 'superseded')
  t.strictSame(after(listened, supersede, supersede).actions, [], 'it is told once')
  t.strictSame(after(supersede, stay).belonging, 'joining', 'the process that begins is not the one to yield')
  t.strictSame(after(listened, supersede, leave), { belonging: 'left', actions: ['announce left'] })
})

/** Rare events, from which a node does not come back. */
const LAST = new Set<Event>([drain, leave, supersede, stay])

/** State of a node as the others see it. */
type Place = 'joining' | 'up' | 'unfit' | 'isolated' | 'draining' | 'superseded' | 'left'

t.test('along a long walk, it agrees with its description, and would not without any of its guards or actions', async (t) => {
  const said = (place: Place, ...before: string[]) => ({ place, actions: [...before, `announce ${place}`] })
  holdToDescription<typeof membershipMachine, Place>(t, membershipMachine, {
    start: said('joining', 'renew'),
    draw(chance) {
      const event = chance.pick(EVENTS) ?? beaten
      return LAST.has(event) && !chance.oneIn(10) ? beaten : event
    },
    next(place, event) {
      const isMember = place === 'up' || place === 'unfit'
      if (place === 'left') throw new Error('nothing comes after it')
      if (event === leave) return said('left')
      if (event === beaten) return { place, actions: ['beat'] }
      const yields = event === supersede ? isMember || place === 'isolated' || place === 'draining' : event === stay && isMember
      if (yields) return said('superseded', 'reportSuperseded', 'fence')
      if (event === drain && place !== 'draining' && place !== 'superseded') return said('draining')
      if (event === lost && place === 'draining') return { place, actions: ['giveUpOthers'] }
      if (event === lost && (isMember || place === 'joining')) return said('isolated', 'reportIsolated', 'fence')
      if (event === found && place === 'isolated') return said('joining', 'renew')
      if (event === listened && place === 'joining') return said('up')
      if (event === unfit && place === 'up') return said('unfit')
      if (event === fit && place === 'unfit') return said('up')
      return { place, actions: [] }
    },
    valueOf(place) {
      if (place === 'left') return place
      return { present: { beating: 'resting', belonging: place === 'up' || place === 'unfit' ? { member: place } : place } }
    }
  })
})
