/** Which memories of a session lie in packs: many in one row, those before the last ones, which change most and lie alone. */

import { LeanSet } from '../../../src/domain/lean-map.js'

/** All memories of the session whose seq is one of these, both included. */
export interface Pack {
  /** The row's id: the first of its memories had this seq, and may be gone. */
  readonly from: number
  readonly to: number
}

export interface Packs {
  /** Ascending. */
  readonly list: Pack[]
  /** Those of which a memory was changed or removed since the last commit. */
  readonly touched: LeanSet<Pack>
  /** The last seq that an earlier commit has written: of later ones there is no row yet. */
  storedSeq: number
}

export function createPacks(list: Pack[] = [], storedSeq = 0): Packs {
  return { list, touched: new LeanSet(), storedSeq }
}

/** Notes that a memory is changed or removed. Whether it is in a pack. */
export function touchPack({ list, touched }: Packs, seq: number): boolean {
  const pack = list[countBefore(list, seq)]
  if (pack === undefined || seq < pack.from) return false
  touched.add(pack)
  return true
}

/** Packs that end before a seq. */
function countBefore(list: readonly Pack[], seq: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] as Pack).to < seq) low = middle + 1
    else high = middle
  }
  return low
}
