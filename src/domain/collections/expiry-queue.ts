/** Ids of the memories that expire, by the time at which they do. */
import type { Pieces } from '../pieces.js'
import { dropTopOfHeap, pushToHeap, sinkInHeap } from './heap.js'
import { LeanMap } from './lean-map.js'

/** A memory that expires. */
interface Due {
  readonly id: string
  /** Epoch seconds. */
  readonly at: number
  /** Whether the memory was removed or got another time. */
  isOutdated: boolean
}

/** Outdated entries beyond those that count, from which they are dropped. */
const OUTDATED_SPARE = 64

/** Of the entries, one in so many may be outdated and in front before all are looked at: fewer would cost more to take away singly. */
const OUTDATED_SHARE = 16

/** Entries looked at per piece: some tenths of a millisecond. */
const ENTRIES_A_PIECE = 1_024

const NONE: readonly Due[] = []
const NO_IDS: ReadonlySet<string> = new Set()

/** Number of entries that were due at all times from `since` to before `until`, in epoch seconds. */
interface Counted {
  readonly count: number
  readonly since: number
  readonly until: number
}

/**
 * A priority queue, as a binary heap: adding, removing and finding the next one take logarithmic time, so that a session whose memories all
 * expire some day is not walked through at every step. An entry that was removed or got another time stays in the heap until it comes to
 * the top. A class rather than closures: every session has one.
 */
export class ExpiryQueue implements Iterable<string> {
  private readonly dues = new LeanMap<string, Due>()
  /** Null while empty. */
  private heap: Due[] | null = null
  /** Null after a change. */
  private counted: Counted | null = null

  get size(): number {
    return this.dues.size
  }

  /** Adds an id, or gives it another time in epoch seconds. */
  add(id: string, at: number): void {
    const known = this.dues.get(id)
    if (known?.at === at) return
    if (known !== undefined) known.isOutdated = true
    const due = { id, at, isOutdated: false }
    this.counted = null
    this.dues.set(id, due)
    const heap = (this.heap ??= [])
    if (heap.length >= 2 * this.dues.size + OUTDATED_SPARE) this.rebuild()
    else pushToHeap(heap, due, isEarlier)
  }

  delete(id: string): void {
    const known = this.dues.get(id)
    if (known === undefined) return
    known.isOutdated = true
    this.counted = null
    this.dues.delete(id)
    if (this.dues.size === 0) this.heap = null
  }

  clear(): void {
    this.dues.clear()
    this.heap = null
    this.counted = null
  }

  /** The earliest time, in epoch seconds; null when empty. */
  next(): number | null {
    const heap = this.heap ?? []
    let left = OUTDATED_SPARE + heap.length / OUTDATED_SHARE
    for (let [first] = heap; first !== undefined; [first] = heap) {
      if (!first.isOutdated) return first.at
      if (left-- < 0) return this.rebuild()[0]?.at ?? null
      dropTopOfHeap(heap, isEarlier)
    }
    return null
  }

  /** Ids whose time has come by `now`, epoch seconds, in time proportional to their number. Nothing may be added or removed meanwhile. */
  *by(now: number): Pieces<ReadonlySet<string>> {
    const next = this.next()
    if (next === null || next > now) return NO_IDS
    const ids = new Set<string>()
    for (const due of this.dueBy(now)) {
      ids.add(due.id)
      if (ids.size % ENTRIES_A_PIECE === 0) yield
    }
    return ids
  }

  /** Number of ids whose time has come by `now`, epoch seconds. Constant time until the next one's has, or one is added or removed. */
  countBy(now: number): number {
    if (this.counted !== null && this.counted.since <= now && now < this.counted.until) return this.counted.count
    let count = 0
    let until = Infinity
    const due = this.dueBy(now, (later) => (until = Math.min(until, later.at)))
    while (due.next().done !== true) count += 1
    this.counted = { count, since: now, until }
    return count
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this.dues.keys()
  }

  /** Entries that are due. `later` gets those that are not and are below one that is. */
  private *dueBy(now: number, later: (due: Due) => void = () => undefined): Generator<Due, void> {
    const heap = this.heap ?? NONE
    // No entry is due unless the one above it is.
    const places = [0]
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      const due = heap[place]
      if (due === undefined) continue
      if (due.at > now) {
        later(due)
        continue
      }
      if (!due.isOutdated) yield due
      places.push(2 * place + 1, 2 * place + 2)
    }
  }

  /** Drops what is outdated, in linear time. */
  private rebuild(): readonly Due[] {
    const heap = [...this.dues.values()]
    for (let place = (heap.length >> 1) - 1; place >= 0; place--) sinkInHeap(heap, place, heap[place] as Due, isEarlier)
    this.heap = heap
    return heap
  }
}

function isEarlier(one: Due, other: Due): boolean {
  return one.at < other.at
}
