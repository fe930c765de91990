import fc from 'fast-check'
import t from 'tap'
import { allowancesOf, defaultLimitBytes } from '../../src/domain/allowances.js'
import { minus, plus, textBytes, totalOf, vectorsWeight, WEIGHTLESS, weightOf } from '../../src/domain/weight.js'

const MIB = 1024 * 1024

t.test('a weight grows with everything that is added, and is that of its parts', async () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const both = totalOf(weightOf([a, b]))
      return both >= totalOf(weightOf(a)) + totalOf(weightOf(b)) && both === totalOf(plus(weightOf([0, 0]), weightOf(a), weightOf(b)))
    })
  )
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
