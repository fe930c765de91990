import fc from 'fast-check'
import t from 'tap'
import { addScaled, dot, norm, normalised, toCosine, unitOf, vectorAt } from '../../../src/domain/similarity/vector.js'

const value = fc.integer({ min: -8, max: 8 })
const vector = fc.array(value, { maxLength: 13 }).map((values) => Float32Array.from(values))

t.test('a product is the sum over the shorter of the two, whatever their lengths', async (t) => {
  fc.assert(
    fc.property(vector, vector, (a, b) => {
      let sum = 0
      for (let at = 0; at < Math.min(a.length, b.length); at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
      return dot(a, b) === sum
    })
  )
  t.equal(norm(Float32Array.of(3, 0, 0, 0, 4)), 5)
})

t.test('a cosine is never beyond 1, on either side', async (t) => {
  t.same([-2, -1, -0.5, 0, 0.5, 1, 1.000001].map(toCosine), [-1, -1, -0.5, 0, 0.5, 1, 1])
})

t.test('a vector is brought to length 1, and none stays none', async (t) => {
  t.strictSame(normalised(Float32Array.of(0, 3, 0, 0, 4)), Float32Array.of(0, 3 / 5, 0, 0, 4 / 5))
  t.strictSame(normalised(new Float32Array(3)), new Float32Array(3))
})

t.test('a sum is added to in place, and its direction is null where nothing is left of it', async (t) => {
  const sum = Float64Array.of(1, 0, 0)
  addScaled(sum, Float32Array.of(2, 3, 4), 2)
  t.strictSame(sum, Float64Array.of(5, 6, 8))
  addScaled(sum, Float32Array.of(5, 6, 8), -1)
  t.equal(unitOf(sum), null)
  t.equal(unitOf(Float64Array.of(0, 9e-10)), null)
  t.strictSame(unitOf(Float64Array.of(0, 1e-9)), Float32Array.of(0, 1))
  t.strictSame(unitOf(Float64Array.of(-3, 0, 4)), Float32Array.of(-3 / 5, 0, 4 / 5))
})

t.test('one of several vectors is a view of its place', async (t) => {
  const vectors = Float32Array.of(1, 2, 3, 4, 5, 6)
  t.strictSame([...vectorAt(vectors, 0, 2)], [1, 2])
  t.strictSame([...vectorAt(vectors, 2, 2)], [5, 6])
  t.equal(vectorAt(vectors, 1, 2).buffer, vectors.buffer)
})
