import fc from 'fast-check'
import t from 'tap'
import { createDimensionFit } from '../../../src/domain/similarity/dimension.js'
import { dot, norm, normalised } from '../../../src/domain/similarity/vector.js'

const component = fc.double({ min: -1, max: 1, noNaN: true })

/** A pseudo-random unit vector, determined by its seed. */
function unit(width: number, seed: number): Float32Array {
  const valueAt = (index: number): number => Math.sin((index + 1) * (seed + 0.37) * 12.9898) * Math.cos(index * seed)
  return normalised(Float32Array.from({ length: width }, (_, index) => valueAt(index)))
}

t.test('dimension fit: the same width keeps the direction', async (t) => {
  const fitted = createDimensionFit(3, 3)(Float32Array.of(3, 0, 4))
  t.same([...fitted], [...Float32Array.of(0.6, 0, 0.8)])
})

t.test('dimension fit: a wider one appends zeros and keeps inner products', async () => {
  fc.assert(
    fc.property(fc.array(component, { minLength: 4, maxLength: 4 }), fc.array(component, { minLength: 4, maxLength: 4 }), (a, b) => {
      const fit = createDimensionFit(4, 9)
      const [left, right] = [Float32Array.from(a), Float32Array.from(b)]
      const expected = dot(normalised(left), normalised(right))
      return (
        Math.abs(dot(fit(left), fit(right)) - expected) < 1e-5 &&
        fit(left)
          .slice(4)
          .every((value) => value === 0)
      )
    })
  )
})

t.test('dimension fit: any widths give a unit vector or zeros of the dimension', async (t) => {
  const size = fc.integer({ min: 1, max: 700 })
  fc.assert(
    fc.property(size, size, fc.integer({ min: 1, max: 99 }), (width, dimension, seed) => {
      const fitted = createDimensionFit(width, dimension)(unit(width, seed))
      const length = norm(fitted)
      return fitted.length === dimension && (length === 0 || Math.abs(length - 1) < 1e-4)
    })
  )
  t.same([...createDimensionFit(384, 16)(new Float32Array(384))], Array(16).fill(0), 'zeros stay zeros')
})

t.test('dimension fit: a narrower one is the same projection each time', async (t) => {
  const vector = unit(384, 5)
  t.same(createDimensionFit(384, 128)(vector), createDimensionFit(384, 128)(vector))
  t.notSame([...createDimensionFit(384, 128)(vector)].slice(0, 64), [...createDimensionFit(384, 64)(vector)])
  // A stored vector outlives the code that made it: these numbers must never change.
  const known = createDimensionFit(8, 4)(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8))
  t.same(
    [...known].map((value) => value.toFixed(6)),
    KNOWN
  )
})

const KNOWN = ['0.129914', '0.844441', '0.519656', '0.000000']

for (const dimension of [32, 64, 128, 256]) {
  t.test(`dimension fit: 384 to ${dimension} keeps inner products to about 1 / sqrt(dimension)`, async (t) => {
    const fit = createDimensionFit(384, dimension)
    let squares = 0
    let sum = 0
    let pairs = 0
    for (let seed = 1; seed <= 60; seed++) {
      const a = unit(384, seed)
      const other = unit(384, seed + 100)
      const b = normalised(a.map((value, index) => value + (seed / 30) * other[index]!))
      const error = dot(fit(a), fit(b)) - dot(a, b)
      squares += error * error
      sum += error
      pairs++
    }
    const deviation = Math.sqrt(squares / pairs)
    t.ok(deviation < 1.25 / Math.sqrt(dimension), `deviation ${deviation}`)
    t.ok(Math.abs(sum / pairs) < 0.5 / Math.sqrt(dimension), `bias ${sum / pairs}`)
  })
}
