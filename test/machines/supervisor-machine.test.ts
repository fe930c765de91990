import t from 'tap'
import { type EventFromLogic, initialTransition, transition } from 'xstate'
import { SUPERVISOR_INTENSITY, supervisorMachine } from '../../machines/supervisor-machine.js'
import { holdToDescription } from '../support/random-walk.js'
import * as report from './walk.js'

type Event = EventFromLogic<typeof supervisorMachine>

const failure = (atMs: number): Event => ({ type: 'failure.note', atMs })
const ended: Event = { type: 'xstate.done.actor.7', output: { type: 'actor.evicted' }, actorId: '7' }
const crashed: Event = { type: 'xstate.error.actor.7', error: new TypeError('Poison'), actorId: '7' }
const stop: Event = { type: 'supervisor.stop' }
const over: Event = { type: 'cap.exceed' }
const within: Event = { type: 'cap.keep' }
const share: Event = { type: 'share.exceed', subject: 'ann' }
const due = report.passed('supervisor', 'running.sweeping.resting', 'sweepInterval') as Event
const quiet = report.passed('supervisor', 'running.restarting.alarmed', 'failureWindow') as Event
const swept = report.done('supervisor', 'running.sweeping.sweeping') as Event
const stuck = report.failed('supervisor', 'running.sweeping.sweeping', new Error('Gone')) as Event

const input = { sweepMs: 60_000 }
const CALM = { restarting: 'calm', sweeping: 'resting', trimming: 'resting' }

function after(...events: Event[]) {
  let [state, actions] = initialTransition(supervisorMachine, input)
  for (const event of events) [state, actions] = transition(supervisorMachine, state, event)
  return { state, actions: actions.filter(({ type }) => !type.startsWith('xstate.')).map(({ type, params }) => ({ type, params })) }
}

t.test('every state and every transition is reached', async (t) => {
  const { states, missed } = report.walk(supervisorMachine, {
    events: [failure(0), ended, crashed, stop, over, within, share, due, quiet, swept, stuck],
    input
  })
  t.same(states, [
    'overwhelmed',
    'running',
    'running.restarting',
    'running.restarting.alarmed',
    'running.restarting.calm',
    'running.sweeping',
    'running.sweeping.resting',
    'running.sweeping.sweeping',
    'running.trimming',
    'running.trimming.resting',
    'running.trimming.trimming',
    'stopped'
  ])
  t.same(missed, [])
})

t.test('an actor that ends or fails is retired and the supervisor goes on', async (t) => {
  t.same(after(ended).actions, [{ type: 'retire', params: { actorId: '7', ending: { type: 'actor.evicted' } } }])
  const { state, actions } = after(crashed)
  t.same(state.value, { running: CALM })
  t.match(actions, [{ type: 'retire', params: { actorId: '7', ending: { type: 'actor.failed', error: TypeError } } }])
})

t.test('as many failures as the intensity names within its window overwhelm the supervisor', async (t) => {
  const { failuresMax, windowMs } = SUPERVISOR_INTENSITY
  const dense = Array.from({ length: failuresMax }, (_, n) => failure(n * 1_000))
  t.match(after(...dense.slice(1)).state.value, { running: { restarting: 'alarmed' } })
  const { state, actions } = after(...dense)
  t.equal(state.value, 'overwhelmed')
  t.same(state.output, { type: 'supervisor.overwhelmed' })
  t.same(
    actions.map(({ type }) => type),
    ['abandon']
  )
  const sparse = Array.from({ length: 100 }, (_, n) => failure(n * Math.ceil(windowMs / (failuresMax - 1))))
  t.match(after(...sparse).state.value, { running: { restarting: 'alarmed' } })
  t.same(after(failure(0), quiet).state.value, { running: CALM })
})

t.test('a stop ends the supervisor and its actors', async (t) => {
  const { state, actions } = after(stop)
  t.same(state.output, { type: 'supervisor.stopped' })
  t.same(
    actions.map(({ type }) => type),
    ['abandon']
  )
})

t.test('idle actors are swept in their interval, one sweep at a time', async (t) => {
  t.match(after(due).state.value, { running: { sweeping: 'sweeping' } })
  t.match(after(due, due).state.value, { running: { sweeping: 'sweeping' } })
  t.match(after(due, swept).state.value, { running: { sweeping: 'resting' } })
  const { state, actions } = after(due, stuck)
  t.match(state.value, { running: { sweeping: 'resting' } })
  t.same(
    actions.map(({ type }) => type),
    ['reportSweepFailure']
  )
})

t.test('actors over the cap are trimmed until there are no more than it allows', async (t) => {
  const { state, actions } = after(over)
  t.match(state.value, { running: { trimming: 'trimming' } })
  t.same(
    actions.map(({ type }) => type),
    ['trim']
  )
  t.same(
    after(over, over).actions.map(({ type }) => type),
    ['trim'],
    'again with each that comes'
  )
  t.match(after(over, within).state.value, { running: { trimming: 'resting' } })
  t.match(after(over, due).state.value, { running: { trimming: 'trimming', sweeping: 'sweeping' } }, 'and are swept meanwhile')
  t.same(after(share).actions, [{ type: 'trimSubject', params: { subject: 'ann' } }])
})

/** State of a supervisor as its node sees it. */
interface Place {
  readonly ending: 'overwhelmed' | 'stopped' | null
  readonly nowMs: number
  readonly failedAtMs: readonly number[]
  readonly isAlarmed: boolean
  readonly isSweeping: boolean
  readonly isOverCap: boolean
}

const OFTEN = [ended, crashed, over, within, share, due]

t.test('along a long walk, it agrees with its description, and would not without any of its guards or actions', async (t) => {
  holdToDescription<typeof supervisorMachine, Place>(t, supervisorMachine, {
    input,
    start: { place: { ending: null, nowMs: 0, failedAtMs: [], isAlarmed: false, isSweeping: false, isOverCap: false }, actions: ['adopt'] },
    draw(chance, { isSweeping, nowMs }) {
      if (chance.oneIn(3)) return failure(nowMs + (chance.pick([0, 500, 1_000, 5_000]) ?? 0))
      if (chance.oneIn(40)) return chance.oneIn(2) ? stop : quiet
      // A sweep reports while it runs.
      return chance.pick(isSweeping ? [...OFTEN, swept, stuck] : OFTEN) ?? due
    },
    next(place, event) {
      const stay = (...actions: string[]) => ({ place, actions })
      if (event.type === 'failure.note' && 'atMs' in event) {
        const failedAtMs = [...place.failedAtMs, event.atMs].filter((atMs) => atMs > event.atMs - 30_000)
        const next = { ...place, nowMs: event.atMs, failedAtMs, isAlarmed: true }
        // The first failure after a calm time is never one too many.
        return place.isAlarmed && failedAtMs.length >= 20
          ? { place: { ...next, ending: 'overwhelmed' }, actions: ['abandon'] }
          : { place: next, actions: [] }
      }
      switch (event) {
        case stop:
          return { place: { ...place, ending: 'stopped' }, actions: ['abandon'] }
        case quiet:
          return { place: { ...place, isAlarmed: false }, actions: [] }
        case over:
          return { place: { ...place, isOverCap: true }, actions: ['trim'] }
        case within:
          return { place: { ...place, isOverCap: false }, actions: [] }
        case due:
          return place.isSweeping ? stay() : { place: { ...place, isSweeping: true }, actions: ['run sweep'] }
        case swept:
        case stuck:
          return { place: { ...place, isSweeping: false }, actions: event === stuck ? ['reportSweepFailure'] : [] }
        case share:
          return stay('trimSubject ann')
        default:
          return stay('retire 7')
      }
    },
    valueOf({ ending, isAlarmed, isSweeping, isOverCap }) {
      if (ending !== null) return ending
      return {
        running: {
          restarting: isAlarmed ? 'alarmed' : 'calm',
          sweeping: isSweeping ? 'sweeping' : 'resting',
          trimming: isOverCap ? 'trimming' : 'resting'
        }
      }
    },
    outputOf: ({ ending }) => ({ type: `supervisor.${String(ending)}` })
  })
})
