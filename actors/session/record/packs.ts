/** Index of a session's packs. Older memories are packed, many to a row; the last ones, which change most, are loose, one to a row. */
import { countWhile } from '../../../src/domain/collections/ascending.js'
import { LeanSet } from '../../../src/domain/collections/lean-map.js'

/** Pack of all memories whose `seq` is in the inclusive range. */
export interface Pack {
  /** Id of the row: `seq` of its first memory when it was written, which may be gone. */
  readonly from: number
  readonly to: number
}

export interface Packs {
  /** Ascending. */
  readonly list: Pack[]
  /** Packs of which a memory was changed or removed since the last commit. */
  readonly touched: LeanSet<Pack>
  /** Last `seq` written by an earlier commit: later memories have no row yet. */
  storedSeq: number
}

export function createPacks(list: Pack[] = [], storedSeq = 0): Packs {
  return { list, touched: new LeanSet(), storedSeq }
}

/** Notes that a memory is changed or removed. Returns whether it is in a pack. */
export function touchPack({ list, touched }: Packs, seq: number): boolean {
  const pack = list[countBefore(list, seq)]
  if (pack === undefined || seq < pack.from) return false
  touched.add(pack)
  return true
}

/** Number of packs that end before a `seq`. */
function countBefore(list: readonly Pack[], seq: number): number {
  return countWhile(list, ({ to }) => to < seq)
}
