/** Budget of the work under way by subject, and of what actors have let go of while it is still read. */
import t from 'tap'
import { createEntry } from '../../../actors/runtime/entry.js'
import { createNodeBudget } from '../../../actors/weight/node-budget.js'
import type { Evictables } from '../../../actors/weight/victims.js'
import { ANONYMOUS_SUBJECT } from '../../../src/domain/address.js'
import { totalOf, type Weight, WEIGHTLESS } from '../../../src/domain/fairness/weight.js'
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
  t.throws(() => large?.take(bytes(4)), { code: 'limit_reached', message: /it takes .*, and one request may take/ }, 'not later either')
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
  const keep = budget.openReservation('carol')
  await keep.reserve(bytes(50))
  t.strictSame(evicted, ['idle'])
  await t.rejects(keep.reserve(bytes(70)), { code: 'memory_exhausted' })
  end()
  await keep.reserve(bytes(70))
  t.strictSame(evicted, ['idle', 'read'])
})

/** A budget with actors that are idle unless in use. `isDurable`: whether actors that are put away come back. */
function pooled({ isDurable }: { readonly isDurable: boolean }) {
  const clock = createManualClock()
  const budget = createNodeBudget({ clock, counters: { count: () => undefined }, isDurable, actors: HUNDRED, work: ALL })
  const entries: ReturnType<typeof createEntry>[] = []
  const evicted: string[] = []
  budget.add({
    candidates: () => entries.filter(({ work, weight }) => work === 0 && totalOf(weight) > 0),
    evict(entry) {
      evicted.push(entry.address.id)
      budget.set(entry, WEIGHTLESS)
    }
  })
  let uses = 0
  const make = (subject: string, id: string, { isUsed = false } = {}) => {
    const entry = createEntry({ kind: 'session', subject, id }, uses++)
    entry.work = isUsed ? 1 : 0
    entries.push(entry)
    return entry
  }
  const claim = async (subject: string, id: string, weight: number, use = {}) => budget.claim(make(subject, id, use), bytes(weight))
  return { budget, make, claim, evicted }
}

const IN_USE = { isUsed: true }
const ONE_LICENCE = { code: 'memory_exhausted', message: /what sessions of one licence hold may take/ }

for (const isDurable of [true, false]) {
  const where = isDurable ? 'where actors come back' : 'where they do not'

  t.test(`actors in use of each subject leave an eighth of what they find to others, ${where}`, async (t) => {
    const { budget, claim, evicted } = pooled({ isDurable })
    await claim('anna', 'a', 80, IN_USE)
    await claim('anna', 'b', 7, IN_USE)
    await t.rejects(claim('anna', 'c', 1, IN_USE), ONE_LICENCE)
    t.notOk(budget.openReservation('anna').fits(bytes(1)))
    t.throws(() => budget.openReservation('anna').admit(bytes(1)), ONE_LICENCE)
    await t.rejects(budget.openReservation('anna').reserve(bytes(1)), ONE_LICENCE)
    t.ok(budget.openReservation('anna').fits(bytes(-1)), 'what makes it lighter is no growth')
    await claim('bob', 'd', 11, IN_USE)
    await t.rejects(claim('bob', 'e', 1, IN_USE), ONE_LICENCE)
    await claim('carol', 'f', 1, IN_USE)
    t.same(evicted, [])
  })

  t.test(`its own idle actors make way for one of a subject that has its share, ${where}`, async (t) => {
    const { claim, evicted } = pooled({ isDurable })
    await claim('bob', 'old', 5)
    await claim('anna', 'a', 40)
    await claim('anna', 'b', 40)
    await claim('anna', 'c', 20, IN_USE)
    t.same(evicted, ['a'], 'not the one that was not used for longest')
  })

  t.test(`what would not make enough room is not put away, ${where}`, async (t) => {
    const { budget, claim, evicted } = pooled({ isDurable })
    await claim('anna', 'a', 50, IN_USE)
    await claim('anna', 'b', 20)
    await claim('bob', 'c', 20)
    await t.rejects(claim('anna', 'd', 60), { code: 'memory_exhausted' })
    t.throws(() => budget.openReservation('carol').admit(bytes(60)), { code: 'memory_exhausted' })
    t.same(evicted, [])
  })

  t.test(`an actor that comes back may weigh more than the share of its subject, with nothing beside it, ${where}`, async (t) => {
    const { budget, make, claim, evicted } = pooled({ isDurable })
    await claim('anna', 'idle', 10)
    const used = make('anna', 'used', IN_USE)
    budget.set(used, bytes(5))
    const large = make('anna', 'large', IN_USE)
    await t.rejects(budget.reclaim(large, bytes(95)), ONE_LICENCE, 'there would be room, but not in its share')
    budget.set(used, WEIGHTLESS)
    await budget.reclaim(large, bytes(95))
    t.same(evicted, ['idle'])
    t.throws(() => budget.openReservation('anna').admit(bytes(1)), ONE_LICENCE, 'it does not grow')
  })

  t.test(`what others have makes no room in the share of a subject, ${where}`, async (t) => {
    const { budget, claim, evicted } = pooled({ isDurable })
    await claim('anna', 'a', 80, IN_USE)
    await claim('bob', 'b', 15)
    t.throws(() => budget.openReservation('anna').admit(bytes(10)), { code: 'memory_exhausted' })
    t.same(evicted, [])
  })

  t.test(`without licences the one subject has all of it, ${where}`, async (t) => {
    const { claim } = pooled({ isDurable })
    await claim(ANONYMOUS_SUBJECT, 'a', 99, IN_USE)
    await claim(ANONYMOUS_SUBJECT, 'b', 1, IN_USE)
    await t.rejects(claim(ANONYMOUS_SUBJECT, 'c', 1), { code: 'memory_exhausted', message: /what sessions hold may take/ })
  })
}

t.test('what comes waits for the actors that are asked to go, for two seconds at most', async (t) => {
  const clock = createManualClock()
  const budget = createNodeBudget({ clock, counters: { count: () => undefined }, isDurable: true, actors: HUNDRED, work: ALL })
  const idle = createEntry({ kind: 'session', subject: 'bob', id: 'idle' }, 0)
  budget.set(idle, bytes(90))
  let asked = 0
  budget.add({ candidates: () => [idle], evict: () => void (asked += 1) })
  const refused = t.rejects(budget.openReservation('anna').reserve(bytes(50)), { code: 'memory_exhausted' })
  await clock.advance(1_999)
  const entered = budget.openReservation('anna').reserve(bytes(50))
  await clock.advance(1)
  await refused
  budget.set(idle, WEIGHTLESS)
  await entered
  t.ok(asked > 0)
})

t.test('where actors come back, those of others that are idle take nothing from a share', async (t) => {
  const { claim, evicted } = pooled({ isDurable: true })
  for (const id of ['a', 'b', 'c', 'd']) await claim('bob', id, 20)
  await claim('anna', 'e', 38, IN_USE)
  t.same(evicted, ['a'])
  await claim('anna', 'f', 40, IN_USE)
  t.same(evicted, ['a', 'b', 'c'])
})

t.test('where actors do not come back, those of a subject that holds less stay, and take from the share', async (t) => {
  const { claim, evicted } = pooled({ isDurable: false })
  await claim('bob', 'a', 20)
  await claim('anna', 'b', 60, IN_USE)
  await t.rejects(claim('anna', 'c', 15, IN_USE), ONE_LICENCE)
  t.same(evicted, [])
  await claim('carol', 'd', 30)
  t.same(evicted, ['a'], 'who holds less yet is let in')
})

t.test('work that is taken once its command was answered counts nothing, unless it begins anew', async (t) => {
  const { budget, held } = start({ work: HUNDRED })
  const hold = budget.openHold('command', 'anna')
  hold.take(bytes(10))
  hold.free()
  hold.take(bytes(5))
  t.equal(held(), 5)
  hold.close()
  hold.take(bytes(20))
  t.equal(held(), 0)
})
