import fc from 'fast-check'
import t from 'tap'
import { dot } from '../../src/domain/similarity/vector.js'
import { KERNEL_NUMBERS_MAX } from '../../src/vectors/arena.js'
import { forgetProducts, product } from '../../src/vectors/product.js'

t.test('a product is that of `dot` to the last bit, of any length, and whatever was multiplied before', async (t) => {
  const number = fc.oneof(fc.float({ noNaN: true, noDefaultInfinity: true, min: -1, max: 1 }), fc.constantFrom(0, -0))
  const longest = 300
  const numbers = fc.array(number, { minLength: longest, maxLength: longest }).map((all) => Float32Array.from(all))
  const lengths = fc.array(fc.integer({ min: 0, max: longest }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(lengths, numbers, fc.array(numbers, { minLength: 1, maxLength: 3 }), (some, all, vectors) => {
      for (const length of some) {
        const query = all.subarray(0, length)
        for (const vector of vectors.map((whole) => whole.subarray(longest - length)))
          t.ok(Object.is(product(query, vector), dot(vector, query)), `of ${length} numbers`)
      }
    }),
    { numRuns: 50 }
  )
})

t.test('the longest vectors have room', async (t) => {
  const query = new Float32Array(KERNEL_NUMBERS_MAX).fill(1)
  const vector = new Float32Array(KERNEL_NUMBERS_MAX).fill(0.5)
  t.equal(product(query, vector), KERNEL_NUMBERS_MAX / 2)
  t.equal(product(vector, vector), KERNEL_NUMBERS_MAX / 4)
  t.equal(product(new Float32Array(64).fill(2), new Float32Array(64).fill(3)), 384, 'and shorter ones after them')
})

t.test('what was multiplied is forgotten', async (t) => {
  const query = new Float32Array(64).fill(1)
  const vector = new Float32Array(64).fill(1)
  t.equal(product(query, vector), 64)
  forgetProducts()
  t.equal(product(query.fill(2), vector), 128)
})
