/**
 * Estimates the memory that plain data takes in a Node.js process. Measured on V8 11.3, 64 bits, without pointer compression; compared with
 * the real growth of heap and buffers by `test/domain/fairness/weight.test.ts` and `bench/weights.ts`.
 */

/** Bytes. V8 limits its heap separately, so the heap and the buffers outside, which hold vectors, are counted apart. */
export interface Weight {
  readonly heap: number
  readonly buffers: number
}

export const WEIGHTLESS: Weight = { heap: 0, buffers: 0 }

/** Map, properties and elements of an object; of a list, its length too. */
const OBJECT_BYTES = 24
const LIST_BYTES = 48

/** One field or element: a pointer or a small integer. */
const SLOT_BYTES = 8

/** Box of a number that is not a small integer. */
const BOX_BYTES = 16

const STRING_BYTES = 24

/** The typed array, its buffer and the allocator's overhead. */
const VECTOR_BYTES = 190

/** Magnitude from which integers need a box. */
const SMALL_MAX = 2 ** 31

/** A single character beyond Latin-1 makes V8 store the whole text with two bytes per character. */
const WIDE = /[^\u0000-\u00ff]/

/** Weight of texts, numbers, lists, objects and typed arrays. Linear in the length of the texts, with a small factor. */
export function weightOf(value: unknown): Weight {
  const sum = { heap: 0, buffers: 0 }
  weigh(value, sum)
  return sum
}

/**
 * Weight of the replacement of `before`, which weighs `weight`. Objects shared by both are skipped: immutable data shares most objects from
 * one version to the next.
 */
export function weightInPlaceOf(before: unknown, weight: Weight, after: unknown): Weight {
  const sums = { gone: { heap: 0, buffers: 0 }, come: { heap: 0, buffers: 0 } }
  weighChange(before, after, sums)
  return plus(minus(weight, sums.gone), sums.come)
}

/** Weight of a plain object without one of its fields. */
export function weightWithout<Value extends object>(value: Value, field: keyof Value & string): Weight {
  const sum = { heap: OBJECT_BYTES, buffers: 0 }
  for (const name in value) if (name !== field) weighField(value[name], sum)
  return sum
}

/** Bytes of heap that a text takes. */
export function textBytes(text: string): number {
  return STRING_BYTES + (WIDE.test(text) ? 2 * text.length : text.length)
}

/** Weight of `count` vectors of one dimension in one buffer. */
export function vectorsWeight(dimension: number, count: number): Weight {
  return count === 0 ? WEIGHTLESS : { heap: VECTOR_BYTES, buffers: Float32Array.BYTES_PER_ELEMENT * dimension * count }
}

export function plus(...weights: readonly Weight[]): Weight {
  return sumOf(weights)
}

export function sumOf(weights: Iterable<Weight>): Weight {
  let heap = 0
  let buffers = 0
  for (const weight of weights) {
    heap += weight.heap
    buffers += weight.buffers
  }
  return { heap, buffers }
}

export function minus(a: Weight, b: Weight): Weight {
  return { heap: a.heap - b.heap, buffers: a.buffers - b.buffers }
}

export function times(weight: Weight, factor: number): Weight {
  return { heap: weight.heap * factor, buffers: weight.buffers * factor }
}

/** Heap and buffers in total. */
export function totalOf({ heap, buffers }: Weight): number {
  return heap + buffers
}

/** Bytes for human readers, as refusals show them. */
export function inMebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(bytes < 10_485_760 ? 2 : 0)} MiB`
}

interface Sum {
  heap: number
  buffers: number
}

/** Weighs the value alone; the slot that holds it belongs to its owner. Nothing, as past the end of a list, weighs nothing. */
function weigh(value: unknown, sum: Sum): void {
  if (typeof value === 'string') {
    sum.heap += textBytes(value)
  } else if (typeof value === 'number') {
    if (!Number.isInteger(value) || Math.abs(value) >= SMALL_MAX) sum.heap += BOX_BYTES
  } else if (typeof value === 'object' && value !== null) {
    weighObject(value, sum)
  }
}

function weighObject(value: object, sum: Sum): void {
  if (ArrayBuffer.isView(value)) {
    sum.heap += VECTOR_BYTES
    sum.buffers += value.byteLength
  } else if (Array.isArray(value)) {
    sum.heap += LIST_BYTES + SLOT_BYTES * value.length
    for (const item of value as readonly unknown[]) weigh(item, sum)
  } else {
    sum.heap += OBJECT_BYTES
    for (const name in value) weighField((value as Readonly<Record<string, unknown>>)[name], sum)
  }
}

function weighField(value: unknown, sum: Sum): void {
  sum.heap += SLOT_BYTES
  weigh(value, sum)
}

interface Sums {
  readonly gone: Sum
  readonly come: Sum
}

function weighChange(before: unknown, after: unknown, sums: Sums): void {
  if (before === after) return
  if (Array.isArray(before) && Array.isArray(after)) {
    weighListChange(before, after, sums)
  } else if (isPlain(before) && isPlain(after)) {
    for (const name in after) {
      if (Object.hasOwn(before, name)) weighChange(before[name], after[name], sums)
      else weighField(after[name], sums.come)
    }
    for (const name in before) if (!Object.hasOwn(after, name)) weighField(before[name], sums.gone)
  } else {
    weigh(before, sums.gone)
    weigh(after, sums.come)
  }
}

/**
 * Items that are neither at their old place nor one place earlier count as removed and added. The result is the same, and it is rare in a
 * log, which grows at its end and loses one item at a time.
 */
function weighListChange(before: readonly unknown[], after: readonly unknown[], { gone, come }: Sums): void {
  gone.heap += SLOT_BYTES * before.length
  come.heap += SLOT_BYTES * after.length
  let at = 0
  for (const item of after) {
    if (before[at] !== item && before[at + 1] === item) weigh(before[at++], gone)
    if (before[at] !== item) {
      weigh(before[at], gone)
      weigh(item, come)
    }
    at += 1
  }
  for (; at < before.length; at++) weigh(before[at], gone)
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)
}
