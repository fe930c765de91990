import t from 'tap'
import {
  allowancesOf,
  connectionsOf,
  defaultLimitBytes,
  isWithin,
  shareOf,
  tracesBytesOf,
  remainingAfter
} from '../../../src/domain/fairness/allowances.js'

const MB = 1024 * 1024

t.test('memory that is left beside the program is counted out, a quarter of it to work', async (t) => {
  t.same(allowancesOf({ limitBytes: 1_160 * MB, heapLimitBytes: 664 * MB }), {
    actors: { heap: 390 * 0.75 * MB, total: 450 * MB },
    work: { heap: 390 * 0.25 * MB, total: 150 * MB }
  })
})

t.test('a small process counts out a fifth of what it has', async (t) => {
  t.same(allowancesOf({ limitBytes: 100 * MB, heapLimitBytes: 50 * MB }), {
    actors: { heap: 7.5 * MB, total: 15 * MB },
    work: { heap: 2.5 * MB, total: 5 * MB }
  })
})

t.test('the heap is given no more than there is of everything', async (t) => {
  const { actors, work } = allowancesOf({ limitBytes: 200 * MB, heapLimitBytes: 4_096 * MB })
  t.same([actors.heap, work.heap], [actors.total, work.total])
})

t.test('counted bytes are whole', async (t) => {
  const { actors, work } = allowancesOf({ limitBytes: 100_000_001, heapLimitBytes: 90_000_007 })
  const traces = tracesBytesOf({ limitBytes: 1_000_001, heapLimitBytes: 1_000_001, eventsMax: 2_048 })
  t.ok([actors.heap, actors.total, work.heap, work.total, traces, defaultLimitBytes(1_000_001)].every(Number.isInteger))
})

t.test('a tenth of the machine is left to others', async (t) => {
  t.equal(defaultLimitBytes(1_000), 900)
})

t.test('debug events take what their number does, up to 128 MiB, a sixteenth of the memory and an eighth of the heap', async (t) => {
  const tracesOf = (limitMb: number, heapMb: number, eventsMax: number) =>
    tracesBytesOf({ limitBytes: limitMb * MB, heapLimitBytes: heapMb * MB, eventsMax })
  t.equal(tracesOf(8_192, 4_096, 0), 0)
  t.equal(tracesOf(8_192, 4_096, 500), 500 * 2_304 * 65)
  t.equal(tracesOf(8_192, 4_096, 2_048), 128 * MB)
  t.equal(tracesOf(8_192, 4_096, 100_000), 2 * 100_000 * 2_304, 'two logs of that length, of a subject and of nobody')
  t.equal(tracesOf(8_192, 4_096, 1_000_000), 512 * MB)
  t.equal(tracesOf(160, 4_096, 2_048), 10 * MB)
  t.equal(tracesOf(1_024, 256, 2_048), 32 * MB)
})

t.test('connections take no more than work may, and there are always some', async (t) => {
  t.equal(connectionsOf({ work: { heap: 0, total: 100 * MB } }), 1_600)
  t.equal(connectionsOf({ work: { heap: 0, total: 100 * MB - 1 } }), 1_599)
  t.equal(connectionsOf({ work: { heap: 0, total: 0 } }), 256)
})

t.test('a share, and what is left beside a weight, are of the heap and of everything', async (t) => {
  const allowance = { heap: 60, total: 100 }
  t.same(shareOf(allowance, 0.5), { heap: 30, total: 50 })
  t.same(remainingAfter(allowance, { heap: 10, buffers: 15 }), { heap: 50, total: 75 })
})

t.test('a weight is within an allowance when its heap is, and all of it', async (t) => {
  const allowance = { heap: 60, total: 100 }
  t.ok(isWithin({ heap: 60, buffers: 40 }, allowance))
  t.notOk(isWithin({ heap: 61, buffers: 0 }, allowance))
  t.notOk(isWithin({ heap: 60, buffers: 41 }, allowance))
})
