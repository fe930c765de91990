import fc from 'fast-check'
import t from 'tap'
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
      t.same([...queue.by(now)].sort(), [...held].flatMap(([id, at]) => (at <= now ? [id] : [])).sort())
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
  t.same([queue.size, queue.next(), [...queue.by(9)], [...queue]], [0, null, [], []])
})
