import t from 'tap'
import { type Evictables, findVictims, type Holder } from '../../../actors/weight/victims.js'

const holder = (subject: string, id: string, touchedAtMs: number): Holder => ({
  address: { kind: 'session', subject, id },
  weight: { heap: 1, buffers: 0 },
  touchedAtMs
})
const pool = (...entries: readonly Holder[]): Evictables => ({ candidates: () => entries, evict: () => undefined })

const SESSIONS = pool(holder('alice', 'a1', 1), holder('bob', 'b1', 4), holder('alice', 'a2', 5), holder('carol', 'c1', 7))
const CLUSTERS = pool(holder('bob', 'b2', 2), holder('bob', 'b3', 6))
const HELD: Readonly<Record<string, number>> = { alice: 20, bob: 30, carol: 10 }

function victims(subject: string, { isDurable, read = '' }: { isDurable: boolean; read?: string }) {
  const heldBy = (other: string): number => HELD[other] ?? 0
  const found = findVictims({ pools: [SESSIONS, CLUSTERS], subject, isDurable, heldBy, isRead: ({ id }) => id === read })
  const idsOf = (all: Iterable<{ readonly entry: Holder }>) => [...all].map(({ entry }) => entry.address.id)
  return { own: idsOf(found.own()), all: idsOf(found.all()) }
}

t.test('where nothing is lost the least recently used of all catalogs go first, whosever they are', async (t) => {
  t.same(victims('alice', { isDurable: true }), { own: ['a1', 'a2'], all: ['a1', 'b2', 'b1', 'a2', 'b3', 'c1'] })
  t.same(victims('nobody', { isDurable: true }).own, [])
})

t.test('where an evicted actor is lost, the subject that holds most pays first, and none that holds less than the asker', async (t) => {
  t.same(victims('alice', { isDurable: false }), { own: ['a1', 'a2'], all: ['b2', 'b1', 'b3', 'a1', 'a2'] })
  t.same(victims('bob', { isDurable: false }).all, ['b2', 'b1', 'b3'])
  t.same(victims('new', { isDurable: false }).all, ['b2', 'b1', 'b3', 'a1', 'a2', 'c1'])
})

t.test('an actor that an answer is still made of does not go: it would free nothing', async (t) => {
  for (const isDurable of [true, false]) {
    const found = victims('alice', { isDurable, read: 'a1' })
    t.same(found.own, ['a2'])
    t.notOk(found.all.includes('a1'))
  }
})
