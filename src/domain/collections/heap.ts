/** Binary heaps as plain arrays. `isAbove` tells whether one item belongs above another, and has to be a strict order. */
type IsAbove<Item> = (one: Item, other: Item) => boolean

/** Adds an item. */
export function pushToHeap<Item>(heap: Item[], item: Item, isAbove: IsAbove<Item>): void {
  let place = heap.length
  while (place > 0) {
    const above = (place - 1) >> 1
    const other = heap[above] as Item
    if (!isAbove(item, other)) break
    heap[place] = other
    place = above
  }
  heap[place] = item
}

/** Puts an item at a place, or below where others belong above it. What was there is no longer in the heap. */
export function sinkInHeap<Item>(heap: Item[], from: number, item: Item, isAbove: IsAbove<Item>): void {
  let place = from
  for (let below = 2 * place + 1; below < heap.length; below = 2 * place + 1) {
    if (below + 1 < heap.length && isAbove(heap[below + 1] as Item, heap[below] as Item)) below += 1
    const other = heap[below] as Item
    if (!isAbove(other, item)) break
    heap[place] = other
    place = below
  }
  heap[place] = item
}

/** Removes the item on top, if there is one. */
export function dropTopOfHeap<Item>(heap: Item[], isAbove: IsAbove<Item>): void {
  const last = heap.pop()
  if (last !== undefined && heap.length > 0) sinkInHeap(heap, 0, last, isAbove)
}
