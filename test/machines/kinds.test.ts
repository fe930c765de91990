import t from 'tap'
import { initialTransition, type SnapshotFrom, transition } from 'xstate'
import { kindMachines } from '../../machines/kinds.js'
import { holdToDescription } from '../support/random-walk.js'
import { BACK, BUG, done, type Event, eventsOf, failed, FENCED, LOST, REVIVE } from './lifecycle-events.js'
import { type Life, lifecycleWalk } from './lifecycle-model.js'
import { walk } from './walk.js'

const kinds = Object.entries(kindMachines)

type State = SnapshotFrom<typeof kindMachines.session>

const input = { activation: {} }

/** The state after the events, and the actions of the last one. */
function after(...events: Event[]): { state: State; actions: string[] } {
  let [state, actions] = initialTransition(kindMachines.session, input)
  for (const event of events) [state, actions] = transition(kindMachines.session, state, event)
  return { state, actions: actions.map(({ type }) => type).filter((type) => !isBuiltIn(type)) }
}

/** Whether it is an action of XState itself; of these, only the start of an effect matters. */
function isBuiltIn(type: string): boolean {
  return type.startsWith('xstate.') && type !== 'xstate.spawnChild'
}

const ACTIVATE: Event = { type: 'actor.activate' }
const PASSIVATE: Event = { type: 'actor.passivate' }
const ACTIVE = [ACTIVATE, done('reading', true), done('rehydrating', BACK)]
const FRESH = [ACTIVATE, done('reading', false), done('creating', 'made')]
const FINISH: Event = { type: 'commit.finish' }
const COMMITTING = [...ACTIVE, { type: 'changes.commit' }] as Event[]

for (const [kind, machine] of kinds) {
  t.test(`${kind}: every state and every transition is reached`, async (t) => {
    const { states, missed } = walk(machine, { events: eventsOf(kind), input })
    t.same(states, [
      'absent',
      'activating',
      'activating.creating',
      'activating.reading',
      'activating.rehydrating',
      'active',
      'active.committing',
      'active.settled',
      'deleted',
      'deleting',
      'evicted',
      'failed',
      'fenced',
      'forgotten',
      'missing',
      'passivating'
    ])
    t.same(missed, [])
  })
}

t.test('an actor whose record is there comes back as rehydrated and opens its mailbox', async (t) => {
  t.same(after(ACTIVATE).actions, ['reportActivation', 'xstate.spawnChild'])
  t.same(after(ACTIVATE, done('reading', true)).state.value, { activating: 'rehydrating' })
  const { state, actions } = after(...ACTIVE)
  t.same(state.value, { active: 'settled' })
  t.same(actions, ['releasePermit', 'reportRehydration', 'openMailbox', 'xstate.spawnChild'])
})

t.test('an actor that a command makes was not rehydrated', async (t) => {
  const { state, actions } = after(...FRESH)
  t.same(state.value, { active: 'settled' })
  t.same(actions, ['releasePermit', 'openMailbox', 'xstate.spawnChild'])
})

t.test('a record that goes or comes while it is looked for is made or read', async (t) => {
  t.same(after(ACTIVATE, done('reading', true), done('rehydrating', null)).state.value, { activating: 'creating' })
  t.same(after(ACTIVATE, done('reading', false), done('creating', 'overtaken')).state.value, { activating: 'reading' })
})

t.test('an actor without a record ends as missed', async (t) => {
  const { state, actions } = after(ACTIVATE, done('reading', false), done('creating', 'missing'))
  t.equal(state.status, 'done')
  t.same(state.output, { type: 'actor.missed' })
  t.same(actions, ['releasePermit'])
})

t.test('an activation that fails ends the actor with its reason', async (t) => {
  const ways: Event[][] = [[ACTIVATE], [ACTIVATE, done('reading', true)], [ACTIVATE, done('reading', false)]]
  for (const [at, state] of ['reading', 'rehydrating', 'creating'].entries()) {
    const before = ways[at] ?? []
    t.same(after(...before, failed(state, FENCED)).state.output, { type: 'actor.fenced' })
    t.same(after(...before, failed(state, LOST)).state.output, { type: 'actor.failed', error: LOST })
    t.same(after(...before, failed(state, LOST)).actions, ['releasePermit'])
  }
})

t.test('steps may run while settled and while committing, and nowhere else', async (t) => {
  t.ok(after(ACTIVATE, done('reading', true), done('rehydrating', BACK)).actions.includes('openMailbox'))
  for (const commit of [[], COMMITTING.slice(ACTIVE.length)]) {
    t.notOk(after(...ACTIVE, ...commit).actions.includes('closeMailbox'))
    t.ok(after(...ACTIVE, ...commit, { type: 'actor.fence' }).actions.includes('closeMailbox'))
  }
  t.ok(after(...ACTIVE, PASSIVATE).actions.includes('closeMailbox'))
  t.ok(after(...ACTIVE, { type: 'record.remove' }).actions.includes('closeMailbox'))
})

t.test('changes that come during a commit get the next one as soon as it is done', async (t) => {
  const first = after(...COMMITTING, FINISH)
  t.same(first.state.value, { active: 'settled' })
  t.same(first.actions.includes('releaseReplies'), true)
  const second = after(...COMMITTING, { type: 'changes.commit' }, FINISH)
  t.same(second.state.value, { active: 'committing' })
  t.same(second.actions, ['releaseReplies', 'beginCommit'])
  const third = after(...COMMITTING, { type: 'changes.commit' }, FINISH, FINISH)
  t.same(third.state.value, { active: 'settled' })
})

t.test('a removal that comes during a commit follows it and swallows further changes', async (t) => {
  const { state } = after(...COMMITTING, { type: 'record.remove' }, { type: 'changes.commit' }, FINISH)
  t.same(state.value, 'deleting')
  t.same(after(...COMMITTING, { type: 'record.remove' }).actions, ['closeMailbox'])
})

t.test('a passivation waits for what must be written first', async (t) => {
  const passivate: Event = { type: 'actor.passivate' }
  t.same(after(...COMMITTING, passivate).state.value, { active: 'committing' })
  t.same(after(...COMMITTING, passivate, FINISH).state.value, 'passivating')
  t.same(after(...COMMITTING, passivate, { type: 'changes.commit' }, FINISH).state.value, { active: 'committing' })
  t.same(after(ACTIVATE, passivate, done('reading', true), done('rehydrating', BACK)).state.value, 'passivating')
})

t.test('an evicted actor is put away, and comes back when somebody waits', async (t) => {
  const evicted = after(...ACTIVE, PASSIVATE, done('passivating'))
  t.same(evicted.state.value, 'evicted')
  t.same(evicted.actions, ['putAway'])
  t.same(after(...ACTIVE, PASSIVATE, done('passivating'), { type: 'actor.forget' }).state.output, { type: 'actor.evicted' })
  const back = after(...ACTIVE, PASSIVATE, done('passivating'), REVIVE)
  t.same(back.state.value, { activating: 'reading' })
  t.same(back.state.context.activation, { isNew: true }, 'with nothing of what it had')
  // The eviction that was asked for is done, so the actor is not put away a second time.
  const asked = [ACTIVATE, PASSIVATE, done('reading', true), done('rehydrating', BACK), done('passivating'), REVIVE]
  t.same(after(...asked, done('reading', true), done('rehydrating', BACK)).state.value, { active: 'settled' })
})

t.test('a step that fails ends the actor with its reason', async (t) => {
  for (const before of [ACTIVE, COMMITTING]) {
    const { state, actions } = after(...before, { type: 'step.fail', error: BUG })
    t.same(state.output, { type: 'actor.failed', error: BUG })
    t.same(actions, ['closeMailbox'])
  }
})

t.test('a commit that fails ends the actor without letting a reply go', async (t) => {
  const fenced = after(...COMMITTING, { type: 'commit.fail', error: FENCED })
  t.same(fenced.state.output, { type: 'actor.fenced' })
  t.same(fenced.actions.includes('releaseReplies'), false)
  const lost = after(...COMMITTING, { type: 'commit.fail', error: LOST })
  t.same(lost.state.output, { type: 'actor.failed', error: LOST })
  t.same(lost.actions.includes('releaseReplies'), false)
})

t.test('a removal ends the actor as deleted once it is durable', async (t) => {
  const { state, actions } = after(...ACTIVE, { type: 'record.remove' }, done('deleting'))
  t.same(state.output, { type: 'actor.deleted' })
  t.same(actions.includes('releaseReplies'), true)
})

t.test('a release that fails evicts all the same and is reported', async (t) => {
  const { state, actions } = after(...ACTIVE, PASSIVATE, failed('passivating', LOST))
  t.same(state.value, 'evicted')
  t.same(actions, ['reportReleaseFailure', 'putAway'])
})

t.test('a fence ends the actor from every state', async (t) => {
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

/** Kinds whose actors have a chart that runs beside them. */
const CHARTED = new Set(['session', 'cluster', 'region', 'observer'])

for (const [kind, machine] of kinds) {
  t.test(`${kind}: along a long walk agrees with its description, and would not without any of its guards or actions`, async (t) => {
    holdToDescription<typeof machine, Life>(t, machine, { input, ...lifecycleWalk(eventsOf(kind), { hasChart: CHARTED.has(kind) }) })
  })
}
