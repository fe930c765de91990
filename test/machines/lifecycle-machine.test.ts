import t from 'tap'
import { initialTransition, transition, type EventFromLogic, type SnapshotFrom } from 'xstate'
import { lifecycleMachine } from '../../machines/lifecycle-machine.js'
import { DomainError } from '../../src/domain/errors.js'
import * as report from './walk.js'

type Event = EventFromLogic<typeof lifecycleMachine>
type State = SnapshotFrom<typeof lifecycleMachine>

const input = { cell: {} }
const job = {}
const FENCED = new DomainError('fenced', 'Another writer')
const LOST = new DomainError('storage_unavailable', 'Gone')

const COMMANDS: Event[] = [
  { type: 'actor.activate' },
  { type: 'step.run', job },
  { type: 'changes.commit' },
  { type: 'record.remove' },
  { type: 'actor.passivate' },
  { type: 'actor.fence' }
]

/** What the invoked effects report. */
const REPORTS = [
  done('activating', true),
  done('activating', false),
  failed('activating', FENCED),
  failed('activating', LOST),
  done('active.committing'),
  failed('active.committing', FENCED),
  failed('active.committing', LOST),
  done('passivating'),
  failed('passivating', LOST),
  done('deleting'),
  failed('deleting', FENCED),
  failed('deleting', LOST)
]

function done(state: string, output?: unknown): Event {
  return report.done('lifecycle', state, output) as Event
}

function failed(state: string, error: unknown): Event {
  return report.failed('lifecycle', state, error) as Event
}

/** The state after the events, and the actions that the last one asked for. */
function after(...events: Event[]): { state: State; actions: string[] } {
  let [state, actions] = initialTransition(lifecycleMachine, input)
  for (const event of events) [state, actions] = transition(lifecycleMachine, state, event)
  return { state, actions: actions.map(({ type }) => type).filter((type) => !isBuiltIn(type)) }
}

/** XState's own actions; starting an effect is the one that matters. */
function isBuiltIn(type: string): boolean {
  return type.startsWith('xstate.') && type !== 'xstate.spawnChild'
}

const ACTIVE = [{ type: 'actor.activate' }, done('activating', true)] as Event[]
const COMMITTING = [...ACTIVE, { type: 'changes.commit' }] as Event[]

t.test('every state and every transition, is reached', async (t) => {
  const { states, missed } = report.walk(lifecycleMachine, { events: [...COMMANDS, ...REPORTS], input })
  t.same(states, [
    'absent',
    'activating',
    'active',
    'active.committing',
    'active.settled',
    'deleted',
    'deleting',
    'evicted',
    'failed',
    'fenced',
    'missing',
    'passivating'
  ])
  t.same(missed, [])
})

t.test('an actor whose record is there, opens its mailbox', async (t) => {
  const { state, actions } = after(...ACTIVE)
  t.same(state.value, { active: 'settled' })
  t.same(actions, ['openMailbox'])
})

t.test('an actor without a record, ends as missed', async (t) => {
  const { state } = after({ type: 'actor.activate' }, done('activating', false))
  t.equal(state.status, 'done')
  t.same(state.output, { type: 'actor.missed' })
})

t.test('an activation that fails, ends the actor with its reason', async (t) => {
  t.same(after({ type: 'actor.activate' }, failed('activating', FENCED)).state.output, { type: 'actor.fenced' })
  t.same(after({ type: 'actor.activate' }, failed('activating', LOST)).state.output, { type: 'actor.failed', error: LOST })
})

t.test('a step, runs while settled and while committing, and nowhere else', async (t) => {
  const run: Event = { type: 'step.run', job }
  t.same(after(...ACTIVE, run).actions, ['runStep'])
  t.same(after(...COMMITTING, run).actions, ['runStep'])
  t.same(after(run).actions, [])
  t.same(after(...ACTIVE, { type: 'actor.passivate' }, run).actions, [])
  t.same(after(...ACTIVE, { type: 'record.remove' }, run).actions, [])
})

t.test('changes that come during a commit, get the next one as soon as it is done', async (t) => {
  const first = after(...COMMITTING, done('active.committing'))
  t.same(first.state.value, { active: 'settled' })
  t.same(first.actions.includes('releaseReplies'), true)
  const second = after(...COMMITTING, { type: 'changes.commit' }, done('active.committing'))
  t.same(second.state.value, { active: 'committing' })
  t.same(second.actions, ['releaseReplies', 'xstate.spawnChild'])
  const third = after(...COMMITTING, { type: 'changes.commit' }, done('active.committing'), done('active.committing'))
  t.same(third.state.value, { active: 'settled' })
})

t.test('a removal that comes during a commit, follows it and swallows further changes', async (t) => {
  const { state } = after(...COMMITTING, { type: 'record.remove' }, { type: 'changes.commit' }, done('active.committing'))
  t.same(state.value, 'deleting')
  t.same(after(...COMMITTING, { type: 'record.remove' }).actions, ['closeMailbox'])
})

t.test('a passivation, waits for what must be written first', async (t) => {
  const passivate: Event = { type: 'actor.passivate' }
  t.same(after(...COMMITTING, passivate).state.value, { active: 'committing' })
  t.same(after(...COMMITTING, passivate, done('active.committing')).state.value, 'passivating')
  t.same(after(...COMMITTING, passivate, { type: 'changes.commit' }, done('active.committing')).state.value, { active: 'committing' })
  t.same(after({ type: 'actor.activate' }, passivate, done('activating', true)).state.value, 'passivating')
  t.same(after(passivate).state.output, { type: 'actor.evicted' })
})

t.test('a commit that fails, ends the actor without letting a reply go', async (t) => {
  const fenced = after(...COMMITTING, failed('active.committing', FENCED))
  t.same(fenced.state.output, { type: 'actor.fenced' })
  t.same(fenced.actions.includes('releaseReplies'), false)
  const lost = after(...COMMITTING, failed('active.committing', LOST))
  t.same(lost.state.output, { type: 'actor.failed', error: LOST })
  t.same(lost.actions.includes('releaseReplies'), false)
})

t.test('a removal, ends the actor as deleted once it is durable', async (t) => {
  const { state, actions } = after(...ACTIVE, { type: 'record.remove' }, done('deleting'))
  t.same(state.output, { type: 'actor.deleted' })
  t.same(actions.includes('releaseReplies'), true)
})

t.test('a release that fails, evicts all the same and is reported', async (t) => {
  const { state, actions } = after(...ACTIVE, { type: 'actor.passivate' }, failed('passivating', LOST))
  t.same(state.output, { type: 'actor.evicted' })
  t.same(actions.includes('reportReleaseFailure'), true)
})

t.test('a fence, ends the actor from every state', async (t) => {
  const fence: Event = { type: 'actor.fence' }
  const before: Event[][] = [
    [],
    [{ type: 'actor.activate' }],
    ACTIVE,
    COMMITTING,
    [...ACTIVE, { type: 'actor.passivate' }],
    [...ACTIVE, { type: 'record.remove' }]
  ]
  for (const events of before) t.same(after(...events, fence).state.output, { type: 'actor.fenced' })
})
