/** Shared counts of nodes without a network: each test delivers the messages itself. */
import t from 'tap'
import {
  createRequestCounts,
  type RequestCounts,
  REPORTED_MAX,
  toCountsReport,
  WINDOW_MS
} from '../../../src/domain/fairness/request-counts.js'

const A = '192.0.2.1'

/** A node whose clock is `aheadMs` ahead of the test's. */
function node(name: string, aheadMs = 0, addressesMax?: number) {
  const state = { counts: createRequestCounts(addressesMax), run: `${name}-1` }
  const marks = new Map<object, number>()
  return {
    count: (nowMs: number, address = A) => state.counts.count(address, nowMs + aheadMs),
    hear: (from: string, told: Parameters<RequestCounts['hear']>[1], nowMs: number) => state.counts.hear(from, told, nowMs + aheadMs),
    since: (mark: number, nowMs: number) => state.counts.since(mark, nowMs + aheadMs),
    tell(
      other: { hear: (from: string, told: Parameters<RequestCounts['hear']>[1], nowMs: number) => void },
      sentMs: number,
      heardMs = sentMs
    ) {
      const { counts, mark } = state.counts.since(marks.get(other) ?? 0, sentMs + aheadMs)
      marks.set(other, mark)
      const told = { run: state.run, counts }
      other.hear(name, told, heardMs)
      return told
    },
    restart() {
      state.counts = createRequestCounts(addressesMax)
      state.run = `${name}-2`
      marks.clear()
    }
  }
}

function times(count: number, act: () => unknown): void {
  for (let at = 0; at < count; at++) act()
}

t.test('counts of three nodes whose clocks differ are one sum', async (t) => {
  const nodes = [node('n1'), node('n2', 5_000_000), node('n3', 123)]
  for (const [at, one] of nodes.entries()) {
    times(10 + at, () => one.count(1_000))
    for (const other of nodes) if (other !== one) one.tell(other, 1_010, 1_060)
  }
  for (const one of nodes) t.equal(one.count(2_000), 10 + 11 + 12 + 1)
})

t.test('what is told twice, late or in another order counts once', async (t) => {
  const [n1, n2] = [node('n1'), node('n2')]
  times(5, () => n1.count(0))
  const early = n1.tell(n2, 10)
  times(5, () => n1.count(20))
  const late = n1.tell(n2, 30)
  for (const told of [early, late, early]) n2.hear('n1', told, 40)
  t.equal(n2.count(50), 11)
})

t.test('only what changed is told, the longest untold first, so many in a message', async (t) => {
  const n1 = node('n1')
  for (let at = 0; at < REPORTED_MAX + 3; at++) n1.count(0, `10.0.0.${at}`)
  n1.count(0, '10.0.0.0')
  const first = n1.since(0, 5)
  t.equal(first.counts.length, REPORTED_MAX)
  t.strictSame(first.counts[0], ['10.0.0.1', 5, 1])
  const second = n1.since(first.mark, 5)
  t.strictSame(second.counts, [
    ['10.0.0.501', 5, 1],
    ['10.0.0.502', 5, 1],
    ['10.0.0.0', 5, 2]
  ])
  t.strictSame(n1.since(second.mark, 5), { counts: [], mark: second.mark })
})

t.test('what was heard is not told on', async (t) => {
  const [n1, n2, n3] = [node('n1'), node('n2'), node('n3')]
  n1.count(0)
  n1.tell(n2, 10)
  n2.tell(n3, 20)
  t.equal(n3.count(30), 1)
})

t.test('a node that joins is told what the others have counted', async (t) => {
  const [n1, n2, n3] = [node('n1'), node('n2'), node('n3')]
  times(20, () => n1.count(0))
  times(7, () => n2.count(0))
  n1.tell(n2, 10)
  for (const one of [n1, n2]) one.tell(n3, 30_000)
  t.equal(n3.count(30_100), 28)
  // The window is that of the node that began it first.
  t.equal(n3.count(WINDOW_MS - 1), 29)
  t.equal(n3.count(WINDOW_MS), 1)
})

t.test('a node that leaves takes nothing with it', async (t) => {
  const [n1, n2] = [node('n1'), node('n2')]
  times(20, () => n1.count(0))
  n1.tell(n2, 10)
  t.equal(n2.count(40_000), 21)
})

t.test('a node that starts again adds what it lets through now, once', async (t) => {
  const [n1, n2] = [node('n1'), node('n2')]
  times(20, () => n1.count(0))
  n1.tell(n2, 10)
  n1.restart()
  times(3, () => n1.count(1_000))
  const told = n1.tell(n2, 1_010)
  n2.hear('n1', told, 1_020)
  t.equal(n2.count(1_030), 24)
  n2.tell(n1, 1_040)
  t.equal(n1.count(1_050), 5)
})

t.test('nodes that were cut off from each other count alone, and together again once they hear', async (t) => {
  const [n1, n2] = [node('n1'), node('n2')]
  times(20, () => n1.count(0))
  times(15, () => n2.count(40_000))
  n1.tell(n2, 45_000)
  n2.tell(n1, 45_000)
  for (const one of [n1, n2]) {
    t.equal(one.count(45_100), 36)
    t.equal(one.count(WINDOW_MS - 1), 37)
    t.equal(one.count(WINDOW_MS), 1)
  }
})

t.test('the next window begins for all with the first request that any of them counts in it', async (t) => {
  const [n1, n2] = [node('n1'), node('n2')]
  n1.count(0)
  n1.tell(n2, 250, 300)
  times(9, () => n2.count(59_990))
  // The window is over on one node, and a message's time longer on the other.
  times(2, () => n1.count(WINDOW_MS + 10))
  n2.tell(n1, WINDOW_MS + 20)
  t.equal(n1.count(WINDOW_MS + 25), 3, 'the last of the old one is not counted in the new one')
  n1.tell(n2, WINDOW_MS + 30)
  t.equal(n2.count(WINDOW_MS + 35), 4, 'the new one is believed')
  t.equal(n2.count(2 * WINDOW_MS + 9), 5)
  t.equal(n2.count(2 * WINDOW_MS + 10), 1)
})

t.test('what is over is neither told nor taken', async (t) => {
  const [n1, n2] = [node('n1'), node('n2')]
  n1.count(0)
  t.strictSame(n1.since(0, WINDOW_MS).counts, [])
  n2.hear(
    'n1',
    {
      run: 'r',
      counts: [
        [A, WINDOW_MS, 100],
        [A, Infinity, 100]
      ]
    },
    0
  )
  t.equal(n2.count(0), 1)
})

t.test('with as many addresses as are remembered, the least recently used begins anew, wherever they came from', async (t) => {
  const [n1, n2] = [node('n1', 0, 3), node('n2')]
  for (const address of ['a', 'b', 'c']) n1.count(0, address)
  t.equal(n1.count(1, 'a'), 2)
  n2.count(0, 'd')
  n2.tell(n1, 2)
  t.equal(n1.count(3, 'a'), 3)
  t.equal(n1.count(3, 'd'), 2)
  t.equal(n1.count(3, 'b'), 1)
})

t.test('two addresses have counts of their own', async (t) => {
  const [n1, n2] = [node('n1'), node('n2')]
  times(5, () => n1.count(0, '192.0.2.2'))
  n1.tell(n2, 10)
  t.equal(n2.count(20), 1)
})

t.test('what no node tells is nothing', async (t) => {
  const good = { run: 'r', counts: [[A, 0, 1]] }
  t.strictSame(toCountsReport({ ...good, more: 1 }), good)
  const counts = [
    null,
    'text',
    [null],
    [[A]],
    [[A, 0]],
    [[A, -1, 1]],
    [[A, Number.NaN, 1]],
    [[A, 0, 0]],
    [[A, 0, 1.5]],
    [[A, 0, 2 ** 53]],
    [['', 0, 1]],
    [['a'.repeat(65), 0, 1]],
    [[7, 0, 1]],
    [[A, 0, 1, 1]],
    Array.from({ length: REPORTED_MAX + 1 }, () => [A, 0, 1])
  ]
  for (const bad of counts) t.equal(toCountsReport({ run: 'r', counts: bad }), null, JSON.stringify(bad).slice(0, 40))
  for (const body of [null, undefined, 7, [], {}, { ...good, run: '' }, { ...good, run: 'r'.repeat(65) }, { ...good, run: 7 }])
    t.equal(toCountsReport(body), null)
})
