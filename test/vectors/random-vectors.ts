/** Vectors by chance, the same for the same seed. */
import { dot } from '../../src/domain/similarity/vector.js'

/** Numbers between -0.5 and 0.5. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32 - 0.5
  }
}

export function unitVector(dimension: number, random: () => number): Float32Array {
  const vector = Float32Array.from({ length: dimension }, random)
  const length = Math.sqrt(dot(vector, vector))
  return vector.map((value) => value / length)
}
