/** Sorts long lists in pieces. */
import type { Pieces } from '../pieces.js'

/** Items sorted or merged per piece: some tenths of a millisecond. */
const ITEMS_A_PIECE = 1_024

/** The items in order; stable. Merge sort. */
export function* sorted<Item>(items: readonly Item[], compare: (a: Item, b: Item) => number): Pieces<Item[]> {
  let runs: Item[][] = []
  for (let from = 0; from < items.length; from += ITEMS_A_PIECE) {
    runs.push(items.slice(from, from + ITEMS_A_PIECE).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const longer: Item[][] = []
    for (let at = 0; at < runs.length; at += 2) longer.push(yield* merged(runs[at] as Item[], runs[at + 1] ?? [], compare))
    runs = longer
  }
  return runs[0] ?? []
}

function* merged<Item>(first: readonly Item[], second: readonly Item[], compare: (a: Item, b: Item) => number): Pieces<Item[]> {
  const all: Item[] = []
  let at = 0
  let other = 0
  while (at < first.length || other < second.length) {
    const isFirst = other === second.length || (at < first.length && compare(first[at] as Item, second[other] as Item) <= 0)
    all.push((isFirst ? first[at++] : second[other++]) as Item)
    if (all.length % ITEMS_A_PIECE === 0) yield
  }
  return all
}
