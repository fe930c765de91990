import t from 'tap'
import { ACTIVATIONS_MAX, MAILBOX_COMMANDS_MAX, SUBJECT_ACTIVATIONS_MAX, SUBJECT_WAITING_MAX } from '../../../src/domain/limits.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { gated } from '../../support/gated-storage.js'
import { settled } from '../../support/manual-clock.js'
import { codeOf, startRuntime } from '../../support/runtime.js'

const append = (word: string) => ({ type: 'list.append', word }) as const
const READ = { type: 'list.read' } as const
const CREATE = { type: 'list.create' } as const
const DELETE = { type: 'list.delete' } as const

t.test('a command that may make its actor makes it, and what it did is durable', async (t) => {
  const { ask, catalog, storage } = await startRuntime()
  t.same(await ask('a', append('one')), { words: ['one'] })
  t.same(await ask('a', append('two')), { words: ['one', 'two'] })
  t.equal(catalog.activeCount, 1)
  t.same(
    (await storage.activate({ kind: 'session', subject: 'tester', id: 'a' }))?.rows.map((row) => row.body),
    ['one', 'two']
  )
})

t.test('a command to an absent actor that it may not make is refused and leaves no actor behind', async (t) => {
  const { ask, catalog, admission } = await startRuntime()
  t.equal(await codeOf(ask('a', READ)), 'session_missing')
  t.equal(catalog.activeCount, 0)
  t.equal(admission.inFlight, 0)
})

t.test('commands to an absent actor are refused until one makes it and carried out from then on', async (t) => {
  const { ask } = await startRuntime()
  const outcomes = await Promise.all([codeOf(ask('a', READ)), codeOf(ask('a', DELETE)), ask('a', append('one')), ask('a', READ)])
  t.same(outcomes, ['session_missing', 'session_missing', { words: ['one'] }, { words: ['one'] }])
})

t.test('of two racing creates one wins and the other is refused', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask } = await startRuntime({ storage })
  t.same(await Promise.all([codeOf(ask('a', CREATE)), codeOf(ask('a', CREATE))]), ['fulfilled', 'already_exists'])
  const other = await startRuntime({ storage })
  t.equal(await codeOf(other.ask('a', CREATE)), 'already_exists', 'stored is as good as live')
  storage.hold('create')
  const racing = [codeOf(ask('b', CREATE)), codeOf(other.ask('b', CREATE))]
  await settled()
  storage.open('create')
  t.same((await Promise.all(racing)).sort(), ['already_exists', 'fulfilled'], 'between two catalogs as well')
})

t.test('a deleted actor is absent and may be made anew', async (t) => {
  const { ask, catalog } = await startRuntime()
  await ask('a', append('old'))
  t.same(await ask('a', DELETE), { words: ['old'] })
  t.equal(catalog.activeCount, 0)
  t.equal(await codeOf(ask('a', READ)), 'session_missing')
  t.same(await ask('a', append('new')), { words: ['new'] })
})

t.test('subjects, with the same id, never meet', async (t) => {
  const { ask, askActor, catalog } = await startRuntime()
  await ask('a', append('mine'))
  const theirs = { kind: 'session', subject: 'somebody else', id: 'a' } as const
  t.equal(await codeOf(askActor(theirs, READ, { deadlineMs: 1_000 })), 'session_missing')
  t.same(await askActor(theirs, append('theirs'), { deadlineMs: 1_000 }), { words: ['theirs'] })
  t.same(await ask('a', READ), { words: ['mine'] })
  t.same(catalog.activeIds('somebody else'), ['a'])
})

t.test('a session with too many commands waiting refuses further ones while its siblings answer', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask } = await startRuntime({ storage })
  storage.hold('create')
  // It has run, and waits for its write.
  const first = ask('a', append('first'))
  await settled()
  const waiting = Array.from({ length: MAILBOX_COMMANDS_MAX }, (_, n) => codeOf(ask('a', append(String(n)))))
  await settled()
  t.equal(await codeOf(ask('a', READ)), 'busy')
  t.equal(await codeOf(ask('b', READ)), 'session_missing')
  storage.open('create')
  await first
  t.same(new Set(await Promise.all(waiting)), new Set(['fulfilled']))
  t.equal((await ask('a', READ)).words.length, 1 + MAILBOX_COMMANDS_MAX)
})

t.test('a node with too many operations in flight lets further ones wait, and refuses those that its queue has no room for', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask, admission, clock } = await startRuntime({ storage, inFlightMax: 20 })
  storage.hold('create')
  const waiting = Array.from({ length: 20 }, (_, n) => codeOf(ask(`s${n}`, CREATE)))
  await settled()
  t.equal(admission.inFlight, 20)
  const late = codeOf(ask('late', CREATE, 1_000))
  const queued = Array.from({ length: SUBJECT_WAITING_MAX - 1 }, (_, n) => codeOf(ask(`q${n}`, CREATE)))
  await settled()
  t.equal(admission.waiting, SUBJECT_WAITING_MAX)
  t.equal(await codeOf(ask('another', CREATE)), 'busy')
  await clock.advance(1_000)
  t.equal(await late, 'deadline_passed')
  storage.open('create')
  t.same(new Set(await Promise.all([...waiting, ...queued])), new Set(['fulfilled']))
  t.equal(admission.inFlight, 0)
  t.equal(storage.counts.create, 20 + SUBJECT_WAITING_MAX - 1, 'the late one never began')
})

t.test('a subject with everything under way that it may have does not keep another one waiting', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask, askActor, admission } = await startRuntime({ storage, inFlightMax: 20, subjectMax: 5 })
  storage.hold('create')
  const loud = Array.from({ length: 50 }, (_, n) => codeOf(ask(`s${n}`, CREATE)))
  await settled()
  t.equal(admission.inFlight, 5)
  t.equal(admission.waiting, 45)
  const quiet = codeOf(askActor({ kind: 'session', subject: 'quiet', id: 'a' }, CREATE, { deadlineMs: 1_000 }))
  await settled()
  t.equal(storage.counts.create, 6)
  storage.open('create')
  t.equal(await quiet, 'fulfilled')
  t.same(new Set(await Promise.all(loud)), new Set(['fulfilled']))
})

t.test('a node that drains still does what waits at its door', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask, node } = await startRuntime({ storage, inFlightMax: 1 })
  storage.hold('create')
  const accepted = ['a', 'b', 'c'].map((id) => codeOf(ask(id, CREATE)))
  await settled()
  const drained = node.drain()
  t.equal(await codeOf(ask('d', CREATE)), 'draining')
  storage.open('create')
  t.same(await Promise.all(accepted), ['fulfilled', 'fulfilled', 'fulfilled'])
  await drained
})

t.test('many activations read only so many records at the same time', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { askActor } = await startRuntime({ storage })
  storage.hold('peek')
  const create = (subject: string, n: number) => codeOf(askActor({ kind: 'session', subject, id: `s${n}` }, CREATE, { deadlineMs: 10_000 }))
  const all = Array.from({ length: 20 }, (_, n) => create('loud', n))
  await settled()
  t.equal(storage.counts.peek, SUBJECT_ACTIVATIONS_MAX, 'of one subject')
  for (let n = 0; n < 100; n++) all.push(create(`subject ${n % 10}`, n))
  await settled()
  t.equal(storage.counts.peek, ACTIVATIONS_MAX)
  storage.open('peek')
  t.same(new Set(await Promise.all(all)), new Set(['fulfilled']))
  t.equal(storage.most.peek, ACTIVATIONS_MAX)
})

t.test('a command whose deadline passes while it waits never runs', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask, clock, admission } = await startRuntime({ storage })
  storage.hold('create')
  const first = codeOf(ask('a', CREATE, 4_000))
  const late = codeOf(ask('a', append('late'), 1_000))
  await clock.advance(2_000)
  t.equal(await late, 'deadline_passed')
  storage.open('create')
  t.equal(await first, 'fulfilled')
  t.same(await ask('a', READ), { words: [] })
  t.equal(admission.inFlight, 0)
})

t.test('commands of one session that are prepared quickly run in the order they came', async (t) => {
  let turns = 0
  const { ask, clock } = await startRuntime({
    async prepare() {
      // Each preparation takes fewer microtasks than the one before it.
      const settling = 20 - turns++
      for (let n = 0; n < settling; n++) await Promise.resolve()
    }
  })
  const words = ['one', 'two', 'three', 'four', 'five']
  const replies = words.map((word) => ask('a', append(word)))
  await clock.advance(0)
  await Promise.all(replies)
  t.same((await ask('a', READ)).words, words)
})

t.test('a command that is prepared slowly is overtaken after a moment', async (t) => {
  let finish = () => {}
  const { ask, clock } = await startRuntime({
    prepare: (command) =>
      command.type === 'list.append' && command.word === 'slow' ? new Promise((resolve) => (finish = resolve)) : Promise.resolve()
  })
  await ask('a', CREATE)
  const slow = ask('a', append('slow'))
  const quick = [ask('a', append('one')), ask('a', append('two'))]
  let answered = 0
  for (const reply of quick) void reply.then(() => (answered += 1))
  await clock.advance(1)
  t.equal(answered, 0, 'it waits for the order’s sake')
  await clock.advance(10)
  await Promise.all(quick)
  finish()
  await slow
  t.same((await ask('a', READ)).words, ['one', 'two', 'slow'])
})

t.test('the life of an actor is traced while somebody traces', async (t) => {
  const { ask, events } = await startRuntime({ isTraced: true })
  await ask('a', append('secret word'))
  await codeOf(ask('a', { type: 'list.crash' }))
  await ask('a', DELETE)
  t.same(
    events.map(({ kind }) => kind),
    [
      'supervisor.started',
      'actor.activating',
      'store.written',
      'actor.activated',
      'actor.failed',
      'actor.activating',
      'actor.rehydrated',
      'actor.activated',
      'actor.deleted'
    ]
  )
  for (const event of events.slice(1)) t.match(event, { subject: 'tester', sessionId: 'a' })
  t.notMatch(JSON.stringify(events), /secret/)
  const silent = await startRuntime()
  await silent.ask('a', append('one'))
  t.same(silent.events, [])
})

t.test('what another node owns by now is put away, and nothing else', async (t) => {
  let isForeign = false
  const { ask, catalog } = await startRuntime({ owns: (id) => !(isForeign && id === 'foreign') })
  for (const id of ['own', 'foreign']) await ask(id, { type: 'list.create' })
  await catalog.yield()
  t.equal(catalog.activeCount, 2)
  isForeign = true
  t.equal(catalog.foreignCount(), 1)
  await catalog.yield()
  await settled()
  t.same(catalog.activeIds('tester'), ['own'])
})

t.test('what is due by the clock is given to actors that this node owns, and to no others, and is no use by a client', async (t) => {
  const due = ['own', 'foreign'].map((id) => ({
    address: { kind: 'session', subject: 'tester', id } as const,
    command: append('due')
  }))
  const { ask, catalog } = await startRuntime({ owns: (id) => id !== 'foreign', reminders: () => due })
  await ask('used', append('one'))
  await catalog.tick()
  t.same(catalog.activeIds('tester'), ['used', 'own'])
  t.equal(catalog.mostRecent('tester')?.id, 'used')
})

t.test('what is due is done by its owner alone, and forgotten by others in whose memory it is not', async (t) => {
  const reminded = new Set(['own', 'stored', 'live'])
  const storage = createMemoryStorage({ retains: true })
  let isForeign = false
  const { ask, catalog } = await startRuntime({ storage, reminded, owns: (id) => !isForeign || id === 'own' })
  for (const id of reminded) await ask(id, { type: 'list.create' })
  await catalog.passivate('tester', ['stored'])
  await settled()
  isForeign = true
  await catalog.tick()
  t.same([...reminded], ['own', 'live'])
  t.same(catalog.activeIds('tester'), ['live', 'own'])
})
