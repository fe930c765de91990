/** Dot products of one query with many vectors, made by the kernel. */
import { dot } from '../domain/vector.js'
import { KERNEL_NUMBERS_MAX } from './arena.js'
import { createKernelMemory, type KernelMemory, PAGE_BYTES } from './kernel.js'

/** Numbers that the kernel multiplies at once. */
const AT_ONCE = 4
/** Numbers from which on a vector is multiplied sooner there, though it is copied first. */
const KERNEL_MIN = 64

/** The query lies before the vector. */
const VECTOR_AT = KERNEL_NUMBERS_MAX * Float64Array.BYTES_PER_ELEMENT
const PAGES = (VECTOR_AT + KERNEL_NUMBERS_MAX * Float32Array.BYTES_PER_ELEMENT) / PAGE_BYTES

interface Multiplier {
  readonly query: Float32Array
  /** Those of the query. */
  readonly numbers: Float64Array
  readonly vector: Float32Array
  readonly kernel: KernelMemory['kernel']
}

/** One of each in a process, as all products are made in one thread; the latter of the last query. */
let room: KernelMemory | null = null
let multiplier: Multiplier | null = null

/**
 * As `dot` has it, to the last bit, in two fifths of the time where the query is that of the last product. Nobody may change a query, which
 * has at most KERNEL_NUMBERS_MAX numbers, as many as the vector.
 */
export function product(query: Float32Array, vector: Float32Array): number {
  const { length } = query
  if (length < KERNEL_MIN || length % AT_ONCE !== 0) return dot(vector, query)
  if (multiplier?.query !== query) multiplier = multiplierOf(query)
  multiplier.vector.set(vector)
  return multiplier.kernel.product(0, VECTOR_AT, length * Float64Array.BYTES_PER_ELEMENT)
}

/** Leaves nothing of what was multiplied last: what is removed must not linger in memory. */
export function forgetProducts(): void {
  multiplier?.numbers.fill(0)
  multiplier?.vector.fill(0)
  multiplier = null
}

function multiplierOf(query: Float32Array): Multiplier {
  const { length } = query
  if (multiplier?.query.length !== length) forgetProducts()
  room ??= createKernelMemory(PAGES)
  const numbers = new Float64Array(room.memory, 0, length)
  numbers.set(query)
  return { query, numbers, vector: new Float32Array(room.memory, VECTOR_AT, length), kernel: room.kernel }
}
