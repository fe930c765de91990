/** What the last searches of an index worked out, for the next ones with their queries: kept up with what changes meanwhile. */

import { LeanSet } from '../domain/lean-map.js'
import type { VectorHit } from '../domain/vector.js'

/** Queries that are kept: a run searches with its response, and then with its message. */
const SCANS_MAX = 2
/** Places that may change before a scan is as good as made anew. */
const CHANGES_MAX = 64
/** Places that few vectors leave for those that may come while a scan is kept; of many it is half as many more, up to the changes. */
const SPARE_PLACES = 4

/** Places from which on arrays that are no longer of use are kept for the next scan. */
const SPARE_MIN = 512

/** What is known of each place. */
export interface Scan {
  /** A copy, until the index holds a vector of the same numbers: nobody may change it. */
  readonly query: Float32Array
  /** About the dot product with its vector. */
  readonly similarities: Float32Array
  /** The dot product in double precision; NaN where nobody asked for it. */
  readonly products: Float64Array
  /** The nearest of all, as many as were asked for; null where nobody asked, or something has changed since. */
  nearest: readonly VectorHit[] | null
}

type Room = Pick<Scan, 'similarities' | 'products'>

export interface Scans {
  /** The scan of a query that was kept, with what `measure` tells of the places that changed; null for none. */
  find(query: Float32Array, size: number, measure: (query: Float32Array, place: number) => number): Scan | null
  /** For a query and so many places, without any product. */
  room(query: Float32Array, size: number): Scan
  /** Keeps what was worked out in a scan that `room` made, and returns it as it is kept. */
  keep(scan: Scan): Scan
  /** Another vector is, or was, in this place: `vector`, where the index holds one there now, instead of `gone`. */
  change(place: number, vectors: { readonly vector?: Float32Array | undefined; readonly gone?: Float32Array | undefined }): void
  clear(): void
}

interface KeptScan extends Scan {
  query: Float32Array
  readonly changed: LeanSet<number>
}

const NO_SCANS: readonly KeptScan[] = []

export function createScans(): Scans {
  return new LastScans()
}

/** A class, because each index has one: functions of its own would weigh more than what they work with. */
class LastScans implements Scans {
  /** The latest one first. */
  private scans: readonly KeptScan[] = NO_SCANS
  /** The arrays of a scan that is no longer kept: of many vectors new ones cost more than the scan. */
  private spare: Room | null = null

  find(query: Float32Array, size: number, measure: (query: Float32Array, place: number) => number): Scan | null {
    const known = this.scans.find((scan) => isEqual(scan.query, query))
    if (known === undefined) return null
    if (known.changed.size > 0) known.nearest = null
    for (const place of known.changed) {
      known.products[place] = NaN
      if (place < size) known.similarities[place] = measure(known.query, place)
    }
    known.changed.clear()
    return known
  }

  room(query: Float32Array, size: number): Scan {
    const found = this.spare
    this.spare = null
    const isRoomy = found !== null && found.similarities.length >= size
    const room = isRoomy ? found : createRoom(size + Math.min(CHANGES_MAX, SPARE_PLACES + (size >> 1)))
    room.products.fill(NaN)
    return { query: query.slice(), nearest: null, ...room }
  }

  keep(scan: Scan): Scan {
    const kept: KeptScan = { changed: new LeanSet(), ...scan }
    const last = this.scans[SCANS_MAX - 1]
    if (last !== undefined && last.similarities.length >= SPARE_MIN)
      this.spare = { similarities: last.similarities, products: last.products }
    this.scans = [kept].concat(this.scans.slice(0, SCANS_MAX - 1))
    return kept
  }

  change(place: number, { vector, gone }: Parameters<Scans['change']>[1]): void {
    if (this.scans.length === 0) return
    for (const scan of this.scans) {
      scan.changed.add(place)
      if (vector !== undefined && isEqual(scan.query, vector)) scan.query = vector
    }
    // What nobody holds any more must not linger in memory, nor what lies in one buffer with it.
    const isKept = ({ query, changed, similarities }: KeptScan): boolean =>
      query !== gone && changed.size <= CHANGES_MAX && place < similarities.length
    if (!this.scans.every(isKept)) this.scans = this.scans.filter(isKept)
  }

  clear(): void {
    this.scans = NO_SCANS
    this.spare = null
  }
}

/** In one buffer: it is the dearest part of short arrays. */
function createRoom(length: number): Room {
  const productBytes = Float64Array.BYTES_PER_ELEMENT * length
  const buffer = new ArrayBuffer(productBytes + Float32Array.BYTES_PER_ELEMENT * length)
  return { similarities: new Float32Array(buffer, productBytes), products: new Float64Array(buffer, 0, length) }
}

function isEqual(a: Float32Array, b: Float32Array): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}
