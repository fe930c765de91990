import fc from 'fast-check'
import t from 'tap'
import { norm } from '../../src/domain/similarity/vector.js'
import { inShorts } from '../../src/vectors/rounding.js'

t.test('what a query leaves out is as long as its error says, whatever the query', async () => {
  const vector = fc.array(fc.float({ min: -4, max: 4, noNaN: true }), { minLength: 12, maxLength: 12 })
  fc.assert(
    fc.property(vector, (numbers) => {
      const query = Float32Array.from(numbers)
      const { numbers: whole, unit, error } = inShorts(query)
      const left = Math.hypot(...query.map((value, at) => value - (whole[at] ?? NaN) * unit))
      return left <= error + 1e-6 * norm(query) && error <= 1e-4 * norm(query)
    })
  )
})

t.test('a vector of zeros, and one too small for single precision, are zeros', async (t) => {
  for (const value of [0, 2 ** -149]) {
    const query = new Float32Array(4).fill(value)
    const { numbers, unit, error } = inShorts(query)
    t.ok(numbers.every((number) => number * unit === 0))
    t.ok(error >= norm(query))
  }
})

t.test('a number beyond the greatest whole one, as its unit is rounded down below single precision, is the greatest', async (t) => {
  // Of 1.4 units, which single precision has as one.
  const query = Float32Array.from([1, -1], (sign) => sign * 45_873 * 2 ** -149)
  t.same([...inShorts(query).numbers], [32_767, -32_767])
  t.equal(inShorts(query).error, Math.hypot(45_873 - 32_767, 45_873 - 32_767) * 2 ** -149)
})

t.test('the longest vector of greatest numbers stays within what a sum of whole numbers holds', async (t) => {
  const ones = new Float32Array(65_536).fill(1)
  const { numbers } = inShorts(ones)
  t.ok(numbers.every((number) => number * 127 * ones.length < 2 ** 31))
})
