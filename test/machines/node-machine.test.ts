import t from 'tap'
import { type EventFromLogic, initialTransition, transition } from 'xstate'
import { nodeMachine } from '../../machines/node-machine.js'
import { holdToDescription } from '../support/random-walk.js'
import * as report from './walk.js'

type Event = EventFromLogic<typeof nodeMachine>

const input = { sweepMs: 60_000 }
const started = report.done('node', 'starting') as Event
const joined = report.done('node', 'serving.running.belonging.joining') as Event
const unjoined = report.failed('node', 'serving.running.belonging.joining', new Error('No broker')) as Event
const lost: Event = { type: 'xstate.error.actor.membership', error: new TypeError('Bug'), actorId: 'membership' }
const refused = report.failed('node', 'starting', new Error('No database')) as Event
const passivated = report.done('node', 'serving.passivating') as Event
const stuck = report.failed('node', 'serving.passivating', new Error('No database')) as Event
const swept = report.passed('node', 'serving.running.sweeping.resting', 'sweepInterval') as Event
const ticked = report.passed('node', 'serving.running.ticking.resting', 'tickInterval') as Event
const limit = report.passed('node', 'serving.draining', 'drainLimit') as Event
const ended: Event = { type: 'xstate.done.actor.session', output: {}, actorId: 'session' }
const crashed: Event = { type: 'xstate.error.actor.session', error: new TypeError('Bug'), actorId: 'session' }
const drain: Event = { type: 'node.drain', limitMs: 25_000 }
const finish: Event = { type: 'work.finish' }
const failure = (atMs: number): Event => ({ type: 'failure.note', supervisorId: 'session', atMs })

function after(...events: Event[]) {
  let [state, actions] = initialTransition(nodeMachine, input)
  for (const event of events) [state, actions] = transition(nodeMachine, state, event)
  return { state, actions: actions.map(({ type }) => type).filter((type) => !type.startsWith('xstate.')) }
}

t.test('every state and every transition is reached', async (t) => {
  const events = [
    started,
    joined,
    unjoined,
    lost,
    refused,
    passivated,
    stuck,
    swept,
    ticked,
    limit,
    ended,
    crashed,
    drain,
    finish,
    failure(0)
  ]
  const { states, missed } = report.walk(nodeMachine, { events, input })
  t.same(states, [
    'failed',
    'serving',
    'serving.draining',
    'serving.passivating',
    'serving.running',
    'serving.running.belonging',
    'serving.running.belonging.joined',
    'serving.running.belonging.joining',
    'serving.running.sweeping',
    'serving.running.sweeping.resting',
    'serving.running.ticking',
    'serving.running.ticking.resting',
    'starting',
    'stopped'
  ])
  t.same(missed, [])
})

t.test('a node that can work starts its supervisors before it opens its doors', async (t) => {
  t.same(after(started).actions, ['startSupervisors', 'openDoors'])
  t.equal(after(refused).state.value, 'failed')
})

t.test('a node with open doors joins the others, and fails when it cannot, or loses its membership later', async (t) => {
  t.match(after(started, joined).state.value, { serving: { running: { belonging: 'joined' } } })
  for (const events of [[unjoined], [lost], [joined, lost]]) {
    const { state, actions } = after(started, ...events)
    t.equal(state.value, 'failed')
    t.same(actions, ['closeDoors', 'stopSupervisors', 'leaveNodes', 'reportFailure'])
  }
})

t.test('a drain closes the doors, awaits the work, passivates and stops', async (t) => {
  t.same(after(started, drain).actions, ['closeDoors', 'awaitWork'])
  t.same(after(started, drain, finish).state.value, { serving: 'passivating' })
  t.same(after(started, drain, limit).state.value, { serving: 'passivating' })
  const { state, actions } = after(started, drain, finish, passivated)
  t.equal(state.value, 'stopped')
  t.same(actions, ['stopSupervisors', 'leaveNodes'])
  t.equal(after(drain).state.value, 'stopped', 'before the start as well')
})

t.test('a supervisor that ended is reported and started anew; the third time within 60 s is one too many', async (t) => {
  t.same(after(started, ended).actions, ['reportSupervisorEnd'])
  t.same(after(started, crashed).actions, ['reportSupervisorEnd'])
  t.same(after(started, failure(0)).actions, ['restartSupervisor'])
  t.same(after(started, failure(0), failure(30_000), failure(59_999)).state.value, 'failed')
  t.not(after(started, failure(0), failure(30_000), failure(60_000)).state.value, 'failed')
})

t.test('what is due is looked for at each tick, the storage is swept in its interval', async (t) => {
  t.same(after(started, ticked).actions, ['tick'])
  t.same(after(started, ticked, ticked).actions, ['tick'])
  t.same(after(started, swept).actions, ['sweepStorage'])
  t.same(after(started, swept, swept).actions, ['sweepStorage'])
})

const ANYWHERE = [swept, ticked, ended, crashed, finish, lost, drain, limit]
const SELDOM = new Set<Event>([refused, stuck, unjoined, lost, drain, limit])

/** State of a node as its operator sees it. */
interface Place {
  readonly phase: 'starting' | 'running' | 'draining' | 'passivating' | 'stopped' | 'failed'
  readonly hasJoined: boolean
  readonly nowMs: number
  /** Times at which supervisors ended. */
  readonly failedAtMs: readonly number[]
}

const MINUTE_MS = 60_000

t.test('along a long walk, it agrees with its description, and would not without any of its guards or actions', async (t) => {
  holdToDescription<typeof nodeMachine, Place>(t, nodeMachine, {
    input,
    start: { place: { phase: 'starting', hasJoined: false, nowMs: 0, failedAtMs: [] }, actions: ['run startup'] },
    draw(chance, { phase, hasJoined, nowMs }) {
      if (chance.oneIn(6)) return failure(nowMs + (chance.pick([1_000, 20_000, 30_000, MINUTE_MS]) ?? 0))
      // Effects report while they run.
      const reports =
        phase === 'starting'
          ? [started, refused]
          : phase === 'passivating'
            ? [passivated, stuck]
            : phase === 'running' && !hasJoined
              ? [joined, unjoined]
              : []
      const event = chance.pick([...ANYWHERE, ...reports]) ?? drain
      return SELDOM.has(event) && !chance.oneIn(6) ? ticked : event
    },
    next(place, event) {
      const { phase } = place
      const isServing = phase === 'running' || phase === 'draining' || phase === 'passivating'
      const stay = (...actions: string[]) => ({ place, actions })
      const to = (next: Place['phase'], ...actions: string[]) => ({ place: { ...place, phase: next }, actions })
      const end = (next: 'stopped' | 'failed', ...actions: string[]) =>
        to(next, ...(phase === 'running' ? ['closeDoors'] : []), ...(isServing ? ['stopSupervisors', 'leaveNodes'] : []), ...actions)
      if (phase === 'starting') {
        if (event === started) return to('running', 'startSupervisors', 'openDoors', 'run joining')
        if (event === refused) return end('failed', 'reportFailure')
        return event === drain ? end('stopped') : stay()
      }
      if (event.type === 'failure.note' && 'atMs' in event) {
        const failedAtMs = [...place.failedAtMs, event.atMs].filter((atMs) => atMs > event.atMs - MINUTE_MS)
        const next = { ...place, nowMs: event.atMs, failedAtMs }
        return failedAtMs.length >= 3
          ? { ...end('failed'), place: { ...next, phase: 'failed' } }
          : { place: next, actions: ['restartSupervisor session'] }
      }
      if (event === lost) return end('failed', 'reportFailure')
      if (event === ended || event === crashed) return stay('reportSupervisorEnd session')
      if (phase === 'running') {
        if (event === joined) return { place: { ...place, hasJoined: true }, actions: [] }
        if (event === unjoined) return end('failed', 'reportFailure')
        if (event === ticked) return stay('tick')
        if (event === swept) return stay('sweepStorage')
        return event === drain ? to('draining', 'closeDoors', 'awaitWork') : stay()
      }
      if (phase === 'draining') return event === finish || event === limit ? to('passivating', 'run passivation') : stay()
      if (event === passivated) return end('stopped')
      return event === stuck ? end('failed', 'reportFailure') : stay()
    },
    valueOf({ phase, hasJoined }) {
      if (phase === 'running')
        return { serving: { running: { belonging: hasJoined ? 'joined' : 'joining', ticking: 'resting', sweeping: 'resting' } } }
      return phase === 'draining' || phase === 'passivating' ? { serving: phase } : phase
    }
  })
})
