import t from 'tap'
import { createPendings, hasPending } from '../../../../actors/session/reminders/pendings.js'
import type { Address } from '../../../../src/domain/address.js'

const session = (id: string): Address => ({ kind: 'session', subject: 'alice', id })
const idsOf = (addresses: readonly Address[]) => addresses.map(({ id }) => id)

t.test('a session is asked for again as long as it waits for vectors, and not any more when it has them all', async (t) => {
  const pendings = createPendings()
  pendings.note(session('a'), 2)
  pendings.note(session('b'), 3)
  t.equal(pendings.total(), 5)
  t.same(idsOf(pendings.due(10)), ['a', 'b'])
  pendings.note(session('a'), 0)
  t.equal(pendings.total(), 3)
  t.same(idsOf(pendings.due(100)), ['b'])
  pendings.note(session('b'), 0)
  t.equal(pendings.total(), 0)
  t.same(pendings.due(200), [])
})

t.test('while nothing comes of it a session is asked after a second, and then half as often each time, down to every eight', async (t) => {
  const pendings = createPendings()
  pendings.note(session('a'), 1)
  const asked: number[] = []
  for (let now = 0; now < 40; now += 0.5) {
    if (pendings.due(now).length > 0) asked.push(now)
    pendings.note(session('a'), 1)
  }
  t.same(asked, [0, 1, 3, 7, 15, 23, 31, 39])
  pendings.note(session('a'), 2)
  t.same(idsOf(pendings.due(40)), ['a'], 'something has come of it, or more is waited for')
})

t.test('sessions are asked in turns, 32 a second', async (t) => {
  const pendings = createPendings()
  for (let n = 0; n < 40; n++) pendings.note(session(String(n)), 1)
  const first = idsOf(pendings.due(0))
  t.same(
    first,
    Array.from({ length: 32 }, (_, n) => String(n))
  )
  t.same(idsOf(pendings.due(0.5)), ['32', '33', '34', '35', '36', '37', '38', '39'])
  t.same(idsOf(pendings.due(1)), first)
})

t.test('a clock that was set back keeps no session waiting for longer than the longest pause', async (t) => {
  const pendings = createPendings()
  pendings.note(session('a'), 1)
  t.equal(pendings.due(1_000).length, 1)
  t.same(pendings.due(993), [], 'due at 1,001')
  t.same(idsOf(pendings.due(992.5)), ['a'])
})

t.test('a session with a memory whose vector is still to be made wants to be woken', async (t) => {
  t.ok(hasPending({ pending: { size: 1 } }))
  t.notOk(hasPending({ pending: { size: 0 } }))
})
