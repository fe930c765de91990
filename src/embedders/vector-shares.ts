/** Cached vectors of many subjects within one byte limit, shared fairly: one subject's flood evicts nothing from another's share. */

/** Most subjects with a share; beyond, the least recently used share is evicted. */
const SHARES_MAX = 4_096

/** Bytes of an entry beside its numbers: key, map entry, typed array. Node 20 measured 537 over 20,000 entries of 384 numbers. */
const ENTRY_BYTES = 544

export interface VectorShares {
  /** Bytes that count against the limit. */
  readonly bytes: number
  /** Looks up a vector, and makes it the most recently used of its subject. */
  get(subject: string, key: string): Float32Array | undefined
  /**
   * Stores a vector, unless it exceeds the whole limit or is present. To make room, the subject itself evicts if it exceeds an equal share,
   * else the subject with the largest share; least recently used first.
   */
  keep(subject: string, key: string, vector: Float32Array): void
  /** Drops the vectors of a subject, or all. */
  forget(subject?: string): void
}

interface Share {
  /** Least recently used first. */
  readonly vectors: Map<string, Float32Array>
  bytes: number
}

export function createVectorShares(bytesMax: number): VectorShares {
  /** Least recently used first. */
  const shares = new Map<string, Share>()
  let bytes = 0

  function use(subject: string): Share {
    const share = shares.get(subject) ?? { vectors: new Map<string, Float32Array>(), bytes: 0 }
    shares.delete(subject)
    shares.set(subject, share)
    return share
  }
  function drop(subject: string, share: Share): void {
    for (const [key, vector] of share.vectors) {
      const size = sizeOf(vector)
      share.vectors.delete(key)
      share.bytes -= size
      bytes -= size
      break
    }
    if (share.vectors.size === 0) shares.delete(subject)
  }
  function largest(): [string, Share] | undefined {
    let found: [string, Share] | undefined
    for (const entry of shares) if (found === undefined || entry[1].bytes > found[1].bytes) found = entry
    return found
  }
  function makeRoom(subject: string, own: Share): void {
    while (bytes > bytesMax) {
      const isOver = own.bytes * shares.size > bytesMax
      const [name, share] = isOver ? [subject, own] : (largest() ?? [subject, own])
      drop(name, share)
    }
    for (const [name, share] of shares) {
      if (shares.size <= SHARES_MAX) return
      bytes -= share.bytes
      shares.delete(name)
    }
  }

  return {
    get bytes() {
      return bytes
    },
    get(subject, key) {
      const vector = shares.get(subject)?.vectors.get(key)
      if (vector === undefined) return undefined
      const { vectors } = use(subject)
      vectors.delete(key)
      vectors.set(key, vector)
      return vector
    },
    keep(subject, key, vector) {
      const size = sizeOf(vector)
      if (size > bytesMax || shares.get(subject)?.vectors.has(key) === true) return
      const own = use(subject)
      own.vectors.set(key, vector)
      own.bytes += size
      bytes += size
      makeRoom(subject, own)
    },
    forget(subject) {
      for (const [name, share] of shares) {
        if (subject !== undefined && name !== subject) continue
        bytes -= share.bytes
        shares.delete(name)
      }
    }
  }
}

function sizeOf(vector: Float32Array): number {
  return vector.byteLength + ENTRY_BYTES
}
