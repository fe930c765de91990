/** What is under way, by subject, and what actors have let go of while it is still read. */
import t from 'tap'
import { createEntry } from '../../../actors/runtime/entry.js'
import { createNodeBudget, type Evictables } from '../../../actors/weight/node-budget.js'
import { totalOf, type Weight, WEIGHTLESS } from '../../../src/domain/weight.js'
import { createManualClock } from '../../support/manual-clock.js'

const ALL = { heap: Infinity, total: Infinity }
const HUNDRED = { heap: 100, total: 100 }

const bytes = (heap: number): Weight => ({ heap, buffers: 0 })

function start({ actors = ALL, work = ALL }: { readonly actors?: typeof ALL; readonly work?: typeof ALL } = {}) {
  const budget = createNodeBudget({ clock: createManualClock(), counters: { count: () => undefined }, isDurable: true, actors, work })
  const held = (): number => budget.held().reduce((sum, { weight }) => sum + totalOf(weight), 0)
  const session = (subject: string, id: string, weight: number) => {
    const entry = createEntry({ kind: 'session', subject, id }, 0)
    budget.set(entry, bytes(weight))
    return entry
  }
  return { budget, held, session }
}

t.test('work under way of each subject leaves a quarter of what it finds to others', async (t) => {
  const { budget, held } = start({ work: HUNDRED })
  const [first, second] = [budget.openHold('request', 'anna'), budget.openHold('answer', 'anna')]
  first.take(bytes(40))
  second.take(bytes(35))
  t.throws(() => second.take(bytes(1)), { code: 'memory_exhausted', message: /work under way of one licence/ })
  const [other, another] = [budget.openHold('request', 'bob'), budget.openHold('request', 'bob')]
  other.take(bytes(18))
  t.throws(() => another.take(bytes(1)), { code: 'memory_exhausted', message: /work under way of one licence/ })
  const third = budget.openHold('request', 'carol')
  third.take(bytes(5))
  t.throws(() => third.take(bytes(5)), { code: 'memory_exhausted', message: /work under way may take/ })
  for (const hold of [first, second, other, third]) hold.free()
  t.equal(held(), 0)
})

t.test('one thing may take more than the share of its subject, with nothing beside it, and leaves a sixteenth', async (t) => {
  const { budget } = start({ work: HUNDRED })
  const [large, beside, other] = ['anna', 'anna', 'bob'].map((subject) => budget.openHold('request', subject))
  for (let part = 0; part < 9; part++) large?.take(bytes(10))
  t.throws(() => beside?.take(bytes(1)), { code: 'memory_exhausted' })
  t.throws(() => large?.take(bytes(4)), { code: 'memory_exhausted' })
  t.throws(() => other?.take(bytes(8)), { code: 'memory_exhausted' }, 'it is no reserve for what is large')
  other?.take(bytes(7))
})

t.test('what an actor lets go of counts while an answer refers to it', async (t) => {
  const { budget, held, session } = start()
  const entry = session('anna', 'a', 80)
  budget.letGo(entry.address, bytes(30))
  t.equal(held(), 80, 'nobody reads it: it is garbage')
  const end = budget.openLease(entry.address)
  budget.letGo(entry.address, bytes(30))
  t.equal(held(), 110, 'replaced by something as large, it is there beside that')
  t.equal(budget.heldBy('anna'), 110)
  budget.set(entry, WEIGHTLESS)
  t.equal(held(), 110, 'an actor that was evicted is still there for its readers')
  session('anna', 'a', 80)
  t.equal(held(), 190, 'and is there twice when it comes back')
  end()
  end()
  t.equal(held(), 80)
})

t.test('what the second answer of an actor may refer to is kept when the first one ends', async (t) => {
  const { budget, held, session } = start()
  const { address } = session('anna', 'a', 10)
  const first = budget.openLease(address)
  budget.letGo(address, bytes(1))
  const second = budget.openLease(address)
  budget.letGo(address, bytes(2))
  session('anna', 'b', 0)
  first()
  t.equal(held(), 12, 'what went before the second one began is gone')
  const third = budget.openLease(address)
  second()
  t.equal(held(), 10)
  third()
  budget.letGo(address, bytes(5))
  t.equal(held(), 10, 'nobody reads any more')
})

t.test('an idle actor that is still read is not evicted to make way: that would free nothing', async (t) => {
  const { budget, session } = start({ actors: HUNDRED })
  const [read, idle] = [session('anna', 'read', 40), session('bob', 'idle', 40)]
  const evicted: string[] = []
  const pool: Evictables = {
    candidates: () => [read, idle].filter(({ weight }) => totalOf(weight) > 0),
    evict(entry) {
      evicted.push(entry.address.id)
      budget.set(entry, WEIGHTLESS)
    }
  }
  budget.add(pool)
  const end = budget.openLease(read.address)
  await budget.makeWay(bytes(50), 'carol')
  t.strictSame(evicted, ['idle'])
  await t.rejects(budget.makeWay(bytes(70), 'carol'), { code: 'memory_exhausted' })
  end()
  await budget.makeWay(bytes(70), 'carol')
  t.strictSame(evicted, ['idle', 'read'])
})
