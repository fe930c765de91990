/** Cache of the last searches of an index, for later ones with the same queries. Kept valid as vectors change. */

import { LeanSet } from '../domain/collections/lean-map.js'
import type { VectorHit } from '../domain/similarity/vector.js'

/** Queries cached: a run searches with its response, and then with its message. */
const SCANS_MAX = 2
/** Changed places beyond which a cached scan is dropped: repairing it would cost as much as a new one. */
const CHANGES_MAX = 64

/**
 * Places from which a scan is kept when vectors change, and leaves its arrays to the next one. A smaller one takes microseconds, and there
 * may be thousands of idle sessions, each with its last scans.
 */
const LASTING_MIN = 512

/** Blocks from which the greatest similarity of each is kept: with fewer, looking at all similarities takes no longer. */
const BLOCKS_MIN = 256

/** Places from which products are forgotten one by one: hundreds of many thousands are computed. */
const ONE_BY_ONE_MIN = 16_384

/** Results of one query by place. */
export interface Scan {
  /** A copy, until the index holds a vector of the same numbers, which replaces it. Must not change. */
  readonly query: Float32Array
  /** Approximate dot products. */
  readonly similarities: Float32Array
  /** The greatest of each block; see `rows.ts`. Null where blocks are few, and once a place has changed. */
  greatest: Float32Array | null
  /** Dot products in double precision; NaN where not computed yet. */
  readonly products: Float64Array
  /** Places of the products; null where they are few enough to be all forgotten at once. */
  readonly computed: number[] | null
  /** Nearest of all vectors, as many as were asked for; null when not computed, or outdated by a change. */
  nearest: readonly VectorHit[] | null
}

type Room = Pick<Scan, 'similarities' | 'products' | 'computed'>

interface KeptScan extends Scan {
  query: Float32Array
  readonly changed: LeanSet<number>
}

const NO_SCANS: readonly KeptScan[] = []

/** A class rather than closures: every index has one, and per-instance functions would outweigh the data. */
export class Scans {
  /** Latest first. */
  private scans: readonly KeptScan[] = NO_SCANS
  /** Arrays of an evicted scan, for reuse: with many vectors, allocating new ones costs more than the scan. */
  private spare: Room | null = null

  /** Cached scan of a query, or null. Places that changed since are measured again with `measure`. */
  find(query: Float32Array, size: number, measure: (query: Float32Array, place: number) => number): Scan | null {
    const known = this.scans.find((scan) => isEqual(scan.query, query))
    if (known === undefined) return null
    for (const place of known.changed) {
      known.products[place] = NaN
      if (place < size) known.similarities[place] = measure(known.query, place)
    }
    known.changed.clear()
    return known
  }

  has(query: Float32Array): boolean {
    return this.scans.some((scan) => isEqual(scan.query, query))
  }

  /** Empty scan for a query and `size` places in so many blocks; no product computed. */
  room(query: Float32Array, size: number, blocks = 0): Scan {
    const found = this.spare
    this.spare = null
    const isRoomy = found !== null && found.similarities.length >= size
    if (isRoomy) forget(found)
    // With places for vectors that are added while the scan is kept.
    const room = isRoomy ? found : createRoom(size < LASTING_MIN ? size : size + CHANGES_MAX)
    const greatest = blocks < BLOCKS_MIN ? null : new Float32Array(blocks)
    return { query: query.slice(), nearest: null, greatest, ...room }
  }

  /** Caches a scan that `room` made. Returns the cached object, which replaces it. */
  keep(scan: Scan): Scan {
    const kept: KeptScan = { changed: new LeanSet(), ...scan }
    const last = this.scans[SCANS_MAX - 1]
    if (last !== undefined && last.similarities.length >= LASTING_MIN)
      this.spare = { similarities: last.similarities, products: last.products, computed: last.computed }
    this.scans = [kept].concat(this.scans.slice(0, SCANS_MAX - 1))
    return kept
  }

  /** Records a change at a place: `vector` is the one there now, if any, and `gone` the one it replaces. */
  change(place: number, { vector, gone }: { readonly vector?: Float32Array | undefined; readonly gone?: Float32Array | undefined }): void {
    if (this.scans.length === 0) return
    for (const scan of this.scans) {
      scan.changed.add(place)
      // At once: what is left until the next search is copied by the garbage collector, twice.
      scan.nearest = scan.greatest = null
      if (vector !== undefined && isEqual(scan.query, vector)) scan.query = vector
    }
    // Removed vectors must not linger in memory, nor anything else in their buffer.
    const isKept = ({ query, changed, similarities }: KeptScan): boolean =>
      similarities.length >= LASTING_MIN && query !== gone && changed.size <= CHANGES_MAX && place < similarities.length
    if (!this.scans.every(isKept)) this.scans = this.scans.filter(isKept)
  }

  clear(): void {
    this.scans = NO_SCANS
    this.spare = null
  }
}

/** Both arrays share one buffer, because the buffer is the most expensive part of short arrays. */
function createRoom(length: number): Room {
  const productBytes = Float64Array.BYTES_PER_ELEMENT * length
  const buffer = new ArrayBuffer(productBytes + Float32Array.BYTES_PER_ELEMENT * length)
  const products = new Float64Array(buffer, 0, length).fill(NaN)
  return { similarities: new Float32Array(buffer, productBytes), products, computed: length < ONE_BY_ONE_MIN ? null : [] }
}

/** Forgets all products. */
function forget({ products, computed }: Room): void {
  if (computed === null) products.fill(NaN)
  else for (const place of computed.splice(0)) products[place] = NaN
}

/** Whether two vectors have the same numbers. */
export function isEqual(a: Float32Array, b: Float32Array): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}
