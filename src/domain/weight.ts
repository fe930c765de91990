/**
 * What plain data takes in the memory of a Node.js process. Measured on V8 11.3, 64 bits, without pointer compression; held against the
 * real growth of heap and buffers by `test/domain/weight.test.ts` and `bench/weights.ts`.
 */

/** Bytes. V8 limits its heap by itself, so what lies on it counts apart from the buffers outside, in which vectors lie. */
export interface Weight {
  readonly heap: number
  readonly buffers: number
}

export const WEIGHTLESS: Weight = { heap: 0, buffers: 0 }

/** Map, properties and elements of an object, or of a list with its length. */
const OBJECT_BYTES = 24
const LIST_BYTES = 48

/** One field or element: a pointer, or a small integer. */
const SLOT_BYTES = 8

/** A number that is no small integer has a box of its own. */
const BOX_BYTES = 16

const STRING_BYTES = 24

/** The typed array, its buffer and what the allocator keeps of it. */
const VECTOR_BYTES = 190

/** Largest integer that needs no box. */
const SMALL_MAX = 2 ** 31

/** A character beyond Latin-1 makes V8 keep the whole text in two bytes a character. */
const WIDE = /[^\u0000-\u00ff]/

/** Of texts, numbers, lists, objects and typed arrays. Linear in the length of the texts, with a small factor. */
export function weightOf(value: unknown): Weight {
  const sum = { heap: 0, buffers: 0 }
  weigh(value, sum)
  return sum
}

/**
 * Of what takes the place of `before`, which weighs `weight`. What is the same object in both is not gone through: of data that is replaced
 * and never changed most is, from one version to the next.
 */
export function weightInPlaceOf(before: unknown, weight: Weight, after: unknown): Weight {
  const sums = { gone: { heap: 0, buffers: 0 }, come: { heap: 0, buffers: 0 } }
  weighChange(before, after, sums)
  return plus(minus(weight, sums.gone), sums.come)
}

/** Of a plain object without one of its fields. */
export function weightWithout<Value extends object>(value: Value, field: keyof Value & string): Weight {
  const sum = { heap: OBJECT_BYTES, buffers: 0 }
  for (const name in value) if (name !== field) weighField(value[name], sum)
  return sum
}

/** Bytes of heap that a text takes. */
export function textBytes(text: string): number {
  return STRING_BYTES + (WIDE.test(text) ? 2 * text.length : text.length)
}

/** Of `count` vectors of one dimension, one after another in one buffer. */
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

/** Bytes of both. */
export function totalOf({ heap, buffers }: Weight): number {
  return heap + buffers
}

/** For people: what a refusal says of bytes. */
export function inMebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(bytes < 10_485_760 ? 2 : 0)} MiB`
}

interface Sum {
  heap: number
  buffers: number
}

/** The value alone: the slot that it lies in is its owner's. */
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
 * What is not found where it was, or one place before, counts as gone and as come. That is as right, and rare in a log, which grows at its
 * end and loses one at a time.
 */
function weighListChange(before: readonly unknown[], after: readonly unknown[], { gone, come }: Sums): void {
  gone.heap += SLOT_BYTES * before.length
  come.heap += SLOT_BYTES * after.length
  let at = 0
  for (const item of after) {
    if (before[at] !== item && before[at + 1] === item) weighAt(before, at++, gone)
    if (before[at] !== item) {
      weighAt(before, at, gone)
      weigh(item, come)
    }
    at += 1
  }
  for (; at < before.length; at++) weighAt(before, at, gone)
}

function weighAt(list: readonly unknown[], at: number, sum: Sum): void {
  if (at < list.length) weigh(list[at], sum)
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)
}
