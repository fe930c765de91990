/** What the last searches of an index worked out, for the next ones with their queries: kept up with what changes meanwhile. */

import type { VectorHit } from '../domain/vector.js'

/** Queries that are kept: a run searches with its response, and then with its message. */
const SCANS_MAX = 2
/** Places that may change before a scan is as good as made anew. */
const CHANGES_MAX = 64

/** What is known of each place. */
export interface Scan {
  /** About the dot product with its vector. */
  readonly similarities: Float32Array
  /** The dot product in double precision; NaN where nobody asked for it. */
  readonly products: Float64Array
  /** The nearest of all, as many as were asked for; null where nobody asked, or something has changed since. */
  nearest: readonly VectorHit[] | null
}

export interface Scans {
  /** The scan of a query that was kept, with what `measure` tells of the places that changed; null for none. */
  find(query: Float32Array, size: number, measure: (place: number) => number): Scan | null
  /** Arrays for so many places, without any product. */
  room(size: number): Scan
  /** Keeps what was worked out for a query, in arrays that `room` made, and returns it as it is kept. */
  keep(query: Float32Array, scan: Scan): Scan
  /** Another vector is, or was, in this place. */
  change(place: number): void
  clear(): void
}

interface KeptScan extends Scan {
  readonly query: Float32Array
  readonly changed: Set<number>
}

export function createScans(): Scans {
  /** The latest one first. */
  let scans: KeptScan[] = []
  /** The arrays of a scan that is no longer kept: of many vectors new ones cost more than the scan. */
  let spare: Scan | null = null
  return {
    find(query, size, measure) {
      const known = scans.find((scan) => isEqual(scan.query, query))
      if (known === undefined) return null
      if (known.changed.size > 0) known.nearest = null
      for (const place of known.changed) {
        known.products[place] = NaN
        if (place < size) known.similarities[place] = measure(place)
      }
      known.changed.clear()
      return known
    },
    room(size) {
      const found = spare
      spare = null
      const isRoomy = found !== null && found.similarities.length >= size
      const length = size + CHANGES_MAX
      const room = isRoomy ? found : { similarities: new Float32Array(length), products: new Float64Array(length), nearest: null }
      room.products.fill(NaN)
      return room
    },
    keep(query, { similarities, products }) {
      const kept: KeptScan = { query: query.slice(), similarities, products, nearest: null, changed: new Set() }
      scans.unshift(kept)
      if (scans.length > SCANS_MAX) spare = scans.pop() ?? null
      return kept
    },
    change(place) {
      for (const { changed } of scans) changed.add(place)
      scans = scans.filter(({ changed, similarities }) => changed.size <= CHANGES_MAX && place < similarities.length)
    },
    clear() {
      scans = []
      spare = null
    }
  }
}

function isEqual(a: Float32Array, b: Float32Array): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}
