/** Exact nearest neighbours: one scan over one block of memory. The referee of every faster index. */
import { createBestOf } from '../domain/best-of.js'
import type { VectorHit, VectorIndex } from '../ports.js'

/** Vectors the first block holds; most sessions of many are small. */
const CAPACITY_FIRST = 2

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

function isBehind(a: VectorHit, b: VectorHit): boolean {
  return a.similarity < b.similarity || (a.similarity === b.similarity && a.label > b.label)
}

function topOf(block: Float32Array, labels: readonly number[], query: Float32Array, limit: number): VectorHit[] {
  const best = createBestOf<VectorHit>(limit, isBehind)
  if (limit < 1) return []
  let floor = -Infinity
  for (let slot = 0; slot < labels.length; slot++) {
    const similarity = dotAt(block, slot * query.length, query)
    // Most vectors end here, so no hit is made for them.
    if (similarity < floor) continue
    best.offer({ label: labels[slot] as number, similarity })
    floor = best.worst()?.similarity ?? -Infinity
  }
  return best.sorted()
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
