/** Exact nearest neighbours: one scan over one block of memory. The referee of every faster index. */
import type { VectorHit, VectorIndex } from '../ports.js'

/** Vectors the first block holds; most sessions of many are small. */
const CAPACITY_FIRST = 8

/**
 * An index whose search looks at every vector. Similarity is the dot product, the cosine of unit vectors.
 * `add` copies; replacing and removing cost one vector, whatever the size. Throws RangeError for a vector of another dimension.
 */
export function createExactIndex(dimension: number): VectorIndex {
  let block = new Float32Array(0)
  const labels: number[] = []
  const slots = new Map<number, number>()

  function reserve(count: number): void {
    if (count * dimension <= block.length) return
    const grown = new Float32Array(Math.max(CAPACITY_FIRST, labels.length * 2) * dimension)
    grown.set(block)
    block = grown
  }

  return {
    get size() {
      return labels.length
    },
    add(label, vector) {
      if (vector.length !== dimension) throw new RangeError('the vector has another dimension than the index')
      let slot = slots.get(label)
      if (slot === undefined) {
        slot = labels.length
        reserve(slot + 1)
        labels.push(label)
        slots.set(label, slot)
      }
      block.set(vector, slot * dimension)
    },
    remove(label) {
      const slot = slots.get(label)
      if (slot === undefined) return
      const last = labels.length - 1
      const moved = labels[last] as number
      block.copyWithin(slot * dimension, last * dimension, (last + 1) * dimension)
      // What was removed must not linger in memory.
      block.fill(0, last * dimension, (last + 1) * dimension)
      labels[slot] = moved
      labels.pop()
      slots.set(moved, slot)
      slots.delete(label)
      if (labels.length === 0) block = new Float32Array(0)
    },
    search(query, limit) {
      if (query.length !== dimension) throw new RangeError('the vector has another dimension than the index')
      return topOf(block, labels, query, Math.min(limit, labels.length))
    },
    close() {
      labels.length = 0
      slots.clear()
      block = new Float32Array(0)
    }
  }
}

/** Whether `a` comes after `b` in the results. */
function isBelow(a: VectorHit, b: VectorHit): boolean {
  return a.similarity < b.similarity || (a.similarity === b.similarity && a.label > b.label)
}

/** The best hits by a bounded heap whose root is the worst one kept. */
function topOf(block: Float32Array, labels: readonly number[], query: Float32Array, limit: number): VectorHit[] {
  const heap: VectorHit[] = []
  if (limit < 1) return heap
  for (let slot = 0; slot < labels.length; slot++) {
    const similarity = dotAt(block, slot * query.length, query)
    const root = heap[0]
    if (heap.length === limit && root !== undefined && similarity < root.similarity) continue
    const hit = { label: labels[slot] as number, similarity }
    if (heap.length < limit) {
      heap.push(hit)
      siftUp(heap)
    } else if (root !== undefined && isBelow(root, hit)) {
      heap[0] = hit
      siftDown(heap)
    }
  }
  return heap.sort((a, b) => (isBelow(a, b) ? 1 : -1))
}

/** Four sums at once: one sum would make every addition wait for the one before it. */
function dotAt(block: Float32Array, offset: number, query: Float32Array): number {
  const length = query.length
  const whole = length - (length % 4)
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let i = 0
  for (; i < whole; i += 4) {
    a += (block[offset + i] as number) * (query[i] as number)
    b += (block[offset + i + 1] as number) * (query[i + 1] as number)
    c += (block[offset + i + 2] as number) * (query[i + 2] as number)
    d += (block[offset + i + 3] as number) * (query[i + 3] as number)
  }
  for (; i < length; i++) a += (block[offset + i] as number) * (query[i] as number)
  return a + b + c + d
}

function siftUp(heap: VectorHit[]): void {
  let child = heap.length - 1
  const moving = heap[child] as VectorHit
  while (child > 0) {
    const parent = (child - 1) >> 1
    if (!isBelow(moving, heap[parent] as VectorHit)) break
    heap[child] = heap[parent] as VectorHit
    child = parent
  }
  heap[child] = moving
}

function siftDown(heap: VectorHit[]): void {
  const moving = heap[0] as VectorHit
  let parent = 0
  for (let child = 1; child < heap.length; child = 2 * parent + 1) {
    const right = child + 1
    if (right < heap.length && isBelow(heap[right] as VectorHit, heap[child] as VectorHit)) child = right
    if (!isBelow(heap[child] as VectorHit, moving)) break
    heap[parent] = heap[child] as VectorHit
    parent = child
  }
  heap[parent] = moving
}
