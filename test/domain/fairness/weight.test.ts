import fc from 'fast-check'
import t from 'tap'
import { allowancesOf, connectionsOf, defaultLimitBytes, tracesBytesOf } from '../../../src/domain/fairness/allowances.js'
import {
  inMebibytes,
  minus,
  plus,
  textBytes,
  times,
  totalOf,
  vectorsWeight,
  weightInPlaceOf,
  WEIGHTLESS,
  weightOf,
  weightWithout
} from '../../../src/domain/fairness/weight.js'

const MIB = 1024 * 1024

t.test('a weight grows with everything that is added, and is that of its parts', async () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const both = totalOf(weightOf([a, b]))
      return both >= totalOf(weightOf(a)) + totalOf(weightOf(b)) && both === totalOf(plus(weightOf([0, 0]), weightOf(a), weightOf(b)))
    })
  )
})

t.test('what takes the place of something weighs as much as if it were weighed anew, whatever both share', async () => {
  const items = fc.array(fc.oneof(fc.jsonValue(), fc.constant(new Float32Array(8)), fc.constant('ж')), { maxLength: 12 })
  const numbers = fc.array(fc.nat(11), { maxLength: 12 })
  const fields = fc.dictionary(fc.constantFrom('a', 'b', 'toString'), fc.jsonValue())
  fc.assert(
    fc.property(items, numbers, numbers, fields, fields, (items, before, after, was, is) => {
      const of = (numbers: readonly number[], own: object): unknown => ({ ...own, log: numbers.map((at) => items[at]), items })
      const [old, next] = [of(before, was), of(after, is)]
      t.same(weightInPlaceOf(old, weightOf(old), next), weightOf(next))
      t.same(weightInPlaceOf(items, weightOf(items), is), weightOf(is))
    })
  )
})

t.test('a log weighs anew what it gains and loses alone', async (t) => {
  let looked = 0
  const item = (at: number): object => Object.defineProperty({}, 'at', { enumerable: true, get: () => (looked += 1) && at })
  const log = Array.from({ length: 20 }, (_, at) => item(at))
  const next = [...log.toSpliced(7, 1), item(20)]
  const weight = weightOf(log)
  looked = 0
  t.same(weightInPlaceOf(log, weight, next), weight)
  t.equal(looked, 2)
})

t.test('texts, numbers, lists, objects and vectors weigh what they were measured to take', async (t) => {
  for (const [value, heap] of [
    ['', 24],
    ['ab', 26],
    ['\u00ff', 25],
    ['\u0100', 26],
    [2 ** 31 - 1, 0],
    [1 - 2 ** 31, 0],
    [2 ** 31, 16],
    [-(2 ** 31), 16],
    [0.5, 16],
    [null, 0],
    [undefined, 0],
    [true, 0],
    [[], 48],
    [[1, 'ab'], 48 + 2 * 8 + 26],
    [{}, 24],
    [{ a: 0.5, b: [] }, 24 + 2 * 8 + 16 + 48],
    [new Float32Array(3), 190]
  ] as const)
    t.equal(weightOf(value).heap, heap, JSON.stringify(value))
  t.same(vectorsWeight(3, 2), { heap: 190, buffers: 24 })
  t.same(weightWithout({ a: 'ab', b: 0.5 }, 'a'), { heap: 24 + 8 + 16, buffers: 0 })
  t.same(times({ heap: 2, buffers: 3 }, 2), { heap: 4, buffers: 6 })
  t.equal(totalOf({ heap: 2, buffers: 3 }), 5)
  for (const [bytes, told] of [
    [0, '0.00 MiB'],
    [1_572_864, '1.50 MiB'],
    [10_485_759, '10.00 MiB'],
    [10_485_760, '10 MiB']
  ] as const)
    t.equal(inMebibytes(bytes), told)
})

t.test('a vector weighs four bytes a number outside of the heap, and a little on it', async (t) => {
  t.equal(weightOf(new Float32Array(16_384)).buffers, 65_536)
  t.ok(weightOf(new Float32Array(16_384)).heap < 300)
  t.same(vectorsWeight(384, 0), WEIGHTLESS)
  t.equal(vectorsWeight(384, 3).buffers, 3 * 1_536)
  t.same(minus(vectorsWeight(384, 3), vectorsWeight(384, 3)), WEIGHTLESS)
})

t.test('a text weighs two bytes a character as soon as one is beyond Latin-1', async (t) => {
  t.equal(textBytes('é'.repeat(1_000)) - textBytes(''), 1_000)
  t.equal(textBytes(`${'e'.repeat(999)}ж`) - textBytes(''), 2_000)
})

t.test('allowances: what actors and work may hold stays well within what the process and its heap have', async (t) => {
  for (const limitMib of [64, 256, 512, 2_048, 65_536]) {
    for (const heapMib of [48, 512, 4_096]) {
      const { actors, work } = allowancesOf({ limitBytes: limitMib * MIB, heapLimitBytes: heapMib * MIB })
      t.ok(actors.total + work.total < 0.75 * limitMib * MIB, `${limitMib} MiB`)
      t.ok(actors.heap + work.heap < 0.7 * heapMib * MIB, `${heapMib} MiB of heap`)
      t.ok(work.total >= 3 * MIB && work.heap >= 2 * MIB, 'a request of usual size always comes in')
    }
  }
  t.equal(defaultLimitBytes(1_000), 900)
})

t.test('allowances: three fifths of what the runtime leaves, of the heap less, and never less than a fifth of all', async (t) => {
  const totals = (limitMib: number, heapMib: number) => {
    const { actors, work } = allowancesOf({ limitBytes: limitMib * MIB, heapLimitBytes: heapMib * MIB })
    return [actors.heap, actors.total, work.heap, work.total].map((bytes) => Math.round(bytes / MIB))
  }
  t.same(totals(64, 48), [7, 10, 2, 3])
  t.same(totals(512, 512), [158, 158, 53, 53])
  t.same(totals(2_048, 4_096), [850, 850, 283, 283])
  t.same(totals(65_536, 4_096), [1_966, 29_419, 655, 9_806])
  const connections = (total: number) => connectionsOf({ work: { heap: 0, total } })
  t.same([0, 256 * 65_536, 257 * 65_536 - 1, 257 * 65_536].map(connections), [256, 256, 256, 257])
  const traces = (eventsMax: number, limitMib: number, heapMib: number) =>
    tracesBytesOf({ eventsMax, limitBytes: limitMib * MIB, heapLimitBytes: heapMib * MIB })
  t.equal(traces(10, 65_536, 65_536), 10 * 2_304 * 65, 'of 64 subjects and of nobody')
  t.equal(traces(10_000, 65_536, 65_536), 128 * MIB)
  t.equal(traces(100_000, 65_536, 65_536), 2 * 100_000 * 2_304)
  t.equal(traces(10_000, 512, 65_536), 32 * MIB, 'a sixteenth of the limit')
  t.equal(traces(10_000, 65_536, 512), 64 * MIB, 'an eighth of the heap')
})
