/** Exact nearest neighbours: one scan over a few blocks of memory. The referee of every faster index. */
import { createBestOf } from '../domain/best-of.js'
import { inOneGo, type Pieces } from '../domain/pieces.js'
import type { VectorHit } from '../domain/vector.js'
import type { CreateVectorIndex, VectorIndex } from '../ports.js'
import { createVectorArena, NUMBERS_AT_ONCE, type Slab, SLAB_NUMBERS, type SlabReader, STRIDE_MAX, type VectorArena } from './arena.js'
import { createScans } from './scans.js'

/** Vectors that an index has room for at first; most sessions of many are small. */
const CAPACITY_FIRST = 2

/** What a sum of products in single precision may be off by, relative to them, for each rounding on the way: 2^-24. */
const ROUNDING = 2 ** -24
/** Roundings beside those of one lane's sum: of the product, and where the lanes are added. With one to spare. */
const ROUNDINGS_BESIDE = 6

interface Shared {
  readonly arena: VectorArena
  /** Gives back the slabs of an index that was dropped without being closed. */
  readonly dropped: FinalizationRegistry<Slab[]>
}

/**
 * Makes indexes whose search looks at every vector. Similarity is the dot product, the cosine of unit vectors, in double precision: the
 * scan is in single precision, and what it cannot have ruled out is multiplied once more. `add` copies; replacing and removing cost one
 * vector, whatever the size. An index of few vectors is an array; a larger one takes slabs of 256 KiB, which all indexes share.
 * Throws RangeError for more than 32,768 dimensions, and later for a vector of another dimension than its index.
 */
export function createExactIndexes(): CreateVectorIndex {
  const arena = createVectorArena()
  const dropped = new FinalizationRegistry<Slab[]>((slabs) => {
    for (const slab of slabs.splice(0)) arena.give(slab)
  })
  const shared: Shared = { arena, dropped }
  return (dimension) => createExactIndex(dimension, shared)
}

function createExactIndex(dimension: number, shared: Shared): VectorIndex {
  const { arena } = shared
  const stride = Math.ceil(dimension / NUMBERS_AT_ONCE) * NUMBERS_AT_ONCE
  if (stride > STRIDE_MAX) throw new RangeError('the vectors have too many dimensions for the index')
  const slabVectors = Math.floor(SLAB_NUMBERS / stride)
  /** Of an index that has no slab yet. */
  let few = new Float32Array(0)
  const slabs: Slab[] = []
  const labels: number[] = []
  const slots = new Map<number, number>()
  const scans = createScans()
  /** The greatest length of a vector that ever was in a slab. */
  let lengthMax = 0

  function reserve(count: number): void {
    if (slabs.length === 0 && count * stride <= few.length) return
    const capacity = Math.max(CAPACITY_FIRST, labels.length * 2)
    if (slabs.length === 0 && capacity < slabVectors) {
      const grown = new Float32Array(capacity * stride)
      grown.set(few)
      few = grown
    } else if (count > slabs.length * slabVectors) {
      const slab = arena.take()
      slabs.push(slab)
      if (slabs.length > 1) return
      slab.numbers.set(few)
      few = new Float32Array(0)
      for (let known = 0; known < labels.length; known++) measure(known)
    }
  }

  function measure(slot: number): void {
    const slab = slabs[Math.floor(slot / slabVectors)]
    if (slab !== undefined) lengthMax = Math.max(lengthMax, slab.lengthAt((slot % slabVectors) * stride, stride))
  }

  /** Where the vector of a slot lies; a view, not a copy. */
  function vectorOf(slot: number): Float32Array {
    const numbers = slabs[Math.floor(slot / slabVectors)]?.numbers ?? few
    const offset = (slot % slabVectors) * stride
    return numbers.subarray(offset, offset + dimension)
  }

  const index: VectorIndex = {
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
      measure(slot)
      scans.change(slot)
    },
    remove(label) {
      const slot = slots.get(label)
      if (slot === undefined) return
      const end = labels.length - 1
      const moved = labels[end] as number
      if (slot !== end) vectorOf(slot).set(vectorOf(end))
      // What was removed must not linger in memory.
      vectorOf(end).fill(0)
      labels[slot] = moved
      labels.pop()
      slots.set(moved, slot)
      slots.delete(label)
      scans.change(slot)
      if (labels.length > 0 && labels.length <= (slabs.length - 1) * slabVectors) arena.give(slabs.pop() as Slab)
    },
    *ahead(query) {
      if (slabs.length > 0) yield* scanned(query)
    },
    search(query, limit, accept = () => true) {
      if (query.length !== dimension) throw new RangeError('the vector has another dimension than the index')
      const wanted = Math.min(limit, labels.length)
      if (wanted < 1) return []
      return slabs.length === 0 ? topOfFew(query, wanted, accept) : topOfSlabs(query, wanted, accept)
    },
    nearness(query) {
      if (slabs.length === 0) {
        const of = (label: number): number => dotAt(few, (slots.get(label) as number) * stride, query)
        return { of, atMost: () => Infinity }
      }
      const near = inOneGo(scanned(query))
      const reader = readerOf(query)
      const error = errorOf(query)
      const known = new Map<number, number>()
      return {
        of(label) {
          const slot = slots.get(label) as number
          const product = known.get(slot) ?? reader.product(slabs[Math.floor(slot / slabVectors)] as Slab, (slot % slabVectors) * stride)
          known.set(slot, product)
          return product
        },
        atMost: (label) => (near[slots.get(label) as number] as number) + error
      }
    },
    close() {
      labels.length = 0
      slots.clear()
      scans.clear()
      few = new Float32Array(0)
      for (const slab of slabs.splice(0)) arena.give(slab)
    }
  }
  shared.dropped.register(index, slabs)
  return index

  function topOfFew(query: Float32Array, limit: number, accept: (label: number) => boolean): VectorHit[] {
    const best = createBestOf<VectorHit>(limit, isBehind)
    let floor = -Infinity
    for (const [slot, label] of labels.entries()) {
      const similarity = dotAt(few, slot * stride, query)
      // Most vectors end here, so no hit is made for them.
      if (similarity < floor || !accept(label)) continue
      best.offer({ label, similarity })
      floor = best.worst()?.similarity ?? -Infinity
    }
    return best.sorted()
  }

  function topOfSlabs(query: Float32Array, limit: number, accept: (label: number) => boolean): VectorHit[] {
    const near = inOneGo(scanned(query))
    const reader = readerOf(query)
    const error = errorOf(query)
    // The worst of the best may be off, and so may any that it is compared with.
    const floor = floorOf(near, limit, accept) - 2 * error
    const best = createBestOf<VectorHit>(limit, isBehind)
    for (let slot = 0; slot < near.length; slot++) {
      if ((near[slot] as number) < floor) continue
      const label = labels[slot] as number
      if (!accept(label)) continue
      const slab = slabs[Math.floor(slot / slabVectors)] as Slab
      best.offer({ label, similarity: reader.product(slab, (slot % slabVectors) * stride) })
    }
    return best.sorted()
  }

  /** What a similarity of a scan may be off by. */
  function errorOf(query: Float32Array): number {
    const roundings = stride / NUMBERS_AT_ONCE + ROUNDINGS_BESIDE
    return roundings * ROUNDING * lengthMax * Math.sqrt(dotAt(query, 0, query))
  }

  /** Of the accepted ones, the least similarity among the `limit` greatest; -Infinity when there are fewer. */
  function floorOf(near: Float32Array, limit: number, accept: (label: number) => boolean): number {
    const best = createBestOf<number>(limit, (a, b) => a < b)
    let floor = -Infinity
    for (let slot = 0; slot < near.length; slot++) {
      const similarity = near[slot] as number
      if (similarity <= floor || !accept(labels[slot] as number)) continue
      best.offer(similarity)
      floor = best.worst() ?? -Infinity
    }
    return floor
  }

  /** Similarities by slot, in single precision, a slab a piece. */
  function* scanned(query: Float32Array): Pieces<Float32Array> {
    const reader = readerOf(query)
    const known = scans.find(query, labels.length, (slot) =>
      reader.similarity(slabs[Math.floor(slot / slabVectors)] as Slab, (slot % slabVectors) * stride)
    )
    if (known !== null) return known
    const found = scans.room(labels.length)
    for (const [at, slab] of slabs.entries()) {
      const first = at * slabVectors
      const count = Math.min(slabVectors, labels.length - first)
      if (count > 0) found.set(reader.similarities(slab, count), first)
      yield
    }
    scans.keep(query, found)
    return found.subarray(0, labels.length)
  }

  function readerOf(query: Float32Array): SlabReader {
    const padded = new Float32Array(stride)
    padded.set(query)
    return arena.reader(padded)
  }
}

function isBehind(a: VectorHit, b: VectorHit): boolean {
  return a.similarity < b.similarity || (a.similarity === b.similarity && a.label > b.label)
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
