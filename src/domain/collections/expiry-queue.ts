/** Ids of the memories that expire, by the time at which they do. */
import { LeanMap } from './lean-map.js'

/** A memory that expires. */
interface Due {
  readonly id: string
  /** Epoch seconds. */
  readonly at: number
}

/** Entries beyond twice those that count, from which outdated ones are dropped. */
const OUTDATED_SPARE = 64

const NONE: readonly Due[] = []
const NO_IDS: ReadonlySet<string> = new Set()

/**
 * A priority queue, as a binary heap: adding, removing and finding the next one take logarithmic time, so that a session whose memories all
 * expire some day is not walked through at every step. An entry that was removed or got another time stays in the heap until it comes to
 * the top. A class rather than closures: every session has one.
 */
export class ExpiryQueue implements Iterable<string> {
  private readonly times = new LeanMap<string, number>()
  /** Null while empty. */
  private heap: Due[] | null = null

  get size(): number {
    return this.times.size
  }

  /** Adds an id, or gives it another time in epoch seconds. */
  add(id: string, at: number): void {
    if (this.times.get(id) === at) return
    this.times.set(id, at)
    const heap = (this.heap ??= [])
    if (heap.length >= 2 * this.times.size + OUTDATED_SPARE) this.rebuild()
    else siftUp(heap, { id, at })
  }

  delete(id: string): void {
    this.times.delete(id)
    if (this.times.size === 0) this.heap = null
  }

  clear(): void {
    this.times.clear()
    this.heap = null
  }

  /** The earliest time, in epoch seconds; null when empty. */
  next(): number | null {
    const heap = this.heap ?? []
    for (let [first] = heap; first !== undefined; [first] = heap) {
      if (this.times.get(first.id) === first.at) return first.at
      removeFirst(heap)
    }
    return null
  }

  /** Ids whose time has come by `now`, epoch seconds. Takes time proportional to their number. */
  by(now: number): ReadonlySet<string> {
    const next = this.next()
    if (next === null || next > now) return NO_IDS
    const heap = this.heap ?? NONE
    const ids = new Set<string>()
    // No entry is due unless the one above it is.
    const places = [0]
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      const due = heap[place]
      if (due === undefined || due.at > now) continue
      if (this.times.get(due.id) === due.at) ids.add(due.id)
      places.push(2 * place + 1, 2 * place + 2)
    }
    return ids
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this.times.keys()
  }

  private rebuild(): void {
    // A sorted list is a heap.
    this.heap = Array.from(this.times, ([id, at]) => ({ id, at })).sort((a, b) => a.at - b.at)
  }
}

function siftUp(heap: Due[], due: Due): void {
  let place = heap.length
  for (; place > 0;) {
    const above = (place - 1) >> 1
    const other = heap[above] as Due
    if (other.at <= due.at) break
    heap[place] = other
    place = above
  }
  heap[place] = due
}

function removeFirst(heap: Due[]): void {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  let place = 0
  for (let below = 1; below < heap.length; below = 2 * place + 1) {
    if (below + 1 < heap.length && (heap[below + 1] as Due).at < (heap[below] as Due).at) below += 1
    if ((heap[below] as Due).at >= last.at) break
    heap[place] = heap[below] as Due
    place = below
  }
  heap[place] = last
}
