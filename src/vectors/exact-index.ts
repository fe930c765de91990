/** Exact nearest neighbours: a scan over rounded vectors, and exact products with those that it cannot rule out. */
import { createBestOf } from '../domain/best-of.js'
import { floorOf } from '../domain/floor.js'
import { inOneGo, type Pieces } from '../domain/pieces.js'
import { dot, norm, PRODUCTS_A_PIECE, type VectorHit } from '../domain/vector.js'
import type { CreateVectorIndex, VectorIndex } from '../ports.js'
import { createVectorArena, DIMENSION_MAX, rowsOfSlab, type Slab, type SlabReader, type VectorArena } from './arena.js'
import { inBytes, inShorts, type Rounding } from './rounding.js'
import { createScans, type Scan } from './scans.js'

/** What a product in single precision may be off by, relative to the lengths of both vectors: three roundings and one to spare. */
const SINGLE_ERROR = 2 ** -22

/** How many times more are asked about when too few of the nearest were accepted. */
const WIDENING = 4

/** What a similarity of a scan may be off by: what all share, and as many times the error of its own vector. */
interface Bound {
  readonly shared: number
  readonly perError: number
}

interface Shared {
  /** For so many numbers, until the next call. */
  room(count: number): Float64Array
  readonly arena: VectorArena
  /** Gives back the slabs of an index that was dropped without being closed. */
  readonly dropped: FinalizationRegistry<Slab[]>
}

/**
 * Makes indexes whose search looks at every vector. Similarity is the dot product, the cosine of unit vectors, in double precision: the
 * scan is over numbers of one byte, and what it cannot have ruled out is multiplied in full. An index holds the vectors themselves, which
 * nobody may change; one of many has them rounded as well, in slabs of 256 KiB that all indexes share. Replacing and removing cost one
 * vector, whatever the size. Throws RangeError for more than 65,536 dimensions, and later for a vector of another dimension than its index.
 */
export function createExactIndexes(): CreateVectorIndex {
  const arena = createVectorArena()
  const dropped = new FinalizationRegistry<Slab[]>((slabs) => {
    for (const slab of slabs.splice(0)) arena.give(slab)
  })
  let spare = new Float64Array(0)
  const room = (count: number): Float64Array => (spare.length >= count ? spare : (spare = new Float64Array(2 * count)))
  const shared: Shared = { room, arena, dropped }
  return (dimension) => createExactIndex(dimension, shared)
}

function createExactIndex(dimension: number, shared: Shared): VectorIndex {
  const { arena } = shared
  if (dimension > DIMENSION_MAX) throw new RangeError('the vectors have too many dimensions for the index')
  const slabRows = rowsOfSlab(dimension)
  /** Vectors that are multiplied one by one: a slab would be less than half full. */
  const fewMax = slabRows >> 1
  /** By place, each at most once. */
  const vectors: Float32Array[] = []
  const labels: number[] = []
  /** By label; -1 for one that is not there. */
  const places: number[] = []
  /** Rounded vectors in the order of their places. None while they are few. */
  const slabs: Slab[] = []
  const scans = createScans()
  /** By place, the length of what rounding left out of the vector. */
  const errors: number[] = []
  /** The greatest length of a vector that ever was here, and of what rounding left out of one. */
  let lengthMax = 0
  let roundedMax = 0
  let asked: { readonly query: Float32Array; readonly rounding: Rounding } | null = null

  function write(place: number): void {
    const vector = vectors[place] as Float32Array
    lengthMax = Math.max(lengthMax, norm(vector))
    errors[place] = 0
    if (slabs.length === 0 && vectors.length <= fewMax) return
    const isFirst = slabs.length === 0
    while (slabs.length * slabRows < vectors.length) slabs.push(arena.take(dimension))
    for (let at = isFirst ? 0 : place; at <= place; at++) {
      const rounding = inBytes(vectors[at] as Float32Array)
      slabOf(at).write(at % slabRows, rounding)
      errors[at] = rounding.error
      roundedMax = Math.max(roundedMax, rounding.error)
    }
  }

  function slabOf(place: number): Slab {
    return slabs[Math.floor(place / slabRows)] as Slab
  }

  /** Puts the last vector in the place of one that is gone. */
  function closeGap(place: number): void {
    const end = vectors.length - 1
    const moved = labels[end] as number
    vectors[place] = vectors[end] as Float32Array
    labels[place] = moved
    places[moved] = place
    errors[place] = errors[end] as number
    for (const list of [vectors, labels, errors]) list.pop()
    if (slabs.length === 0) return
    if (place !== end) slabOf(place).copy(place % slabRows, slabOf(end), end % slabRows)
    // What was removed must not linger in memory.
    slabOf(end).wipe(end % slabRows)
    if (vectors.length > 0 && vectors.length <= (slabs.length - 1) * slabRows) arena.give(slabs.pop() as Slab)
  }

  // A field, not a getter: V8 keeps an object made with one as a dictionary, and what works with it is compiled anew for each index.
  const index: { -readonly [Key in keyof VectorIndex]: VectorIndex[Key] } = {
    size: 0,
    add(label, vector) {
      if (vector.length !== dimension) throw new RangeError('the vector has another dimension than the index')
      const known = places[label] ?? -1
      const place = known < 0 ? vectors.length : known
      while (places.length < label) places.push(-1)
      vectors[place] = vector
      labels[place] = label
      places[label] = place
      index.size = vectors.length
      write(place)
      scans.change(place)
    },
    remove(label) {
      const place = places[label] ?? -1
      if (place < 0) return
      closeGap(place)
      places[label] = -1
      index.size = vectors.length
      scans.change(place)
    },
    search: (query, limit, accept) => inOneGo(index.searchInPieces(query, limit, accept)),
    *searchInPieces(query, limit, accept) {
      if (query.length !== dimension) throw new RangeError('the vector has another dimension than the index')
      const wanted = Math.min(limit, vectors.length)
      return wanted < 1 ? [] : yield* nearestTo(query, wanted, accept)
    },
    nearness(query) {
      const scan = inOneGo(scanned(query))
      const bound = boundOf(query)
      return {
        of: (label) => product(scan, query, places[label] as number),
        atMost(label) {
          const place = places[label] as number
          return (scan.similarities[place] as number) + errorOf(bound, place)
        }
      }
    },
    close() {
      for (const list of [vectors, labels, places, errors]) list.length = 0
      index.size = 0
      scans.clear()
      asked = null
      for (const slab of slabs.splice(0)) arena.give(slab)
    }
  }
  shared.dropped.register(index, slabs)
  return index

  function* nearestTo(query: Float32Array, limit: number, accept: ((label: number) => boolean) | undefined): Pieces<VectorHit[]> {
    const scan = yield* scanned(query)
    if (accept === undefined && scan.nearest !== null && scan.nearest.length >= limit) return scan.nearest.slice(0, limit)
    const left = within(scan, boundOf(query), limit, accept)
    const best = createBestOf<VectorHit>(limit, (a, b) => bySimilarity(a, b) > 0)
    let products = 0
    for (const place of left) {
      // Vectors may be made so that rounding rules none of them out.
      if (Number.isNaN(scan.products[place])) products += dimension
      if (products > PRODUCTS_A_PIECE) {
        yield
        products = 0
      }
      const similarity = product(scan, query, place)
      if (similarity >= (best.worst()?.similarity ?? -Infinity)) best.offer({ label: labels[place] as number, similarity })
    }
    const nearest = best.sorted()
    if (accept === undefined) scan.nearest = nearest
    return nearest
  }

  /** Places among which the nearest are: those that may be as near as the last of them is at least. */
  function within({ similarities }: Scan, bound: Bound, limit: number, accept: ((label: number) => boolean) | undefined): number[] {
    const lowest = shared.room(vectors.length)
    for (let place = 0; place < vectors.length; place++) lowest[place] = (similarities[place] as number) - errorOf(bound, place)
    const isAccepted = (place: number): boolean => accept?.(labels[place] as number) !== false
    const least = accept === undefined ? floorOf(lowest, vectors.length, limit) : leastAccepted(lowest, limit, isAccepted)
    const left: number[] = []
    for (let place = 0; place < vectors.length; place++) {
      if ((similarities[place] as number) + errorOf(bound, place) >= least && isAccepted(place)) left.push(place)
    }
    return left
  }

  /** What so many of the accepted ones have at least. Those that have most are asked about first, as asking takes longer than counting. */
  function leastAccepted(lowest: Float64Array, limit: number, isAccepted: (place: number) => boolean): number {
    for (let wanted = limit; ; wanted *= WIDENING) {
      const floor = floorOf(lowest, vectors.length, wanted)
      const accepted: number[] = []
      for (let place = 0; place < vectors.length; place++) {
        const value = lowest[place] as number
        if (value >= floor && isAccepted(place)) accepted.push(value)
      }
      if (accepted.length >= limit || floor === -Infinity) return floorOf(Float64Array.from(accepted), accepted.length, limit)
    }
  }

  function errorOf({ shared, perError }: Bound, place: number): number {
    return shared + perError * (errors[place] as number)
  }

  function product({ products }: Scan, query: Float32Array, place: number): number {
    const known = products[place] as number
    if (!Number.isNaN(known)) return known
    return (products[place] = dot(vectors[place] as Float32Array, query))
  }

  function boundOf(query: Float32Array): Bound {
    const length = norm(query)
    if (slabs.length === 0) return { shared: SINGLE_ERROR * length * lengthMax, perError: 0 }
    return { shared: (roundingOf(query).error + SINGLE_ERROR * length) * (lengthMax + roundedMax), perError: length }
  }

  /** The query of the moment is asked with several times. */
  function roundingOf(query: Float32Array): Rounding {
    if (asked?.query !== query) asked = { query, rounding: inShorts(query) }
    return asked.rounding
  }

  /** Similarities by place, a slab a piece. */
  function* scanned(query: Float32Array): Pieces<Scan> {
    const known = scans.find(query, vectors.length, (place) => similarityOf(query, place))
    if (known !== null) return known
    const scan = scans.room(vectors.length)
    if (slabs.length === 0) {
      for (let place = 0; place < vectors.length; place++) scan.similarities[place] = product(scan, query, place)
    } else {
      const reader = readerOf(query)
      for (const [at, slab] of slabs.entries()) {
        const first = at * slabRows
        const count = Math.min(slabRows, vectors.length - first)
        if (count > 0) scan.similarities.set(reader.similarities(slab, count), first)
        yield
      }
    }
    return scans.keep(query, scan)
  }

  function similarityOf(query: Float32Array, place: number): number {
    if (slabs.length === 0) return dot(vectors[place] as Float32Array, query)
    return readerOf(query).similarity(slabOf(place), place % slabRows)
  }

  function readerOf(query: Float32Array): SlabReader {
    return arena.reader(roundingOf(query))
  }
}

function bySimilarity(a: VectorHit, b: VectorHit): number {
  return b.similarity - a.similarity || a.label - b.label
}
