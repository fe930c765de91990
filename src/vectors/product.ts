/** Dot products of one query with many vectors, computed by the kernel. */
import { dot } from '../domain/similarity/vector.js'
import { KERNEL_NUMBERS_MAX } from './arena.js'
import { PAGE_BYTES } from '../domain/kernel.js'
import { createNearMemory, type NearMemory } from './kernel.js'

/** Numbers that the kernel multiplies at a time. */
const AT_ONCE = 4
/** Dimension from which the kernel is faster than `dot`, although the vector has to be copied first. */
const KERNEL_MIN = 64

/** Offset of the vector in bytes; the query lies before it. */
const VECTOR_AT = KERNEL_NUMBERS_MAX * Float64Array.BYTES_PER_ELEMENT
const PAGES = (VECTOR_AT + KERNEL_NUMBERS_MAX * Float32Array.BYTES_PER_ELEMENT) / PAGE_BYTES

interface Multiplier {
  readonly query: Float32Array
  /** The query in double precision. */
  readonly numbers: Float64Array
  readonly vector: Float32Array
  readonly kernel: NearMemory['kernel']
}

/** Shared by the process, since all products are computed in one thread. `multiplier` holds the last query. */
let room: NearMemory | null = null
let multiplier: Multiplier | null = null

/**
 * Dot product, equal to `dot` to the last bit, in two fifths of its time when the query is that of the last call. Queries must not change.
 * Both vectors have the same length, at most KERNEL_NUMBERS_MAX.
 */
export function product(query: Float32Array, vector: Float32Array): number {
  const { length } = query
  if (length < KERNEL_MIN || length % AT_ONCE !== 0) return dot(vector, query)
  if (multiplier?.query !== query) multiplier = multiplierOf(query)
  multiplier.vector.set(vector)
  return multiplier.kernel.product(0, VECTOR_AT, length * Float64Array.BYTES_PER_ELEMENT)
}

/** Wipes the last query and vector: removed data must not linger in memory. */
export function forgetProducts(): void {
  multiplier?.numbers.fill(0)
  multiplier?.vector.fill(0)
  multiplier = null
}

function multiplierOf(query: Float32Array): Multiplier {
  const { length } = query
  if (multiplier?.query.length !== length) forgetProducts()
  room ??= createNearMemory(PAGES)
  const numbers = new Float64Array(room.memory, 0, length)
  numbers.set(query)
  return { query, numbers, vector: new Float32Array(room.memory, VECTOR_AT, length), kernel: room.kernel }
}
