import t from 'tap'
import { createLeases } from '../../../actors/weight/leases.js'
import type { Address } from '../../../src/domain/address.js'
import type { Weight } from '../../../src/domain/fairness/weight.js'

const bytes = (heap: number): Weight => ({ heap, buffers: 0 })
const session = (id: string): Address => ({ kind: 'session', subject: 'alice', id })

/** Leases, with the bytes still kept by session. */
function keeping() {
  const kept: Record<string, number> = {}
  const add = ({ id }: Address, heap: number): void => void (kept[id] = (kept[id] ?? 0) + heap)
  const leases = createLeases({
    kept: (address, { heap }) => add(address, heap),
    freed: (address, { heap }) => add(address, -heap)
  })
  return { kept, leases }
}

t.test('what an actor lets go of while nobody reads it is gone at once', async (t) => {
  const { kept, leases } = keeping()
  leases.letGo(session('a'), bytes(5))
  const end = leases.open(session('b'))
  leases.letGo(session('a'), bytes(5))
  leases.letGo(session('b'), bytes(0))
  t.same(kept, {})
  t.notOk(leases.isOpen(session('a')))
  t.ok(leases.isOpen(session('b')))
  end()
  t.notOk(leases.isOpen(session('b')))
})

t.test('what it lets go of is kept until the last one has ended who may still read it', async (t) => {
  const { kept, leases } = keeping()
  const first = leases.open(session('a'))
  leases.letGo(session('a'), bytes(1))
  const second = leases.open(session('a'))
  leases.letGo(session('a'), bytes(10))
  leases.letGo(session('a'), bytes(20))
  t.same(kept, { a: 31 })
  second()
  t.same(kept, { a: 31 }, 'the first one may read all of it')
  const third = leases.open(session('a'))
  leases.letGo(session('a'), bytes(100))
  first()
  first()
  t.same(kept, { a: 100 }, 'what went before the third one came, that one never had')
  t.ok(leases.isOpen(session('a')))
  third()
  t.same(kept, { a: 0 })
  t.notOk(leases.isOpen(session('a')))
})

t.test('what went before a lease began is freed with the leases before it, in whatever order they end', async (t) => {
  const { kept, leases } = keeping()
  const ends = [leases.open(session('a'))]
  leases.letGo(session('a'), bytes(1))
  ends.push(leases.open(session('a')))
  leases.letGo(session('a'), bytes(10))
  ends[0]?.()
  t.same(kept, { a: 10 })
  ends[1]?.()
  t.same(kept, { a: 0 })
})
