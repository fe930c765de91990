import type { Memory } from '../../src/domain/session.js'
import { addScaled, unitOf, vectorAt } from '../../src/domain/vector.js'

/** The vector that stands for a whole text: its own, or the normalised mean of its parts. */
export function memoryVector(text: Pick<Memory, 'partEnds' | 'vectors'>): Float32Array {
  const parts = text.partEnds.length
  if (parts <= 1) return text.vectors
  const dimension = text.vectors.length / parts
  const sum = new Float64Array(dimension)
  for (let part = 0; part < parts; part++) addScaled(sum, vectorAt(text.vectors, part, dimension), 1)
  return unitOf(sum) ?? new Float32Array(dimension)
}
