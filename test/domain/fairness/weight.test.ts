import fc from 'fast-check'
import t from 'tap'
import { allowancesOf, defaultLimitBytes } from '../../../src/domain/fairness/allowances.js'
import {
  minus,
  plus,
  textBytes,
  totalOf,
  vectorsWeight,
  weightInPlaceOf,
  WEIGHTLESS,
  weightOf
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
