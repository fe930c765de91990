import fc from 'fast-check'
import t from 'tap'
import { dot } from '../../src/domain/vector.js'
import { createExactIndex } from '../../src/vectors/exact-index.js'

const DIMENSION = 5
/** Small whole numbers: their products are exact, so that ties are ties. */
const values = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: DIMENSION, maxLength: DIMENSION })
const vector = values.map((numbers) => Float32Array.from(numbers))

t.test('an index answers as a naive scan does, after any adding, replacing and removing', async () => {
  const step = fc.record({ label: fc.integer({ min: 0, max: 30 }), vector: fc.option(vector) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), vector, fc.integer({ min: 0, max: 40 }), (steps, query, limit) => {
      const index = createExactIndex(DIMENSION)
      const held = new Map<number, Float32Array>()
      for (const { label, vector } of steps) {
        if (vector === null) {
          index.remove(label)
          held.delete(label)
        } else {
          index.add(label, vector)
          held.set(label, vector)
        }
      }
      const naive = [...held].map(([label, one]) => ({ label, similarity: dot(one, query) }))
      naive.sort((a, b) => b.similarity - a.similarity || a.label - b.label)
      t.equal(index.size, held.size)
      t.same(index.search(query, limit), naive.slice(0, limit))
    })
  )
})

t.test('an index of several blocks answers as a naive scan does, also after most of it was removed', async (t) => {
  const dimension = 16_384
  const index = createExactIndex(dimension)
  const made = (label: number): Float32Array => new Float32Array(dimension).fill(0).map((_, at) => (at === label ? 1 : at === 0 ? label / 100 : 0))
  for (let label = 1; label <= 11; label++) index.add(label, made(label))
  t.equal(index.size, 11)
  for (let label = 1; label <= 11; label++) t.equal(index.search(made(label), 1)[0]?.label, label)
  for (let label = 1; label <= 9; label++) index.remove(label)
  t.same(index.search(made(11), 5).map((hit) => hit.label), [11, 10])
  for (let label = 1; label <= 9; label++) index.add(label, made(label))
  for (let label = 1; label <= 11; label++) t.equal(index.search(made(label), 1)[0]?.label, label)
})

t.test('a vector that the caller changes afterwards stays as it was given', async (t) => {
  const index = createExactIndex(2)
  const given = Float32Array.of(1, 0)
  index.add(7, given)
  given.fill(0)
  t.same(index.search(Float32Array.of(1, 0), 1), [{ label: 7, similarity: 1 }])
})

t.test('a vector of another dimension is refused', async (t) => {
  const index = createExactIndex(3)
  t.throws(() => index.add(0, new Float32Array(2)), RangeError)
  t.throws(() => index.search(new Float32Array(4), 1), RangeError)
})

t.test('a closed index is empty, and closing twice is fine', async (t) => {
  const index = createExactIndex(1)
  index.add(0, Float32Array.of(1))
  index.close()
  index.close()
  t.equal(index.size, 0)
})
