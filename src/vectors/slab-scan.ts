/** A scan of slabs, of which the helper may have done a part. */
import type { Pieces } from '../domain/pieces.js'
import type { Slab, SlabReader, VectorArena } from './arena.js'
import { inShorts, type Rounding } from './rounding.js'
import { blocksOf } from './rows.js'
import type { ScanJob } from './scan-helper.js'

/** A scan that the helper has begun. */
export interface Announced {
  /** A copy. */
  readonly query: Float32Array
  readonly rounding: Rounding
  readonly job: ScanJob
}

/** Lets the helper begin with a scan of the first `places` rows of slabs; null where it does not help with so few, or has enough to do. */
export function announceScan(
  arena: VectorArena,
  asked: Float32Array,
  { slabs, places }: { readonly slabs: readonly Slab[]; readonly places: number }
): Announced | null {
  if (!arena.isHelped(slabs, places)) return null
  const query = asked.slice()
  const rounding = inShorts(query)
  const job = arena.announce(slabs, rounding, places)
  return job === null ? null : { query, rounding, job }
}

interface SlabScan {
  readonly slabs: readonly Slab[]
  readonly reader: SlabReader
  /** Rows of a slab, and of all slabs. */
  readonly rows: number
  readonly places: number
  /** Gets the similarity of each row. */
  readonly similarities: Float32Array
  /** Gets the greatest of each block, slab by slab. Null: nobody asks. */
  readonly greatest: Float32Array | null
  /** What the helper does of it. Null: nothing. */
  readonly job: ScanJob | null
}

/**
 * Scans slabs in pieces of one each. It takes slabs as the helper does, until all are taken, and then scans those that the helper has not
 * finished as well: the same bytes give the same bits, and there is no waiting for another thread.
 */
export function* scanSlabs({ slabs, reader, rows, places, similarities, greatest, job }: SlabScan): Pieces<void> {
  const isScanned = new Uint8Array(slabs.length)
  const scan = (at: number): void => {
    const first = at * rows
    const slab = slabs[at] as Slab
    const count = Math.min(rows, places - first)
    similarities.set(reader.similarities(slab, count), first)
    greatest?.set(reader.greatest(slab, count), blocksOf(first, rows))
    isScanned[at] = 1
  }
  for (let at = job?.take() ?? null; at !== null; at = job?.take() ?? null) {
    scan(at)
    yield
  }
  for (let at = 0; at < slabs.length;) {
    const found = isScanned[at] === 1 ? null : (job?.found(at) ?? null)
    if (found !== null) {
      similarities.set(found.similarities, at * rows)
      greatest?.set(found.greatest, blocksOf(at * rows, rows))
      at += Math.max(1, Math.ceil(found.similarities.length / rows))
      continue
    }
    if (isScanned[at] === 0) {
      scan(at)
      yield
    }
    at += 1
  }
}
