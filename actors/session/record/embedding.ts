import { DomainError } from '../../../src/domain/errors.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { normalised } from '../../../src/domain/similarity/vector.js'

/** Throws `invalid_input` at `loc` if an embedding's length is not the session's dimension. */
export function requireDimension(values: readonly number[], dimension: number, loc: readonly (string | number)[]): void {
  if (values.length === dimension) return
  throw new DomainError('invalid_input', `Embedding should have ${String(dimension)} values, not ${String(values.length)}`, { loc })
}

/** Converts a client's embedding into a unit vector. Throws `invalid_input` at `loc` if its length is not the session's dimension. */
export function toUnitVector(values: readonly number[], dimension: number, loc: readonly (string | number)[]): Float32Array {
  requireDimension(values, dimension, loc)
  return normalised(Float32Array.from(values))
}

/** Converts a list of embeddings, in pieces. `loc` names the list. */
export function* toUnitVectors(list: readonly (readonly number[])[], dimension: number, loc: string): Pieces<Float32Array[]> {
  const vectors: Float32Array[] = []
  for (const values of list) {
    vectors.push(toUnitVector(values, dimension, [loc, vectors.length]))
    yield
  }
  return vectors
}
