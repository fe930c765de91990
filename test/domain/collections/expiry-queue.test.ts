import fc from 'fast-check'
import t from 'tap'
import { inOneGo } from '../../../src/domain/pieces.js'
import { ExpiryQueue } from '../../../src/domain/collections/expiry-queue.js'

const action = fc.record({ id: fc.integer({ min: 0, max: 12 }).map(String), at: fc.option(fc.integer({ min: 0, max: 9 })) })

t.test('a queue tells what a walk through all of it would, after any adding, changing and removing', async (t) => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 400 }), fc.integer({ min: -1, max: 10 }), (actions, now) => {
      const queue = new ExpiryQueue()
      const held = new Map<string, number>()
      for (const { id, at } of actions) {
        if (at === null) {
          queue.delete(id)
          held.delete(id)
        } else {
          queue.add(id, at)
          held.set(id, at)
        }
      }
      t.equal(queue.size, held.size)
      t.equal(queue.next(), held.size === 0 ? null : Math.min(...held.values()))
      t.equal(queue.countBy(now), [...held.values()].filter((at) => at <= now).length)
      t.same([...inOneGo(queue.by(now))].sort(), [...held].flatMap(([id, at]) => (at <= now ? [id] : [])).sort())
      t.same([...queue].sort(), [...held.keys()].sort())
    })
  )
})

t.test('entries that were moved again and again do not pile up', async (t) => {
  const queue = new ExpiryQueue()
  queue.add('a', 0)
  for (let at = 1; at < 10_000; at++) queue.add('a', at)
  const { heap } = queue as unknown as { heap: readonly unknown[] }
  t.ok(heap.length < 100, `${String(heap.length)} entries`)
  t.equal(queue.next(), 9_999)
})

t.test('a cleared queue is empty', async (t) => {
  const queue = new ExpiryQueue()
  queue.add('a', 1)
  queue.clear()
  t.same([queue.size, queue.next(), [...inOneGo(queue.by(9))], [...queue]], [0, null, [], []])
})

const MANY = 10 * 1_024

function manyDue(): { readonly queue: ExpiryQueue; entries(): readonly unknown[]; setEntries(entries: readonly unknown[]): void } {
  const queue = new ExpiryQueue()
  for (let n = 0; n < MANY; n++) queue.add(String(n), (n * 7) % MANY)
  const inner = queue as unknown as { heap: readonly unknown[] }
  return { queue, entries: () => inner.heap, setEntries: (entries) => (inner.heap = entries) }
}

t.test('many ids whose time has come are found in pieces', async (t) => {
  const work = manyDue().queue.by(MANY)
  let pieces = 0
  while (work.next().done !== true) pieces += 1
  t.equal(pieces, 10)
})

t.test('how many there are is counted once, until the time of the next one', async (t) => {
  const { queue, entries, setEntries } = manyDue()
  let looked = 0
  const counting = { get: (list: readonly unknown[], at: string) => (looked++, list[at as keyof typeof list]) }
  setEntries(new Proxy(entries(), counting))
  t.equal(queue.countBy(4_999.5), 5_000)
  t.ok(looked >= 5_000)
  looked = 0
  for (const now of [4_999.5, 4_999.9]) t.equal(queue.countBy(now), 5_000)
  t.equal(looked, 0)
  t.equal(queue.countBy(5_000), 5_001, 'the next one')
  t.equal(queue.countBy(4_998), 4_999, 'of a clock that was set back')
  queue.delete('0')
  t.equal(queue.countBy(4_998), 4_998)
})

t.test('removed ones in front of the next one go together', async (t) => {
  const { queue, entries } = manyDue()
  for (let n = 0; n < MANY; n++) if ((n * 7) % MANY < MANY / 2) queue.delete(String(n))
  t.equal(entries().length, MANY)
  t.equal(queue.next(), MANY / 2)
  t.equal(entries().length, MANY / 2)
})
