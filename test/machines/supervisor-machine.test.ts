import t from 'tap'
import { initialTransition, transition, type EventFromLogic } from 'xstate'
import { SUPERVISOR_INTENSITY, supervisorMachine } from '../../machines/supervisor-machine.js'
import { walk } from './walk.js'

type Event = EventFromLogic<typeof supervisorMachine>

const failure = (atMs: number): Event => ({ type: 'failure.note', atMs })
const ended: Event = { type: 'xstate.done.actor.7', output: { type: 'actor.evicted' }, actorId: '7' }
const crashed: Event = { type: 'xstate.error.actor.7', error: new TypeError('Poison'), actorId: '7' }
const stop: Event = { type: 'supervisor.stop' }

function after(...events: Event[]) {
  let [state, actions] = initialTransition(supervisorMachine)
  for (const event of events) [state, actions] = transition(supervisorMachine, state, event)
  return { state, actions: actions.filter(({ type }) => !type.startsWith('xstate.')).map(({ type, params }) => ({ type, params })) }
}

t.test('every state and every transition, is reached', async (t) => {
  const { states, missed } = walk(supervisorMachine, { events: [failure(0), ended, crashed, stop] })
  t.same(states, ['overwhelmed', 'running', 'stopped'])
  t.same(missed, [])
})

t.test('an actor that ends or fails, is retired and the supervisor goes on', async (t) => {
  t.same(after(ended).actions, [{ type: 'retire', params: { actorId: '7', ending: { type: 'actor.evicted' } } }])
  const { state, actions } = after(crashed)
  t.equal(state.value, 'running')
  t.match(actions, [{ type: 'retire', params: { actorId: '7', ending: { type: 'actor.failed', error: TypeError } } }])
})

t.test('failures, as many as the intensity names within its window, overwhelm the supervisor', async (t) => {
  const { failuresMax, windowMs } = SUPERVISOR_INTENSITY
  const dense = Array.from({ length: failuresMax }, (_, n) => failure(n * 1_000))
  t.equal(after(...dense.slice(1)).state.value, 'running')
  const { state, actions } = after(...dense)
  t.equal(state.value, 'overwhelmed')
  t.same(state.output, { type: 'supervisor.overwhelmed' })
  t.same(actions.map(({ type }) => type), ['abandon'])
  const sparse = Array.from({ length: 100 }, (_, n) => failure(n * Math.ceil(windowMs / (failuresMax - 1))))
  t.equal(after(...sparse).state.value, 'running')
})

t.test('a stop, ends the supervisor and its actors', async (t) => {
  const { state, actions } = after(stop)
  t.same(state.output, { type: 'supervisor.stopped' })
  t.same(actions.map(({ type }) => type), ['abandon'])
})
