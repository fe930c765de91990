/** Exact nearest neighbours: a scan over rounded vectors, then exact products with those that it cannot rule out. */
import { createBestOf } from '../domain/collections/best-of.js'
import { inOneGo, type Pieces } from '../domain/pieces.js'
import { withNext } from '../domain/collections/short-lists.js'
import { norm, PRODUCTS_A_PIECE, PRODUCTS_A_VECTOR, type Nearness, type VectorHit } from '../domain/similarity/vector.js'
import type { CreateVectorIndex, VectorIndex } from '../ports.js'
import { createVectorArena, KERNEL_NUMBERS_MAX, type Slab, type SlabReader, type VectorArena } from './arena.js'
import { type Accept, type Bound, placesNear } from './near-places.js'
import { forgetProducts, product } from './product.js'
import { inShorts, type Rounding } from './rounding.js'
import { blocksOf, rowsOfSlab } from './rows.js'
import type { ScanHelper, ScanJob } from './scan-helper.js'
import { type Announced, announceScan, scanSlabs } from './slab-scan.js'
import { isEqual, type Scan, Scans } from './scans.js'

/** Upper bound on the error of a product in single precision, relative to the lengths of both vectors: three roundings and one to spare. */
const SINGLE_ERROR = 2 ** -22

/** Shared empty list; never written to. */
const NO_SLABS: Slab[] = []

interface Shared {
  readonly arena: VectorArena
  /** Gives back the slabs of an index that was dropped without being closed. */
  readonly dropped: FinalizationRegistry<Slab[]>
}

/**
 * Creates indexes whose search looks at every vector. Similarity is the dot product (the cosine of unit vectors) in double precision: the
 * scan reads one byte per number, and vectors that it cannot rule out are multiplied in full. An index keeps the vectors themselves, which
 * must not change; a large one also keeps them rounded, in slabs of 256 KiB from an arena that all indexes share. Replacing or removing
 * costs one vector, whatever the size. `helper`: a thread that takes a part of large scans. Default: none. Throws RangeError for more than
 * 32,768 dimensions; indexes throw it for a vector of another one.
 */
export function createExactIndexes(helper?: ScanHelper): CreateVectorIndex {
  const arena = createVectorArena(helper)
  const dropped = new FinalizationRegistry<Slab[]>((slabs) => {
    for (const slab of slabs.splice(0)) arena.give(slab)
  })
  const shared: Shared = { arena, dropped }
  return (dimension) => new ExactIndex(dimension, shared)
}

/** A class rather than closures: every session has one, and per-instance functions would outweigh the data. */
class ExactIndex implements VectorIndex {
  // A field, not a getter: on the hot path of searches.
  size = 0
  private readonly slabRows: number
  /** By place; places have no gaps. */
  private vectors: Float32Array[] = []
  private labels: number[] = []
  /** By label; -1 for an absent one. */
  private places: number[] = []
  /** Length of each vector's rounding error, by place. */
  private errors: number[] = []
  /** Rounded vectors in the order of their places; empty while they are few. */
  private slabs: Slab[] = NO_SLABS
  private readonly scans = new Scans()
  /** Greatest length of any vector ever added (`lengthMax`), and of any vector's rounding error (`roundedMax`). */
  private lengthMax = 0
  private roundedMax = 0
  private asked: { readonly query: Float32Array; readonly rounding: Rounding } | null = null
  /** The scan that the next search may find begun; none once a vector has changed. */
  private announced: Announced | null = null

  constructor(
    private readonly dimension: number,
    private readonly shared: Shared
  ) {
    if (dimension > KERNEL_NUMBERS_MAX) throw new RangeError('the vectors have too many dimensions for the index')
    this.slabRows = rowsOfSlab(dimension)
  }

  add(label: number, vector: Float32Array): void {
    if (vector.length !== this.dimension) throw new RangeError('the vector has another dimension than the index')
    this.dropAnnounced()
    const known = this.places[label] ?? -1
    const gone = known < 0 ? undefined : this.vectors[known]
    if (known < 0) this.append(label, vector)
    else this.vectors[known] = vector
    const place = this.places[label] as number
    this.write(place)
    this.scans.change(place, { vector, gone: gone === vector ? undefined : gone })
    if (gone !== undefined) this.forgetAsked()
  }

  remove(label: number): void {
    const place = this.places[label] ?? -1
    if (place < 0) return
    this.dropAnnounced()
    const gone = this.vectors[place]
    this.closeGap(place)
    this.places[label] = -1
    this.size = this.vectors.length
    this.scans.change(place, { gone })
    this.forgetAsked()
  }

  prepare(query: Float32Array): void {
    if (this.slabs.length === 0 || query.length !== this.dimension) return
    if (this.announced !== null && isEqual(this.announced.query, query)) return
    this.dropAnnounced()
    if (!this.scans.has(query)) this.announced = this.announce(query)
  }

  *search(query: Float32Array, limit: number, accept?: (label: number) => boolean): Pieces<VectorHit[]> {
    if (query.length !== this.dimension) throw new RangeError('the vector has another dimension than the index')
    const wanted = Math.min(limit, this.vectors.length)
    return wanted < 1 ? [] : yield* this.nearestTo(query, wanted, accept)
  }

  nearness(query: Float32Array): Nearness {
    const scan = inOneGo(this.scanned(query))
    const { shared, perError } = this.boundOf(scan.query)
    // The greatest error of all vectors: looking up each one's own would cost more than the few vectors that it would rule out besides.
    const error = shared + perError * this.roundedMax
    return {
      of: (label) => this.product(scan, this.places[label] as number),
      atMost: (label) => (scan.similarities[this.places[label] as number] as number) + error
    }
  }

  close(): void {
    this.dropAnnounced()
    for (const list of [this.vectors, this.labels, this.places, this.errors]) list.length = 0
    this.size = 0
    this.scans.clear()
    this.forgetAsked()
    while (this.slabs.length > 0) this.shared.arena.give(this.slabs.pop() as Slab)
  }

  private append(label: number, vector: Float32Array): void {
    while (this.places.length < label) this.places = withNext(this.places, -1)
    const place = this.vectors.length
    if (label === this.places.length) this.places = withNext(this.places, place)
    else this.places[label] = place
    this.vectors = withNext(this.vectors, vector)
    this.labels = withNext(this.labels, label)
    this.errors = withNext(this.errors, 0)
    this.size = this.vectors.length
  }

  private write(place: number): void {
    const { vectors, errors, slabRows } = this
    const isFirst = this.slabs.length === 0
    // A slab would be at most half full: so few vectors are multiplied one by one.
    if (isFirst && vectors.length <= slabRows >> 1) {
      this.lengthMax = Math.max(this.lengthMax, norm(vectors[place] as Float32Array))
      return
    }
    this.takeSlabs()
    for (let at = isFirst ? 0 : place; at <= place; at++) {
      const { error, length } = this.slabOf(at).write(at % slabRows, vectors[at] as Float32Array)
      errors[at] = error
      this.roundedMax = Math.max(this.roundedMax, error)
      this.lengthMax = Math.max(this.lengthMax, length)
    }
  }

  private takeSlabs(): void {
    if (this.slabs === NO_SLABS) {
      this.slabs = []
      this.shared.dropped.register(this, this.slabs)
    }
    while (this.slabs.length * this.slabRows < this.vectors.length) this.slabs.push(this.shared.arena.take(this.dimension))
  }

  private slabOf(place: number): Slab {
    return this.slabs[Math.floor(place / this.slabRows)] as Slab
  }

  /** Moves the last vector to the place of the removed one. */
  private closeGap(place: number): void {
    const { vectors, labels, places, errors, slabs, slabRows } = this
    const end = vectors.length - 1
    const moved = labels[end] as number
    vectors[place] = vectors[end] as Float32Array
    labels[place] = moved
    places[moved] = place
    errors[place] = errors[end] as number
    for (const list of [vectors, labels, errors]) list.pop()
    if (slabs.length === 0) return
    if (place !== end) this.slabOf(place).copy(place % slabRows, this.slabOf(end), end % slabRows)
    // Removed data must not linger in memory.
    this.slabOf(end).wipe(end % slabRows)
    if (vectors.length > 0 && vectors.length <= (slabs.length - 1) * slabRows) this.shared.arena.give(slabs.pop() as Slab)
  }

  private *nearestTo(query: Float32Array, limit: number, accept: Accept | undefined): Pieces<VectorHit[]> {
    const scan = yield* this.scanned(query)
    if (accept === undefined && scan.nearest !== null && scan.nearest.length >= limit) return scan.nearest.slice(0, limit)
    const { labels, errors, roundedMax, slabRows: rows } = this
    const { similarities, greatest } = scan
    const bound = this.boundOf(scan.query)
    const left = yield* placesNear({ similarities, greatest, rows, labels, errors, errorMax: roundedMax, ...bound }, limit, accept)
    const best = createBestOf<VectorHit>(limit, (a, b) => bySimilarity(a, b) > 0)
    let products = 0
    for (const place of left) {
      const worst = best.worst()?.similarity ?? -Infinity
      if ((similarities[place] as number) + bound.shared + bound.perError * (errors[place] as number) < worst) continue
      // Vectors may be equal, or chosen so that rounding rules none of them out: this loop is then long.
      products += PRODUCTS_A_VECTOR + (Number.isNaN(scan.products[place]) ? this.dimension : 0)
      if (products > PRODUCTS_A_PIECE) {
        yield
        products = 0
      }
      const similarity = this.product(scan, place)
      if (similarity >= worst) best.offer({ label: this.labels[place] as number, similarity })
    }
    const nearest = best.sorted()
    if (accept === undefined) scan.nearest = nearest
    return nearest
  }

  private product({ query, products, computed }: Scan, place: number): number {
    const known = products[place] as number
    if (!Number.isNaN(known)) return known
    computed?.push(place)
    return (products[place] = product(query, this.vectors[place] as Float32Array))
  }

  private boundOf(query: Float32Array): Bound {
    const length = norm(query)
    const { lengthMax, roundedMax } = this
    if (this.slabs.length === 0) return { shared: SINGLE_ERROR * length * lengthMax, perError: 0 }
    return { shared: (this.roundingOf(query).error + SINGLE_ERROR * length) * (lengthMax + roundedMax), perError: length }
  }

  /** Caches the rounding of the latest query, which is needed several times. */
  private roundingOf(query: Float32Array): Rounding {
    if (this.asked?.query !== query) this.asked = { query, rounding: inShorts(query) }
    return this.asked.rounding
  }

  /** A vector that is gone may have been the latest query: nothing refers to it any more, nor to anything else in its buffer. */
  private forgetAsked(): void {
    this.asked = null
    this.shared.arena.forgetQueries()
    forgetProducts()
  }

  /** The cached scan of a query, or a new one, in pieces of one slab. */
  private *scanned(query: Float32Array): Pieces<Scan> {
    const { scans, slabs, slabRows, size } = this
    const known = scans.find(query, size, (asked, place) => this.similarityOf(asked, place))
    if (known !== null) return known
    const scan = scans.room(query, size, blocksOf(size, slabRows))
    if (slabs.length === 0) {
      for (let place = 0; place < size; place++) scan.similarities[place] = this.product(scan, place)
    } else {
      const { query: asked, similarities, greatest } = scan
      const job = this.begin(asked)
      try {
        yield* scanSlabs({ slabs, reader: this.readerOf(asked), rows: slabRows, places: size, similarities, greatest, job })
      } finally {
        job?.end()
      }
    }
    return scans.keep(scan)
  }

  /** What the helper does of a scan, which may be announced already; null without its help. `query` must not change. */
  private begin(query: Float32Array): ScanJob | null {
    const { announced } = this
    const isBegun = announced !== null && isEqual(announced.query, query)
    if (!isBegun) this.dropAnnounced()
    const begun = isBegun ? announced : this.announce(query)
    this.announced = null
    if (begun === null) return null
    this.asked = { query, rounding: begun.rounding }
    return begun.job
  }

  private announce(query: Float32Array): Announced | null {
    return announceScan(this.shared.arena, query, { slabs: this.slabs, places: this.size })
  }

  private dropAnnounced(): void {
    this.announced?.job.end()
    this.announced = null
  }

  private similarityOf(query: Float32Array, place: number): number {
    if (this.slabs.length === 0) return product(query, this.vectors[place] as Float32Array)
    return this.readerOf(query).similarity(this.slabOf(place), place % this.slabRows)
  }

  private readerOf(query: Float32Array): SlabReader {
    return this.shared.arena.reader(this.roundingOf(query))
  }
}

function bySimilarity(a: VectorHit, b: VectorHit): number {
  return b.similarity - a.similarity || a.label - b.label
}
