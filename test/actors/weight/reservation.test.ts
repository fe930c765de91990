/** Room that is reserved for commands, and how many idle actors are put away for it. */
import t from 'tap'
import { createEntry } from '../../../actors/runtime/entry.js'
import { createNodeBudget } from '../../../actors/weight/node-budget.js'
import { totalOf, type Weight, WEIGHTLESS } from '../../../src/domain/fairness/weight.js'
import { createManualClock } from '../../support/manual-clock.js'

const ALL = { heap: Infinity, total: Infinity }
const ONE_LICENCE = { code: 'memory_exhausted', message: /what sessions of one licence hold may take/ }

const bytes = (heap: number, buffers = 0): Weight => ({ heap, buffers })

function createBudget(actors: number) {
  const [clock, counters] = [createManualClock(), { count: () => undefined }]
  return createNodeBudget({ clock, counters, isDurable: true, actors: { heap: actors, total: actors }, work: ALL })
}

/** A node of 100 bytes with sessions of one subject, all in use. */
function inUse() {
  const budget = createBudget(100)
  const session = (id: string, weight: number): void => budget.set(createEntry({ kind: 'session', subject: 'bob', id }, 0), bytes(weight))
  return { budget, session }
}

t.test('what a command was given room for is kept for it until it ends, and its own step has it', async (t) => {
  const { budget, session } = inUse()
  session('a', 40)
  const [first, second] = [budget.openReservation('bob'), budget.openReservation('bob')]
  t.ok(first.tryReserve(bytes(30)))
  t.equal(budget.heldBy('bob'), 70)
  t.ok(first.tryReserve(bytes(20)), 'less in all is kept already')
  t.equal(budget.heldBy('bob'), 70)
  session('b', 17)
  t.notOk(second.fits(bytes(1)))
  t.notOk(second.tryReserve(bytes(1)))
  await t.rejects(second.reserve(bytes(1)), ONE_LICENCE)
  t.throws(() => second.admit(bytes(1)), ONE_LICENCE)
  t.ok(first.fits(bytes(30)))
  first.admit(bytes(30))
  t.throws(() => first.admit(bytes(31)), ONE_LICENCE, 'and no more')
  first.release()
  first.release()
  t.equal(budget.heldBy('bob'), 57)
  t.ok(second.tryReserve(bytes(30)))
  t.same(
    budget.held().filter(({ weight }) => totalOf(weight) > 0),
    [
      { kind: 'session', weight: bytes(57) },
      { kind: 'growth', weight: bytes(30) }
    ]
  )
  second.release()
})

t.test(
  'what is kept is there for its command, on the heap and beside it, although the node is full beyond its memory by now',
  async (t) => {
    const { budget, session } = inUse()
    const reservation = budget.openReservation('bob')
    t.ok(reservation.tryReserve(bytes(20, 10)))
    session('a', 200)
    t.ok(reservation.fits(bytes(20, 10)))
    t.ok(reservation.tryReserve(bytes(5, 10)))
    reservation.admit(bytes(20, 10))
    t.notOk(reservation.fits(bytes(20, 11)))
    t.notOk(reservation.fits(bytes(21, 10)))
    t.throws(() => reservation.admit(bytes(20, 11)), ONE_LICENCE)
  }
)

t.test('what a command gives free counts for what it takes', async (t) => {
  const { budget, session } = inUse()
  session('a', 200)
  const reservation = budget.openReservation('bob')
  t.ok(reservation.fits(bytes(-10, 10)))
  t.notOk(reservation.fits(bytes(-10, 11)))
})

t.test('a command that ends without having kept anything leaves no trace in what is held', async (t) => {
  const { budget, session } = inUse()
  session('a', 40)
  const reservation = budget.openReservation('bob')
  reservation.release()
  t.ok(reservation.tryReserve(WEIGHTLESS))
  reservation.close()
  t.same(budget.held(), [{ kind: 'session', weight: bytes(40) }])
})

/** A node with `count` idle actors of 1 byte each, by default full. They are put away when the test says so. */
function crowd(actors: number, count = actors) {
  const budget = createBudget(actors)
  const idle = new Set(Array.from({ length: count }, (_, n) => createEntry({ kind: 'session', subject: 'bob', id: String(n) }, n)))
  const asked: ReturnType<typeof createEntry>[] = []
  const searches = { count: 0 }
  budget.add({
    *candidates() {
      searches.count += 1
      yield* idle
    },
    evict: (entry) => void asked.push(entry as ReturnType<typeof createEntry>)
  })
  for (const entry of idle) budget.set(entry, bytes(1))
  const putAway = (): void => {
    for (const entry of asked.splice(0)) {
      idle.delete(entry)
      budget.set(entry, WEIGHTLESS)
    }
  }
  return { budget, asked, searches, putAway }
}

t.test('on a full node a 64th makes way at once, least recently used first, so that not every command looks for some', async (t) => {
  const { budget, asked, searches, putAway } = crowd(640)
  const keeps = Array.from({ length: 100 }, () => budget.openReservation('anna'))
  for (const reservation of keeps) {
    const made = reservation.reserve(bytes(1))
    putAway()
    await made
  }
  t.ok(searches.count < 40, `${String(searches.count)} searches for 100`)
  t.equal(budget.heldBy('anna'), 100)
  t.ok(budget.heldBy('bob') >= 640 - 100 - 11, 'and no more than that')
  t.same(asked, [])
})

t.test('commands that wait at once for what is on its way out all find room, and none looks again', async (t) => {
  const { budget, asked, searches, putAway } = crowd(640)
  const made = Array.from({ length: 10 }, () => budget.openReservation('anna').reserve(bytes(1)))
  t.equal(asked.length, 11)
  t.same(
    asked.map(({ address }) => address.id),
    Array.from({ length: 11 }, (_, n) => String(n))
  )
  const before = searches.count
  putAway()
  await Promise.all(made)
  t.ok(searches.count - before <= 2)
})

t.test('a share that idle actors of others leave is not looked for again until the subject has grown by a 64th', async (t) => {
  const { budget, searches } = crowd(6_400, 3_200)
  t.ok(budget.openReservation('anna').tryReserve(bytes(2_000)))
  t.equal(searches.count, 0)
  t.ok(budget.openReservation('anna').tryReserve(bytes(900)), 'beyond seven eighths of what is free')
  t.equal(searches.count, 1)
  for (let n = 0; n < 100; n++) t.ok(budget.openReservation('anna').tryReserve(bytes(1)))
  t.equal(searches.count, 1)
  t.ok(budget.openReservation('anna').tryReserve(bytes(1)))
  t.equal(searches.count, 2)
})

t.test('room that is found for a command that has begun anew meanwhile, or was answered, is not kept', async (t) => {
  for (const over of ['release', 'close'] as const) {
    const { budget, putAway } = crowd(64)
    const reservation = budget.openReservation('anna')
    const made = reservation.reserve(bytes(1))
    reservation[over]()
    putAway()
    await made
    t.equal(budget.heldBy('anna'), 0, over)
    t.ok(reservation.tryReserve(bytes(1)))
    t.equal(budget.heldBy('anna'), over === 'release' ? 1 : 0, over)
  }
})

t.test('an actor that came back and is idle again may be asked to go again', async (t) => {
  const budget = createBudget(100)
  const entry = createEntry({ kind: 'session', subject: 'bob', id: 'a' }, 0)
  let asked = 0
  budget.add({
    candidates: () => [entry],
    evict() {
      asked += 1
      budget.set(entry, WEIGHTLESS)
    }
  })
  for (let n = 1; n <= 3; n++) {
    budget.set(entry, bytes(60))
    const reservation = budget.openReservation('anna')
    await reservation.reserve(bytes(50))
    reservation.release()
    t.equal(asked, n)
  }
})

t.test('where there is room nothing is looked for, nor asked to go', async (t) => {
  const { budget, searches, asked } = crowd(640, 320)
  const reservation = budget.openReservation('anna')
  reservation.admit(bytes(100))
  await reservation.reserve(bytes(100))
  t.same([searches.count, asked.length], [0, 0])
})
