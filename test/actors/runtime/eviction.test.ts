import t from 'tap'
import type { AskEnvelope } from '../../../actors/asking/envelope.js'
import { createNodeBudget } from '../../../actors/weight/node-budget.js'
import { DomainError } from '../../../src/domain/errors.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { gated } from '../../support/gated-storage.js'
import { createManualClock, settled } from '../../support/manual-clock.js'
import { codeOf, startRuntime } from '../../support/runtime.js'
import { unlimitedBudget } from '../../support/unlimited-budget.js'

const append = (word: string) => ({ type: 'list.append', word }) as const
const READ = { type: 'list.read' } as const

t.test('an actor idle for longer than its time to live is evicted by the sweep and comes back where storage retains', async (t) => {
  for (const retains of [true, false]) {
    let disposed = 0
    const { ask, clock, catalog } = await startRuntime({
      storage: createMemoryStorage({ retains }),
      idleTtlMs: 100_000,
      sweepMs: 10_000,
      disposed: () => (disposed += 1)
    })
    await ask('old', append('one'))
    await clock.advance(50_000)
    await ask('young', append('two'))
    await clock.advance(45_000)
    t.equal(catalog.activeCount, 2)
    await clock.advance(20_000)
    t.same(catalog.activeIds('tester'), ['young'])
    t.equal(disposed, 1)
    if (retains) t.same(await ask('old', READ), { words: ['one'] })
    else t.equal(await codeOf(ask('old', READ)), 'session_missing')
  }
})

t.test('actors that are passivated by name go when they are idle, and stay when they are at work or of somebody else', async (t) => {
  let finish: () => void = () => undefined
  const work = new Promise<void>((resolve) => {
    finish = resolve
  })
  const { ask, askActor, catalog } = await startRuntime({
    prepare: async (command) => (command.type === 'list.append' && command.word === 'slow' ? work : undefined)
  })
  for (const id of ['idle', 'busy', 'other']) await ask(id, append('one'))
  await askActor({ kind: 'session', subject: 'mallory', id: 'idle' }, append('hers'), { deadlineMs: 10_000 })
  const slow = ask('busy', append('slow'))
  await settled()
  await catalog.passivate('tester', ['idle', 'busy', 'unknown'])
  t.same(catalog.activeIds('tester'), ['other', 'busy'])
  t.same(catalog.activeIds('mallory'), ['idle'])
  finish()
  t.same(await slow, { words: ['one', 'slow'] })
  t.same(await ask('idle', READ), { words: ['one'] })
})

t.test('an actor that is evicted is released, and not taken over to be released', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask, clock, catalog, lines } = await startRuntime({ storage, idleTtlMs: 100_000, sweepMs: 10_000 })
  await ask('a', append('one'))
  await clock.advance(120_000)
  t.equal(catalog.activeCount, 0)
  t.match(storage.counts, { activate: 0, release: 1 })
  t.same(lines, [])
})

t.test('a use puts an actor’s eviction off', async (t) => {
  const { ask, clock, catalog } = await startRuntime({ idleTtlMs: 100_000, sweepMs: 10_000 })
  await ask('a', append('one'))
  for (let n = 0; n < 10; n++) {
    await clock.advance(60_000)
    await ask('a', READ)
  }
  t.equal(catalog.activeCount, 1)
})

t.test('a sweep over many idle actors evicts all of them', async (t) => {
  const { ask, clock, catalog } = await startRuntime({ idleTtlMs: 100_000, sweepMs: 10_000 })
  for (let n = 0; n < 500; n++) await ask(`s${n}`, append('x'))
  t.equal(catalog.activeCount, 500)
  await clock.advance(120_000)
  t.equal(catalog.activeCount, 0)
})

t.test('of actors beyond the cap the least recently used idle ones go', async (t) => {
  const { ask, catalog } = await startRuntime({ activeMax: 3 })
  for (const id of ['a', 'b', 'c']) await ask(id, append(id))
  await ask('a', READ)
  await ask('d', append('d'))
  t.same(catalog.activeIds('tester'), ['c', 'a', 'd'])
  t.same(await ask('b', READ), { words: ['b'] })
  t.same(catalog.activeIds('tester'), ['a', 'd', 'b'])
})

t.test('looking for an actor that does not exist evicts nobody at the cap', async (t) => {
  const { ask, catalog } = await startRuntime({ activeMax: 2, storage: createMemoryStorage({ retains: false }) })
  await ask('a', append('a'))
  await ask('b', append('b'))
  for (let n = 0; n < 10; n++) t.equal(await codeOf(ask(`nobody-${n}`, READ)), 'session_missing')
  t.same(catalog.activeIds('tester'), ['a', 'b'])
})

t.test('commands that arrive while an actor passivates are carried out by its next activation', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask, clock, catalog } = await startRuntime({ storage, idleTtlMs: 50_000, sweepMs: 100_000 })
  await ask('a', append('one'))
  storage.hold('release')
  // Only up to the sweep: a storage call that takes longer than its limit is given up.
  await clock.advance(100_000)
  t.equal(catalog.activeCount, 0)
  const outcomes = Promise.all([ask('a', append('two')), ask('a', READ)])
  await settled()
  storage.open('release')
  t.same(await outcomes, [{ words: ['one', 'two'] }, { words: ['one', 'two'] }])
  t.equal(catalog.activeCount, 1)
})

t.test('an actor that is asked while it passivates counts once under the cap', async (t) => {
  const storage = gated(createMemoryStorage({ retains: false }))
  const { ask, catalog } = await startRuntime({ storage, activeMax: 2 })
  for (const id of ['a', 'b']) await ask(id, append('one'))
  storage.hold('release')
  await catalog.passivate('tester', ['a'])
  const asked = ask('a', append('two'))
  await settled()
  storage.open('release')
  t.same(await asked, { words: ['two'] })
  await settled()
  t.same(catalog.activeIds('tester'), ['b', 'a'])
})

t.test('a record whose actor failed is swept as well where storage does not retain', async (t) => {
  const storage = createMemoryStorage({ retains: false })
  const { ask, clock } = await startRuntime({ storage, idleTtlMs: 100_000, sweepMs: 10_000 })
  await ask('a', append('one'))
  t.equal(await codeOf(ask('a', { type: 'list.crash' })), 'internal')
  const address = { kind: 'session', subject: 'tester', id: 'a' } as const
  t.not(await storage.peek(address), null)
  await clock.advance(120_000)
  t.equal(await storage.peek(address), null)
})

t.test('a record whose actor failed counts under the cap where storage does not retain', async (t) => {
  const { ask, catalog } = await startRuntime({ storage: createMemoryStorage({ retains: false }), activeMax: 2 })
  for (const id of ['a', 'b']) {
    await ask(id, append(id))
    await codeOf(ask(id, { type: 'list.crash' }))
  }
  t.equal(catalog.activeCount, 0)
  await ask('c', append('c'))
  await settled()
  t.equal(await codeOf(ask('a', READ)), 'session_missing', 'the least recently used one went')
  t.same(await ask('b', READ), { words: ['b'] })
})

t.test('records whose actors went with their supervisor still weigh, and count under the cap, where storage does not retain', async (t) => {
  const room = { heap: 1_000_000, total: 1_000_000 }
  const clock = createManualClock()
  const budget = createNodeBudget({ clock, counters: { count: () => undefined }, isDurable: false, actors: room, work: room })
  const { ask, catalog } = await startRuntime({ clock, budget, storage: createMemoryStorage({ retains: false }), activeMax: 6 })
  await ask('calm', append('kept'))
  const weight = budget.heldBy('tester')
  for (let n = 0; n < 20; n++) {
    const id = `poisoned-${String(n >> 2)}`
    await ask(id, append('x'))
    await codeOf(ask(id, { type: 'list.crash' }))
  }
  t.equal(catalog.activeCount, 0)
  t.ok(budget.heldBy('tester') > 5 * weight)
  await ask('new', append('x'))
  await settled()
  t.equal(await codeOf(ask('calm', READ)), 'session_missing', 'the least recently used one went')
})

t.test('the most recently used actor of a subject is known through uses, evictions and deletions', async (t) => {
  const { ask, askActor, catalog, clock } = await startRuntime()
  t.equal(catalog.mostRecent('tester')?.id, undefined)
  for (const id of ['a', 'b', 'c']) {
    await ask(id, append(id))
    await clock.advance(1)
  }
  await askActor({ kind: 'session', subject: 'someone else', id: 'z' }, append('z'), { deadlineMs: 1_000 })
  t.equal(catalog.mostRecent('tester')?.id, 'c')
  await ask('a', READ)
  t.equal(catalog.mostRecent('tester')?.id, 'a')
  await ask('a', { type: 'list.delete' })
  t.equal(catalog.mostRecent('tester')?.id, 'c')
  t.same(catalog.activeIds('tester'), ['b', 'c'])
  t.equal(catalog.mostRecent('someone else')?.id, 'z')
  const within: AskEnvelope = {
    address: { kind: 'session', subject: 'tester', id: 'b' },
    command: READ,
    requestId: 'r',
    deadlineMs: 1_000,
    isInner: true
  }
  t.match(await catalog.answer(within), { reply: { words: ['b'] } })
  t.same(catalog.activeIds('tester'), ['c', 'b'], 'it is not evicted for it')
  t.equal(catalog.mostRecent('tester')?.id, 'c', 'what actors ask is no use')
})

t.test('a subject with more actors than it may have loses its own least recently used idle one, and nobody else loses any', async (t) => {
  const { ask, askActor, catalog } = await startRuntime({ subjectActiveMax: 3 })
  const quiet = (id: string, command: typeof READ | ReturnType<typeof append>) =>
    askActor({ kind: 'session', subject: 'quiet', id }, command, { deadlineMs: 1_000 })
  for (const id of ['x', 'y', 'z']) await quiet(id, append('theirs'))
  for (const id of ['a', 'b', 'c']) await ask(id, append('one'))
  await ask('a', READ)
  await ask('d', append('one'))
  t.same(catalog.activeIds('tester'), ['c', 'a', 'd'])
  for (let n = 0; n < 50; n++) await ask(`s${String(n)}`, append('one'))
  t.equal(catalog.activeIds('tester').length, 3)
  t.same(catalog.activeIds('quiet'), ['x', 'y', 'z'])
  t.same(await ask('b', READ), { words: ['one'] }, 'and comes back where storage retains')
})

t.test('a subject that holds more bytes than it may loses its own least recently used idle actors until it does not', async (t) => {
  const budget = unlimitedBudget()
  const { ask, askActor, catalog } = await startRuntime({ budget, subjectBytesMax: 36_000 })
  await askActor({ kind: 'session', subject: 'quiet', id: 'x' }, append('theirs'), { deadlineMs: 1_000 })
  for (const id of ['a', 'b', 'c']) await ask(id, append('one'))
  const each = budget.heldBy('tester') / 3
  t.ok(each > 9_000 && each < 12_000, `an actor holds ${String(each)} bytes`)
  t.equal(catalog.activeCount, 4)
  await ask('d', append('one'))
  // An actor that is being put away still counts, so one more than necessary may go.
  t.same(catalog.activeIds('tester').slice(-2), ['c', 'd'])
  t.notOk(catalog.activeIds('tester').includes('a'))
  await settled()
  t.ok(budget.heldBy('tester') <= 36_000)
  await ask('c', READ)
  t.same(catalog.activeIds('tester').slice(-2), ['d', 'c'], 'within its share, nobody goes')
  t.same(catalog.activeIds('quiet'), ['x'])
})

t.test('the supervisor is told once when the cap is exceeded, and once when it is kept again', async (t) => {
  const told: string[] = []
  const { ask } = await startRuntime({
    activeMax: 2,
    inspect: (event) => event.type === '@xstate.event' && event.event.type.startsWith('cap.') && told.push(event.event.type)
  })
  for (const id of ['a', 'b']) await ask(id, append(id))
  t.same(told, [])
  await ask('c', append('c'))
  await settled()
  t.same(told, ['cap.exceed', 'cap.keep'])
  await ask('c', READ)
  await settled()
  t.same(told, ['cap.exceed', 'cap.keep'])
})

t.test('an evicted actor weighs nothing any more, also where its record goes with it', async (t) => {
  for (const retains of [true, false]) {
    const budget = unlimitedBudget()
    const { ask, clock } = await startRuntime({
      ...{ budget, idleTtlMs: 100_000, sweepMs: 10_000 },
      storage: createMemoryStorage({ retains })
    })
    await ask('a', append('one'))
    t.ok(budget.heldBy('tester') > 0)
    await clock.advance(120_000)
    t.equal(budget.heldBy('tester'), 0)
  }
})

t.test('idle actors make way for one that the memory of the node has no room for', async (t) => {
  const clock = createManualClock()
  const room = { heap: 36_000, total: 36_000 }
  const budget = createNodeBudget({ clock, counters: { count: () => undefined }, isDurable: true, actors: room, work: room })
  const { ask, catalog } = await startRuntime({ clock, budget })
  for (const id of ['a', 'b', 'c', 'd']) await ask(id, append('one'))
  t.same(catalog.activeIds('tester').slice(-2), ['c', 'd'])
  t.notOk(catalog.activeIds('tester').includes('a'))
  t.same(await ask('a', READ), { words: ['one'] })
})

t.test('a record that cannot be released is told of in the log, unless somebody else has it by then', async (t) => {
  for (const [code, lines] of [
    ['storage_unavailable', ['An evicted record could not be released']],
    ['fenced', []]
  ] as const) {
    const memory = createMemoryStorage({ retains: true })
    const storage = { ...memory, release: () => Promise.reject(new DomainError(code, code)) }
    const runtime = await startRuntime({ storage, idleTtlMs: 100_000, sweepMs: 10_000 })
    await runtime.ask('a', append('one'))
    await runtime.clock.advance(120_000)
    t.equal(runtime.catalog.activeCount, 0)
    t.same(
      runtime.lines.filter(({ level }) => level === 'warn').map(({ message }) => message),
      lines
    )
  }
})
