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
  /**
   * The first item of the subject that was charged least, among those that are not paused; of those that were charged alike, within the
   * slack, of the one that was served longest ago. Linear in the subjects that wait.
   */
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
  /** What the subject was charged beyond those that were charged least, when the clocks stood as below. */
  lead: number
  least: number
  even: number
  isPaused: boolean
}

export interface FairQueueOptions {
  /**
   * What a subject may be ahead of another one before it has to wait for it. Work that comes in several items is soon ahead of what is new:
   * without slack everybody's work is begun before anybody's is ended, and the last of many waits several times as long as the others.
   * Default: 0.
   */
  readonly slack?: number
  /** What a subject is ahead of those that were charged least at most: it waits until they have made it up. Default: no limit. */
  readonly aheadMax?: number
}

export function createFairQueue<Item>({ slack = 0, aheadMax = Infinity }: FairQueueOptions = {}): FairQueue<Item> {
  const lines = new Map<string, Line<Item>>()
  /** Those of the lines that have items and are not paused, the one that was served longest ago first. */
  const ready = new Map<string, Line<Item>>()
  let size = 0
  let waiting = 0
  /** What those that were charged least were charged. */
  let least = 0
  /**
   * What each subject that waited was charged if all were charged alike. A lead is over once those that were charged least have made it up,
   * or this has grown by twice as much: new subjects come with the least, so that while they come nobody who is ahead would have a turn.
   */
  let even = 0

  const leadOf = (line: Line<Item>): number => Math.max(0, line.lead - Math.max(least - line.least, (even - line.even) / 2))
  function lineOf(subject: string): Line<Item> {
    const known = lines.get(subject)
    if (known !== undefined) return known
    if (lines.size >= ACCOUNTS_MAX + waiting) forgetIdle()
    const line = { items: [], lead: 0, least, even, isPaused: false }
    lines.set(subject, line)
    return line
  }
  function forgetIdle(): void {
    for (const [subject, line] of lines) if (line.items.length === 0 && !line.isPaused) lines.delete(subject)
  }
  function leastLead(): number {
    let found = Infinity
    for (const line of ready.values()) found = Math.min(found, leadOf(line))
    return found
  }
  function next(lead: number): [string, Line<Item>] | undefined {
    for (const entry of ready) if (leadOf(entry[1]) <= lead + slack) return entry
    return undefined
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
    if (!line.isPaused && leadOf(line) === 0) lines.delete(subject)
  }

  return {
    size: () => size,
    subjects: () => waiting,
    sizeOf: (subject) => lines.get(subject)?.items.length ?? 0,
    push(subject, item) {
      const line = lineOf(subject)
      if (line.items.push(item) === 1) {
        waiting += 1
        if (!line.isPaused) ready.set(subject, line)
      }
      size += 1
    },
    take() {
      const lead = leastLead()
      const found = next(lead)
      if (found === undefined) return undefined
      const [subject, line] = found
      least += lead
      const item = line.items.shift()
      drop(subject, line)
      return item
    },
    peek: () => next(leastLead())?.[1].items[0],
    charge(subject, cost) {
      const line = lineOf(subject)
      const lead = Math.min(aheadMax, leadOf(line) + cost)
      even += cost / (ready.has(subject) ? ready.size : ready.size + 1)
      line.lead = lead
      line.least = least
      line.even = even
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
      else if (leadOf(line) === 0) lines.delete(subject)
    }
  }
}
