/** The least of the greatest numbers so far, without their sorting. */
export interface Floor {
  /** -Infinity until so many numbers were offered. */
  readonly value: number
  offer(value: number): void
}

/** Of the `limit` greatest: a heap whose root is the least. */
export function createFloor(limit: number): Floor {
  const heap = new Float64Array(limit)
  let size = 0
  let floor = -Infinity

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

  return {
    get value() {
      return floor
    },
    offer(value) {
      if (size < limit) siftUp(size++, value)
      else if (value > floor) siftDown(value)
      else return
      if (size === limit) floor = heap[0] as number
    }
  }
}
