import fc from 'fast-check'
import t from 'tap'
import { dot, norm } from '../../src/domain/vector.js'
import { inBytes, inShorts } from '../../src/vectors/rounding.js'

t.test('a product of rounded vectors is off by no more than their errors allow, whatever the vectors', async () => {
  const vector = fc.array(fc.float({ min: -4, max: 4, noNaN: true }), { minLength: 12, maxLength: 12 })
  fc.assert(
    fc.property(vector, vector, (a, b) => {
      const [left, right] = [Float32Array.from(a), Float32Array.from(b)]
      const [rows, query] = [inBytes(left), inShorts(right)]
      const sum = rows.numbers.reduce((total, value, at) => total + value * (query.numbers[at] ?? 0), 0)
      const off = Math.abs(sum * rows.unit * query.unit - dot(left, right))
      return off <= norm(right) * rows.error + query.error * (norm(left) + rows.error) + 1e-9
    })
  )
})

t.test('a vector of zeros, and one too small for single precision, are zeros', async (t) => {
  for (const value of [0, 2 ** -149]) {
    const { numbers, unit, error } = inBytes(new Float32Array(4).fill(value))
    t.ok(numbers.every((number) => number * unit === 0))
    t.ok(error >= norm(new Float32Array(4).fill(value)))
  }
})

t.test('the longest vector of greatest numbers stays within what a sum of whole numbers holds', async (t) => {
  const ones = new Float32Array(65_536).fill(1)
  const { numbers } = inShorts(ones)
  t.ok(numbers.every((number) => number * 127 * ones.length < 2 ** 31))
})
