/**
 * Waiting items of many subjects, taken so that each subject that waits gets the same share of what is charged, however much the others
 * ask for: start-time fair queueing (Goyal, Vin and Cheng, 1996), charged when the cost is known. Within a subject first in, first out.
 */
export interface FairQueue<Item> {
  /** Items that wait, those of paused subjects included. */
  size(): number
  /** Subjects that wait. */
  subjects(): number
  sizeOf(subject: string): number
  push(subject: string, item: Item): void
  /** The first item of the subject that was charged least, among those that are not paused. Linear in the subjects that wait. */
  take(): Item | undefined
  /** What `take` would give next, left where it is. */
  peek(): Item | undefined
  /** Counts what an item of the subject has cost, in any unit that is the same for all. Not negative. */
  charge(subject: string, cost: number): void
  /** Whether it was still there. Linear in the subject's items. */
  remove(subject: string, item: Item): boolean
  /** Leaves the subject's items where they are until `resume`. */
  pause(subject: string): void
  resume(subject: string): void
}

/** Subjects whose account outlives their items, at most: some 100 bytes each. Beyond, what they have used is forgotten. */
const ACCOUNTS_MAX = 1_024

interface Line<Item> {
  readonly items: Item[]
  /** What the subject was charged, counted from `served` when it came to wait. */
  charged: number
  isPaused: boolean
}

export function createFairQueue<Item>(): FairQueue<Item> {
  const lines = new Map<string, Line<Item>>()
  /** Those of the lines that have items and are not paused. Of two that were charged alike the first one is served first. */
  const ready = new Map<string, Line<Item>>()
  let size = 0
  let waiting = 0
  /** The account of the subject served last: nobody comes to wait with less, so nobody saves up. */
  let served = 0

  function lineOf(subject: string): Line<Item> {
    const known = lines.get(subject)
    if (known !== undefined) return known
    if (lines.size >= ACCOUNTS_MAX + waiting) forgetIdle()
    const line = { items: [], charged: served, isPaused: false }
    lines.set(subject, line)
    return line
  }
  function forgetIdle(): void {
    for (const [subject, line] of lines) if (line.items.length === 0 && !line.isPaused) lines.delete(subject)
  }
  function least(): [string, Line<Item>] | undefined {
    let found: [string, Line<Item>] | undefined
    for (const entry of ready) if (found === undefined || entry[1].charged < found[1].charged) found = entry
    return found
  }
  function drop(subject: string, line: Line<Item>): void {
    size -= 1
    // Put in again, it comes after those that were charged alike.
    ready.delete(subject)
    if (line.items.length > 0) {
      if (!line.isPaused) ready.set(subject, line)
      return
    }
    waiting -= 1
    if (!line.isPaused && line.charged <= served) lines.delete(subject)
  }

  return {
    size: () => size,
    subjects: () => waiting,
    sizeOf: (subject) => lines.get(subject)?.items.length ?? 0,
    push(subject, item) {
      const line = lineOf(subject)
      if (line.items.push(item) === 1) {
        waiting += 1
        line.charged = Math.max(line.charged, served)
        if (!line.isPaused) ready.set(subject, line)
      }
      size += 1
    },
    take() {
      const found = least()
      if (found === undefined) return undefined
      const [subject, line] = found
      served = Math.max(served, line.charged)
      const item = line.items.shift()
      drop(subject, line)
      return item
    },
    peek: () => least()?.[1].items[0],
    charge(subject, cost) {
      lineOf(subject).charged += cost
    },
    remove(subject, item) {
      const line = lines.get(subject)
      const at = line?.items.indexOf(item) ?? -1
      if (line === undefined || at === -1) return false
      line.items.splice(at, 1)
      drop(subject, line)
      return true
    },
    pause(subject) {
      lineOf(subject).isPaused = true
      ready.delete(subject)
    },
    resume(subject) {
      const line = lineOf(subject)
      line.isPaused = false
      if (line.items.length > 0) ready.set(subject, line)
      else if (line.charged <= served) lines.delete(subject)
    }
  }
}
