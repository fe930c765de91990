import fc from 'fast-check'
import t from 'tap'
import { createFairQueue } from '../../../src/domain/fairness/fair-queue.js'

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

t.test('within the slack subjects are served in turns, so that what was begun is ended before much is begun behind it', async (t) => {
  const served = (slack: number): string[] => {
    const queue = createFairQueue<string>({ slack })
    for (const subject of ['a', 'b', 'c']) queue.push(subject, subject)
    return Array.from({ length: 12 }, (_, n) => {
      const subject = queue.take() ?? ''
      queue.charge(subject, 1)
      // Each subject adds a second item, and a new subject comes with every turn.
      if (n < 3) queue.push(subject, subject)
      queue.push(`new ${String(n)}`, `new ${String(n)}`)
      return subject
    })
  }
  t.strictSame(served(0).slice(0, 6), ['a', 'b', 'c', 'new 0', 'new 1', 'new 2'])
  t.strictSame(served(1).slice(0, 8), ['a', 'b', 'c', 'a', 'new 0', 'b', 'new 1', 'c'])
})

t.test('beyond the slack who was charged less comes first, and gets as much', async (t) => {
  const queue = createFairQueue<'dear' | 'cheap'>({ slack: 25 })
  const used = { dear: 0, cheap: 0 }
  for (let n = 0; n < 1_000; n++) for (const subject of ['dear', 'cheap'] as const) queue.push(subject, subject)
  for (let n = 0; n < 220; n++) {
    const subject = queue.take() ?? 'cheap'
    const cost = subject === 'dear' ? 10 : 1
    used[subject] += cost
    queue.charge(subject, cost)
    t.ok(Math.abs(used.dear - used.cheap) <= 25 + 10)
  }
})

t.test('a subject is ahead by so much at most, whatever it was charged at once', async (t) => {
  const queue = createFairQueue<string>({ aheadMax: 5 })
  queue.push('a', 'a0')
  t.equal(queue.take(), 'a0')
  queue.charge('a', 1_000)
  queue.push('a', 'a1')
  for (let n = 0; n < 5; n++) {
    queue.push('b', 'b')
    t.equal(queue.take(), 'b')
    queue.charge('b', 1)
  }
  queue.push('b', 'b')
  t.equal(queue.take(), 'a1')
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

t.test('a subject that goes on without a pause keeps its items and its turn', async (t) => {
  const queue = createFairQueue<string>()
  queue.resume('a')
  for (const item of ['a0', 'a1']) queue.push('a', item)
  queue.push('b', 'b0')
  queue.resume('a')
  t.strictSame([queue.take(), queue.take(), queue.take(), queue.take()], ['a0', 'b0', 'a1', undefined])
})

t.test('a pause takes nothing off what a subject was charged', async (t) => {
  const queue = createFairQueue<string>()
  queue.push('b', 'b0')
  queue.charge('a', 10)
  queue.pause('a')
  queue.resume('a')
  queue.push('a', 'a0')
  queue.push('b', 'b1')
  t.strictSame([queue.take(), queue.take(), queue.take()], ['b0', 'b1', 'a0'])
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

t.test('whatever comes, each subject keeps its own order, and nothing is lost', async () => {
  const arrival = fc.record({ subject: fc.constantFrom('a', 'b', 'c', 'd'), cost: fc.integer({ min: 1, max: 50 }) })
  fc.assert(
    fc.property(fc.array(arrival, { minLength: 1, maxLength: 200 }), fc.constantFrom(0, 20), (arrivals, slack) => {
      const queue = createFairQueue<{ subject: string; cost: number; at: number }>({ slack })
      arrivals.forEach((item, at) => queue.push(item.subject, { ...item, at }))
      const last = new Map<string, number>()
      for (let left = arrivals.length; left > 0; left--) {
        const item = queue.take()
        if (item === undefined || item.at < (last.get(item.subject) ?? -1)) return false
        last.set(item.subject, item.at)
        queue.charge(item.subject, item.cost)
      }
      return queue.take() === undefined && queue.size() === 0
    })
  )
})

t.test('subjects that always have work get the same within a fifth and some items, whatever these cost', async () => {
  const costs = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 2, maxLength: 20 })
  fc.assert(
    fc.property(costs, (given) => {
      const queue = createFairQueue<number>()
      const used = given.map(() => 0)
      for (const at of given.keys()) queue.push(String(at), at)
      for (let turn = 0; turn < 2_000; turn++) {
        const at = queue.take() as number
        const cost = given[at] as number
        queue.push(String(at), at)
        queue.charge(String(at), cost)
        used[at] = (used[at] as number) + cost
      }
      return Math.min(...used) >= 0.8 * Math.max(...used) - 2 * Math.max(...given)
    })
  )
})

t.test(
  'a subject that is ahead waits until each of those beside it was charged as much, however many new ones come meanwhile',
  async (t) => {
    const queue = createFairQueue<string>()
    let fresh = 0
    const arrive = (): void => queue.push(`new ${String(fresh)}`, `new ${String(fresh++)}`)
    arrive()
    queue.push('ahead', 'ahead')
    queue.charge('ahead', 40)
    for (let n = 0; n < 9; n++) arrive()
    let charged = 0
    for (let subject = queue.take() ?? ''; subject !== 'ahead'; subject = queue.take() ?? '') {
      queue.charge(subject, 2)
      charged += 2
      arrive()
    }
    t.ok(charged >= 40 && charged <= 24 * 40, String(charged))
  }
)

t.test('accounts of very many subjects are not kept for ever, and those that wait are served all the same', async (t) => {
  const queue = createFairQueue<string>()
  queue.push('first', 'first')
  for (let n = 0; n < 10_000; n++) queue.charge(`s${String(n)}`, 1)
  t.equal(queue.sizeOf('first'), 1)
  queue.push('last', 'last')
  t.strictSame([queue.take(), queue.take(), queue.take()], ['first', 'last', undefined])
})

t.test('a paused subject stays so when accounts of others are forgotten', async (t) => {
  const queue = createFairQueue<string>()
  queue.pause('paused')
  for (let n = 0; n < 10_000; n++) queue.charge(`s${String(n)}`, 1)
  queue.push('paused', 'later')
  t.equal(queue.take(), undefined)
  queue.resume('paused')
  t.equal(queue.take(), 'later')
})

t.test('subjects that wait cost nobody the memory of what was used before', async (t) => {
  const queue = createFairQueue<string>()
  queue.charge('debtor', 1_000)
  for (let n = 0; n < 1_000; n++) queue.push(`s${String(n)}`, `s${String(n)}`)
  for (const subject of ['debtor', 'late']) queue.push(subject, subject)
  const taken = Array.from({ length: 1_002 }, () => queue.take())
  t.equal(taken.at(-1), 'debtor')
})

t.test('what idle subjects have used is forgotten once there are very many of them', async (t) => {
  const queue = createFairQueue<string>()
  queue.charge('debtor', 1_000)
  for (let n = 0; n < 1_100; n++) queue.charge(`s${String(n)}`, 1)
  queue.push('debtor', 'debtor')
  queue.push('other', 'other')
  t.equal(queue.take(), 'debtor')
})
