import t from 'tap'
import { SUBJECT_ACTIVATIONS_MAX } from '../../../src/domain/limits.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { gated } from '../../support/gated-storage.js'
import { createManualClock, settled } from '../../support/manual-clock.js'
import { codeOf, startRuntime } from '../../support/runtime.js'

const append = (word: string) => ({ type: 'list.append', word }) as const
const READ = { type: 'list.read' } as const

t.test('an actor that comes back says with how much and how long it took: as an event, a count and a line of the log', async (t) => {
  const clock = createManualClock()
  const { ask, catalog, events, counted, lines } = await startRuntime({ clock, isTraced: true, reading: () => clock.work(1) })
  for (const word of ['one', 'two', 'three']) await ask('a', append(word))
  const isTold = () => events.some(({ kind }) => kind === 'actor.rehydrated') || counted.length > 0 || lines.length > 0
  t.notOk(isTold(), 'it was made')
  await catalog.passivate('tester', ['a'])
  await settled()
  const read = ask('a', READ)
  await settled()
  await clock.turn()
  t.same(await read, { words: ['one', 'two', 'three'] })
  t.match(events.find(({ kind }) => kind === 'actor.rehydrated')?.data, { size: 3, durationMs: 3 })
  t.same(counted, [{ name: 'rehydration', kind: 'session', size: 3, durationMs: 3 }])
  t.same(lines, [{ level: 'info', fields: { kind: 'session', size: 3, durationMs: 3 }, message: 'An actor was brought back from storage' }])
})

t.test('a command that comes while its actor is put away brings the same actor back', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask, catalog, events } = await startRuntime({ storage, isTraced: true })
  await ask('a', append('one'))
  storage.hold('release')
  await catalog.passivate('tester', ['a'])
  const waiting = ask('a', append('two'))
  await settled()
  t.equal(catalog.activeCount, 0)
  storage.open('release')
  t.same(await waiting, { words: ['one', 'two'] })
  const kinds = events.map(({ kind }) => kind).filter((kind) => kind.startsWith('actor.'))
  t.same(kinds.slice(-5), ['actor.passivating', 'actor.evicted', 'actor.activating', 'actor.rehydrated', 'actor.activated'])
})

t.test('a record that others keep making and removing is given up after three rounds, and keeps no place to read in', async (t) => {
  const storage = createMemoryStorage({ retains: true })
  let [rounds, roundsLost] = [0, 10]
  const losing = {
    ...storage,
    create: (...args: Parameters<typeof storage.create>) => (rounds++ < roundsLost ? Promise.resolve(null) : storage.create(...args))
  }
  const { ask } = await startRuntime({ storage: losing })
  for (let n = 0; n < SUBJECT_ACTIVATIONS_MAX; n++) {
    rounds = 0
    t.equal(await codeOf(ask('a', append('one'))), 'fenced')
    t.equal(rounds, 3)
  }
  roundsLost = 0
  t.same(await ask('a', append('one')), { words: ['one'] })
})

t.test('what is overdue runs before the commands that wait, once, whether the actor lives or has to come back', async (t) => {
  const clock = createManualClock()
  const ran: string[] = []
  let dueAt = Infinity
  const { ask, catalog } = await startRuntime({
    clock,
    overdue: (_, now) => (now >= dueAt ? { type: 'list.clear' } : null),
    stepping: ({ type }) => {
      ran.push(type)
      if (type === 'list.clear') dueAt = Infinity
      return null
    }
  })
  for (const isAway of [false, true]) {
    await ask('a', append('one'))
    if (isAway) await catalog.passivate('tester', ['a'])
    await settled()
    ran.length = 0
    dueAt = clock.now()
    t.same(await Promise.all([ask('a', append('two')), ask('a', READ)]), [{ words: ['two'] }, { words: ['two'] }])
    t.same(ran, ['list.clear', 'list.append', 'list.read'])
    await ask('a', { type: 'list.clear' })
  }
  t.equal(catalog.waitingCount, 0)
})
