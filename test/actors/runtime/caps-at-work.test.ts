// Caps that are exceeded for a while, because all actors that would have to be put away are at work.
import t from 'tap'
import { createNodeBudget } from '../../../actors/weight/node-budget.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { gated } from '../../support/gated-storage.js'
import { createManualClock, settled } from '../../support/manual-clock.js'
import { startRuntime } from '../../support/runtime.js'

const append = (word: string) => ({ type: 'list.append', word }) as const
const READ = { type: 'list.read' } as const

t.test('an actor with work is never evicted: the cap is exceeded by as many and kept again afterwards', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask, catalog } = await startRuntime({ storage, activeMax: 2 })
  await ask('a', append('a'))
  await ask('b', append('b'))
  storage.hold('commit')
  const busy = [ask('a', append('more')), ask('b', append('more'))]
  await settled()
  const third = ask('c', { type: 'list.create' })
  await settled()
  t.equal(catalog.activeCount, 3, 'nor is the one that was used last')
  storage.open('commit')
  await Promise.all([...busy, third])
  await settled()
  t.equal(catalog.activeCount, 2, 'without a further activation')
  t.same(await ask('a', READ), { words: ['a', 'more'] })
})

t.test('the share of a subject whose actors all had work is kept again when they rest', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { ask, askActor, catalog } = await startRuntime({ storage, subjectActiveMax: 2 })
  await askActor({ kind: 'session', subject: 'quiet', id: 'x' }, append('x'), { deadlineMs: 10_000 })
  for (const id of ['a', 'b', 'c', 'd']) await ask(id, append(id))
  storage.hold('commit')
  const busy = ['a', 'b', 'c', 'd'].map((id) => ask(id, append('more')))
  await settled()
  t.equal(catalog.activeIds('tester').length, 4)
  storage.open('commit')
  await Promise.all(busy)
  await settled()
  t.equal(catalog.activeIds('tester').length, 2)
  t.same(catalog.activeIds('quiet'), ['x'])
})

t.test('an actor with work makes no way for another one, however long ago it was used', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const clock = createManualClock()
  // Room for three actors.
  const room = { heap: 40_000, total: 40_000 }
  const budget = createNodeBudget({ clock, counters: { count: () => undefined }, isDurable: true, actors: room, work: room })
  const { ask, catalog } = await startRuntime({ storage, clock, budget })
  for (const id of ['a', 'b', 'c']) await ask(id, append(id))
  storage.hold('commit')
  const busy = ask('a', append('more'))
  await settled()
  for (const id of ['b', 'c']) await ask(id, READ)
  await ask('d', { type: 'list.create' })
  t.same(catalog.activeIds('tester'), ['a', 'c', 'd'])
  storage.open('commit')
  t.same(await busy, { words: ['a', 'more'] })
})
