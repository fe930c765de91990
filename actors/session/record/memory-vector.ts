import type { Memory, MemoryEntry } from '../../../src/domain/session.js'
import { addScaled, unitOf, vectorAt } from '../../../src/domain/vector.js'

/** Of texts of several parts, by their vectors: these are replaced, never changed. */
const means = new WeakMap<Float32Array, Float32Array>()

/** The vector that stands for a whole text: its own, or the normalised mean of its parts. Worked out once while the text is held. */
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

/** Whether the whole text is one vector. */
export function isShort(entry: MemoryEntry): boolean {
  return entry.memory.partEnds.length === 1
}
