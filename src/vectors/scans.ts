/** What the last searches of an index worked out, for the next ones with their queries: kept up with what changes meanwhile. */

/** Queries that are kept: a run searches with its response, and then twice with its message. */
const SCANS_MAX = 2
/** Semaphore that may change before a scan is as good as made anew. */
const CHANGES_MAX = 64

export interface Scans {
  /** Similarities by place for a query that was kept, those that `measure` tells for the places that changed; null for none. */
  find(query: Float32Array, size: number, measure: (place: number) => number): Float32Array | null
  /** An array for the similarities of so many places. */
  room(size: number): Float32Array
  /** Keeps what was worked out, in an array that `room` made. */
  keep(query: Float32Array, similarities: Float32Array): void
  /** Another vector is, or was, in this place. */
  change(place: number): void
  clear(): void
}

interface Scan {
  readonly query: Float32Array
  readonly similarities: Float32Array
  readonly changed: Set<number>
}

export function createScans(): Scans {
  /** The latest one first. */
  let scans: Scan[] = []
  /** That of a scan that is no longer kept: of many vectors a new one costs more than the scan. */
  let spare: Float32Array | null = null
  return {
    find(query, size, measure) {
      const known = scans.find((scan) => isEqual(scan.query, query))
      if (known === undefined) return null
      for (const place of known.changed) if (place < size) known.similarities[place] = measure(place)
      known.changed.clear()
      return known.similarities.subarray(0, size)
    },
    room(size) {
      const found = spare
      spare = null
      return found !== null && found.length >= size ? found : new Float32Array(size + CHANGES_MAX)
    },
    keep(query, similarities) {
      scans.unshift({ query: query.slice(), similarities, changed: new Set<number>() })
      if (scans.length > SCANS_MAX) spare = scans.pop()?.similarities ?? null
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
