import fc from 'fast-check'
import t from 'tap'
import { createFairQueue } from '../../src/domain/fair-queue.js'

t.test('a subject with many items takes turns with one that has few', async (t) => {
  const queue = createFairQueue<string>()
  for (let n = 0; n < 100; n++) queue.push('loud', `loud ${String(n)}`)
  queue.push('quiet', 'quiet 0')
  queue.push('quiet', 'quiet 1')
  const taken = Array.from({ length: 5 }, () => {
    const item = queue.take() ?? ''
    queue.charge(item.split(' ')[0] ?? '', 1)
    return item
  })
  t.strictSame(taken, ['loud 0', 'quiet 0', 'loud 1', 'quiet 1', 'loud 2'])
  t.equal(queue.size(), 97)
})

t.test('a subject whose items cost more gets fewer of them done', async (t) => {
  const queue = createFairQueue<'dear' | 'cheap'>()
  const done = { dear: 0, cheap: 0 }
  for (let n = 0; n < 1_000; n++) {
    queue.push('dear', 'dear')
    queue.push('cheap', 'cheap')
  }
  for (let n = 0; n < 220; n++) {
    const item = queue.take() ?? 'cheap'
    done[item] += 1
    queue.charge(item, item === 'dear' ? 10 : 1)
  }
  t.strictSame(done, { dear: 20, cheap: 200 })
})

t.test('a subject that was away has saved nothing up, and owes what it has used beyond its share', async (t) => {
  const queue = createFairQueue<string>()
  const work = (subject: string, cost: number) => {
    queue.push(subject, subject)
    t.equal(queue.take(), subject)
    queue.charge(subject, cost)
  }
  for (let n = 0; n < 100; n++) work('steady', 10)
  for (let n = 0; n < 3; n++) for (const subject of ['late', 'steady']) queue.push(subject, subject)
  const taken = Array.from({ length: 4 }, () => {
    const subject = queue.take() ?? ''
    queue.charge(subject, 10)
    return subject
  })
  t.strictSame(taken, ['late', 'steady', 'late', 'steady'])
  t.equal(queue.take(), 'late')
  queue.charge('late', 1_000)
  t.equal(queue.take(), 'steady')
  queue.push('late', 'late again')
  for (let n = 0; n < 50; n++) {
    queue.push('steady', 'steady')
    t.equal(queue.take(), 'steady')
    queue.charge('steady', 10)
  }
})

t.test('a paused subject keeps its items until it goes on', async (t) => {
  const queue = createFairQueue<string>()
  queue.pause('a')
  queue.push('a', 'a0')
  queue.push('b', 'b0')
  t.equal(queue.peek(), 'b0')
  t.equal(queue.take(), 'b0')
  t.equal(queue.take(), undefined)
  t.equal(queue.size(), 1)
  queue.resume('a')
  t.equal(queue.take(), 'a0')
  t.equal(queue.size(), 0)
  t.equal(queue.subjects(), 0)
})

t.test('items that are taken out are never taken', async (t) => {
  const queue = createFairQueue<string>()
  queue.push('a', 'a0')
  queue.push('a', 'a1')
  t.ok(queue.remove('a', 'a0'))
  t.notOk(queue.remove('a', 'a0'))
  t.notOk(queue.remove('b', 'b0'))
  t.equal(queue.sizeOf('a'), 1)
  t.equal(queue.take(), 'a1')
  t.equal(queue.sizeOf('a'), 0)
})

t.test(
  'whatever comes, each subject keeps its own order, nothing is lost, and no subject that waits falls behind by more than one item',
  async () => {
    const arrival = fc.record({ subject: fc.constantFrom('a', 'b', 'c', 'd'), cost: fc.integer({ min: 1, max: 50 }) })
    fc.assert(
      fc.property(fc.array(arrival, { minLength: 1, maxLength: 200 }), (arrivals) => {
        const queue = createFairQueue<{ subject: string; cost: number; at: number }>()
        arrivals.forEach((item, at) => queue.push(item.subject, { ...item, at }))
        const last = new Map<string, number>()
        const used = new Map<string, number>()
        for (let left = arrivals.length; left > 0; left--) {
          const item = queue.take()
          if (item === undefined || item.at < (last.get(item.subject) ?? -1)) return false
          last.set(item.subject, item.at)
          // All came at once: who is served has used least of those that wait.
          const least = Math.min(
            ...['a', 'b', 'c', 'd'].filter((name) => name === item.subject || queue.sizeOf(name) > 0).map((name) => used.get(name) ?? 0)
          )
          if ((used.get(item.subject) ?? 0) > least) return false
          used.set(item.subject, (used.get(item.subject) ?? 0) + item.cost)
          queue.charge(item.subject, item.cost)
        }
        return queue.take() === undefined && queue.size() === 0
      })
    )
  }
)

t.test('accounts of very many subjects are not kept for ever, and those that wait are served all the same', async (t) => {
  const queue = createFairQueue<string>()
  queue.push('first', 'first')
  for (let n = 0; n < 10_000; n++) queue.charge(`s${String(n)}`, 1)
  queue.push('last', 'last')
  t.strictSame([queue.take(), queue.take(), queue.take()], ['first', 'last', undefined])
})
