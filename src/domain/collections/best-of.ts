/** Collects the best few of many items without sorting them all. */
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
      if (heap.length < limit) {
        heap.push(item)
        siftUp(heap, isBehind)
      } else if (heap.length > 0 && isBehind(heap[0] as Item, item)) {
        heap[0] = item
        siftDown(heap, isBehind)
      }
    },
    worst: () => (heap.length === limit ? heap[0] : undefined),
    all: () => heap,
    sorted: () => heap.sort((a, b) => (isBehind(a, b) ? 1 : -1))
  }
}

function siftUp<Item>(heap: Item[], isBehind: (a: Item, b: Item) => boolean): void {
  let child = heap.length - 1
  const moving = heap[child] as Item
  while (child > 0) {
    const parent = (child - 1) >> 1
    if (!isBehind(moving, heap[parent] as Item)) break
    heap[child] = heap[parent] as Item
    child = parent
  }
  heap[child] = moving
}

function siftDown<Item>(heap: Item[], isBehind: (a: Item, b: Item) => boolean): void {
  const moving = heap[0] as Item
  let parent = 0
  for (let child = 1; child < heap.length; child = 2 * parent + 1) {
    const right = child + 1
    if (right < heap.length && isBehind(heap[right] as Item, heap[child] as Item)) child = right
    if (!isBehind(heap[child] as Item, moving)) break
    heap[parent] = heap[child] as Item
    parent = child
  }
  heap[parent] = moving
}
