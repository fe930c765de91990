import type { Memory, MemoryEntry } from '../../../src/domain/session.js'
import { addScaled, unitOf, vectorAt } from '../../../src/domain/similarity/vector.js'

/** Cached mean vectors of texts with several parts, by the array of their vectors, which is replaced, never mutated. */
const means = new WeakMap<Float32Array, Float32Array>()

/** Returns the vector of a whole text: its only one, or the normalised mean of its parts. Cached as long as the text is held. */
export function memoryVector(text: Pick<Memory, 'partEnds' | 'vectors'>): Float32Array {
  if (text.partEnds.length <= 1) return text.vectors
  const known = means.get(text.vectors) ?? meanOf(text)
  means.set(text.vectors, known)
  return known
}

function meanOf({ partEnds, vectors }: Pick<Memory, 'partEnds' | 'vectors'>): Float32Array {
  const dimension = vectors.length / partEnds.length
  const sum = new Float64Array(dimension)
  for (let part = 0; part < partEnds.length; part++) addScaled(sum, vectorAt(vectors, part, dimension), 1)
  return unitOf(sum) ?? new Float32Array(dimension)
}

/** Whether the text has a single part, and so a single vector. */
export function isShort(entry: MemoryEntry): boolean {
  return entry.memory.partEnds.length === 1
}
