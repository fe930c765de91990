/** Vectors for property tests: unit length, occasionally all zeros. */
import fc from 'fast-check'
import { normalised } from '../../../src/domain/similarity/vector.js'

export function unitVector(dimension: number): fc.Arbitrary<Float32Array> {
  const value = fc.integer({ min: -100, max: 100 })
  return fc.array(value, { minLength: dimension, maxLength: dimension }).map((values) => normalised(Float32Array.from(values)))
}
