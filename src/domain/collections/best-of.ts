/** Collects the best few of many items without sorting them all. */
import { pushToHeap, sinkInHeap } from './heap.js'

interface BestOf<Item> {
  /** Keeps the item if fewer than `limit` are held, or if it ranks before the worst of them. */
  offer(item: Item): void
  /** The worst item held, once `limit` items are held; items that rank behind it need not be offered. */
  worst(): Item | undefined
  /** Items held, in no particular order. Call it last: the array is the collection itself. */
  all(): Item[]
  /** Items held, best first. Call it last, too. */
  sorted(): Item[]
}

/**
 * Collects at most `limit` items. `isBehind(a, b)` tells whether `a` ranks behind `b` and must be a strict order. A heap with the worst
 * item at its root.
 */
export function createBestOf<Item>(limit: number, isBehind: (a: Item, b: Item) => boolean): BestOf<Item> {
  const heap: Item[] = []
  return {
    offer(item) {
      if (heap.length < limit) pushToHeap(heap, item, isBehind)
      else if (heap.length > 0 && isBehind(heap[0] as Item, item)) sinkInHeap(heap, 0, item, isBehind)
    },
    worst: () => (heap.length === limit ? heap[0] : undefined),
    all: () => heap,
    sorted: () => heap.sort((a, b) => (isBehind(a, b) ? 1 : -1))
  }
}
