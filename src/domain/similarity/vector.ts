/** Dense vectors as Float32Array. Functions that return a vector return a new one. */

/** Multiplications per piece: about 1 ms, three times that when the vectors are not in the processor's cache. */
export const PRODUCTS_A_PIECE = 2 ** 20

/** Cost of a vector beside its numbers, in multiplications: finding it and comparing it with the best so far. */
export const PRODUCTS_A_VECTOR = 256

/** A label in an index, with its cosine in [-1, 1] to the query. */
export type VectorHit = Readonly<{ label: number; similarity: number }>

/** Similarity of single vectors of an index to one query. Valid until a vector is added or removed. */
export interface Nearness {
  /** Cosine of a label, which must be in the index. */
  of(label: number): number
  /** Upper bound on `of`, cheaper to compute: for most vectors it is enough to rule them out. */
  atMost(label: number): number
}

/**
 * Dot product over the shorter of the two lengths, reading `a` from place `from`; the cosine for unit vectors. Uses four partial sums,
 * because with a single one each addition would wait for the previous one.
 */
export function dot(a: Float32Array, b: Float32Array, from = 0): number {
  const length = Math.min(a.length - from, b.length)
  const whole = length - (length % 4)
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  for (let i = 0; i < whole; i += 4) {
    first += (a[from + i] as number) * (b[i] as number)
    second += (a[from + i + 1] as number) * (b[i + 1] as number)
    third += (a[from + i + 2] as number) * (b[i + 2] as number)
    fourth += (a[from + i + 3] as number) * (b[i + 3] as number)
  }
  for (let i = whole; i < length; i++) first += (a[from + i] as number) * (b[i] as number)
  return first + second + third + fourth
}

/**
 * Clamps the product of two unit vectors to [-1, 1]. Single precision puts about every second product of a vector with itself just outside.
 */
export function toCosine(product: number): number {
  return Math.max(-1, Math.min(1, product))
}

/** Cosine of two unit vectors, -1..1. */
export function similarity(a: Float32Array, b: Float32Array): number {
  return toCosine(dot(a, b))
}

/** Highest cosine, -1..1, of a query to any of the vectors; 0 without vectors. */
export function topSimilarity(query: Float32Array, vectors: readonly Float32Array[]): number {
  if (vectors.length === 0) return 0
  let best = -1
  for (const vector of vectors) best = Math.max(best, similarity(query, vector))
  return best
}

export function norm(vector: Float32Array): number {
  return Math.sqrt(dot(vector, vector))
}

/** The vector scaled to length 1; all zeros stay all zeros. */
export function normalised(vector: Float32Array): Float32Array {
  const length = norm(vector)
  const unit = new Float32Array(vector.length)
  if (length === 0) return unit
  for (let i = 0; i < vector.length; i++) unit[i] = (vector[i] as number) / length
  return unit
}

/** Adds `weight` × `vector` to `sum` in place. Float64 keeps long sums exact enough for later subtraction. */
export function addScaled(sum: Float64Array, vector: Float32Array, weight: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + weight * (vector[i] as number)
}

/** The sum scaled to length 1, as Float32; null when it is (numerically) the zero vector. */
export function unitOf(sum: Float64Array): Float32Array | null {
  let squares = 0
  // By index: iterating over a typed array takes several times as long.
  for (let i = 0, end = sum.length; i < end; i++) {
    const value = sum[i] as number
    squares += value * value
  }
  const length = Math.sqrt(squares)
  if (length < 1e-9) return null
  // A loop: Float32Array.from with a mapping function costs as much as adding forty vectors.
  const unit = new Float32Array(sum.length)
  for (let i = 0; i < unit.length; i++) unit[i] = (sum[i] as number) / length
  return unit
}

/** View of the `index`-th of several vectors stored one after another. */
export function vectorAt(vectors: Float32Array, index: number, dimension: number): Float32Array {
  return vectors.subarray(index * dimension, (index + 1) * dimension)
}
