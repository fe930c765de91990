/** The least of the greatest numbers so far, without their sorting. */
export interface Floor {
  /** -Infinity until so many numbers were offered. */
  readonly value: number
  offer(value: number): void
}

/** Of the `limit` greatest: a heap whose root is the least. */
export function createFloor(limit: number): Floor {
  // A list of numbers, not a typed array: that would be a buffer outside of the heap for each of some searches a turn.
  const heap: number[] = []
  // A field, not a getter: V8 keeps an object made with one as a dictionary, and each use of it takes ten times as long.
  const floor = { value: -Infinity, offer }

  function siftUp(from: number, value: number): void {
    let child = from
    while (child > 0) {
      const parent = (child - 1) >> 1
      if ((heap[parent] as number) <= value) break
      heap[child] = heap[parent] as number
      child = parent
    }
    heap[child] = value
  }
  function siftDown(value: number): void {
    let parent = 0
    for (let child = 1; child < limit; child = 2 * parent + 1) {
      if (child + 1 < limit && (heap[child + 1] as number) < (heap[child] as number)) child++
      if ((heap[child] as number) >= value) break
      heap[parent] = heap[child] as number
      parent = child
    }
    heap[parent] = value
  }

  function offer(value: number): void {
    if (heap.length < limit) siftUp(heap.push(value) - 1, value)
    else if (value > floor.value) siftDown(value)
    else return
    if (heap.length === limit) floor.value = heap[0] as number
  }
  return floor
}
