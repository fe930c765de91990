/** Exact nearest neighbours: one scan over a few blocks of memory. The referee of every faster index. */
import { createBestOf } from '../domain/best-of.js'
import type { VectorHit, VectorIndex } from '../ports.js'

/** Vectors the first block holds; most sessions of many are small. */
const CAPACITY_FIRST = 2

/**
 * Numbers of a full block, 256 KiB: the first one grows up to it, and then whole ones are added, so that an index takes little more
 * than its vectors and never twice as much for a moment.
 */
const BLOCK_NUMBERS = 65_536

/**
 * An index whose search looks at every vector. Similarity is the dot product, the cosine of unit vectors.
 * `add` copies; replacing and removing cost one vector, whatever the size. Throws RangeError for a vector of another dimension.
 */
export function createExactIndex(dimension: number): VectorIndex {
  const blockMax = Math.max(1, Math.floor(BLOCK_NUMBERS / dimension))
  let blocks: Float32Array[] = []
  const labels: number[] = []
  const slots = new Map<number, number>()

  function reserve(count: number): void {
    const last = blocks.at(-1)
    if (last === undefined || count > blocks.length * blockMax) {
      blocks.push(new Float32Array(Math.min(blocks.length === 0 ? CAPACITY_FIRST : blockMax, blockMax) * dimension))
    } else if (blocks.length === 1 && count * dimension > last.length) {
      const grown = new Float32Array(Math.min(blockMax, labels.length * 2) * dimension)
      grown.set(last)
      blocks = [grown]
    }
  }

  /** Where the vector of a slot lies; a view, not a copy. */
  function vectorOf(slot: number): Float32Array {
    const offset = (slot % blockMax) * dimension
    return (blocks[Math.floor(slot / blockMax)] as Float32Array).subarray(offset, offset + dimension)
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
      vectorOf(slot).set(vector)
    },
    remove(label) {
      const slot = slots.get(label)
      if (slot === undefined) return
      const last = labels.length - 1
      const moved = labels[last] as number
      if (slot !== last) vectorOf(slot).set(vectorOf(last))
      // What was removed must not linger in memory.
      vectorOf(last).fill(0)
      labels[slot] = moved
      labels.pop()
      slots.set(moved, slot)
      slots.delete(label)
      if (labels.length <= (blocks.length - 1) * blockMax) blocks.pop()
    },
    search(query, limit) {
      if (query.length !== dimension) throw new RangeError('the vector has another dimension than the index')
      return topOf({ blocks, blockMax, labels }, query, Math.min(limit, labels.length))
    },
    close() {
      labels.length = 0
      slots.clear()
      blocks = []
    }
  }
}

function isBehind(a: VectorHit, b: VectorHit): boolean {
  return a.similarity < b.similarity || (a.similarity === b.similarity && a.label > b.label)
}

interface Vectors {
  readonly blocks: readonly Float32Array[]
  /** Vectors in each block but the last. */
  readonly blockMax: number
  readonly labels: readonly number[]
}

function topOf({ blocks, blockMax, labels }: Vectors, query: Float32Array, limit: number): VectorHit[] {
  const best = createBestOf<VectorHit>(limit, isBehind)
  if (limit < 1) return []
  let floor = -Infinity
  for (const [at, block] of blocks.entries()) {
    const first = at * blockMax
    const count = Math.min(blockMax, labels.length - first)
    for (let inner = 0; inner < count; inner++) {
      const similarity = dotAt(block, inner * query.length, query)
      // Most vectors end here, so no hit is made for them.
      if (similarity < floor) continue
      best.offer({ label: labels[first + inner] as number, similarity })
      floor = best.worst()?.similarity ?? -Infinity
    }
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
