/**
 * Queue that shares a resource fairly between subjects: each waiting subject gets the same share of what is charged, however much the
 * others ask for. Start-time fair queueing (Goyal, Vin and Cheng, 1996), charged when the cost is known. First in, first out within a
 * subject.
 */
import { LeanMap } from '../collections/lean-map.js'

export interface FairQueue<Item> {
  /** Waiting items, including those of paused subjects. */
  size(): number
  /** Subjects with waiting items. */
  subjects(): number
  sizeOf(subject: string): number
  push(subject: string, item: Item): void
  /**
   * Takes the first item of the subject that was charged least, ignoring paused ones; among subjects charged alike, within the slack, of
   * the one served longest ago. Linear in the number of waiting subjects.
   */
  take(): Item | undefined
  /** The item that `take` would return, left in the queue. */
  peek(): Item | undefined
  /** Charges a subject for an item, in a unit common to all subjects. Not negative. */
  charge(subject: string, cost: number): void
  /** Removes an item. Returns whether it was present. Linear in the subject's items. */
  remove(subject: string, item: Item): boolean
  /** Holds the subject's items back until `resume`. */
  pause(subject: string): void
  resume(subject: string): void
}

/** Maximum number of accounts without items, some 100 bytes each. Beyond, all of these are dropped with their charges. */
const ACCOUNTS_MAX = 1_024

interface Line<Item> {
  readonly subject: string
  readonly items: Item[]
  /** Charge above that of the least charged subjects, when `least` and `even` had the values stored here. */
  lead: number
  least: number
  even: number
  isPaused: boolean
  /** Whether it is among the lines from which items are taken. */
  isReady: boolean
}

interface FairQueueOptions {
  /**
   * Lead that a subject may have over another before it has to wait. Work of several items soon leads new work: without slack, everybody's
   * work is begun before anybody's is finished, and the last of many waits several times as long as the others. Default: 0.
   */
  readonly slack?: number
  /** Upper bound on a subject's lead over the least charged, who catch up while it waits. Default: no bound. */
  readonly aheadMax?: number
}

export function createFairQueue<Item>({ slack = 0, aheadMax = Infinity }: FairQueueOptions = {}): FairQueue<Item> {
  // Usually of one subject, which comes and goes with each item.
  const lines = new LeanMap<string, Line<Item>>()
  /** Lines with items that are not paused, the one served longest ago first. A list: it is walked far more often than changed. */
  const ready: Line<Item>[] = []
  let size = 0
  let waiting = 0
  /** Virtual clock: the charge of the least charged subjects. */
  let least = 0
  /**
   * Virtual clock: charge per waiting subject, if all were charged alike. A lead ends once the least charged have caught up, or once this
   * clock has grown by twice the lead. New subjects start with the least charge, so without the second rule a leading subject would never
   * get a turn while new ones keep coming.
   */
  let even = 0

  const leadOf = (line: Line<Item>): number => Math.max(0, line.lead - Math.max(least - line.least, (even - line.even) / 2))
  function lineOf(subject: string): Line<Item> {
    const known = lines.get(subject)
    if (known !== undefined) return known
    if (lines.size >= ACCOUNTS_MAX + waiting) forgetIdle()
    const line = { subject, items: [], lead: 0, least, even, isPaused: false, isReady: false }
    lines.set(subject, line)
    return line
  }
  function forgetIdle(): void {
    for (const [subject, line] of lines) if (line.items.length === 0 && !line.isPaused) lines.delete(subject)
  }
  function leastLead(): number {
    let found = Infinity
    for (const line of ready) found = Math.min(found, leadOf(line))
    return found
  }
  function next(lead: number): Line<Item> | undefined {
    for (const line of ready) if (leadOf(line) <= lead + slack) return line
    return undefined
  }
  function begin(line: Line<Item>): void {
    line.isReady = true
    ready.push(line)
  }
  function end(line: Line<Item>): void {
    if (!line.isReady) return
    line.isReady = false
    ready.splice(ready.indexOf(line), 1)
  }
  function drop(line: Line<Item>): void {
    size -= 1
    // Put at the end again, behind subjects that were charged alike.
    end(line)
    if (line.items.length > 0) {
      if (!line.isPaused) begin(line)
      return
    }
    waiting -= 1
    if (!line.isPaused && leadOf(line) === 0) lines.delete(line.subject)
  }

  return {
    size: () => size,
    subjects: () => waiting,
    sizeOf: (subject) => lines.get(subject)?.items.length ?? 0,
    push(subject, item) {
      const line = lineOf(subject)
      if (line.items.push(item) === 1) {
        waiting += 1
        if (!line.isPaused) begin(line)
      }
      size += 1
    },
    take() {
      const lead = leastLead()
      const line = next(lead)
      if (line === undefined) return undefined
      least += lead
      const item = line.items.shift()
      drop(line)
      return item
    },
    peek: () => next(leastLead())?.items[0],
    charge(subject, cost) {
      const line = lineOf(subject)
      const lead = Math.min(aheadMax, leadOf(line) + cost)
      even += cost / (line.isReady ? ready.length : ready.length + 1)
      line.lead = lead
      line.least = least
      line.even = even
    },
    remove(subject, item) {
      const line = lines.get(subject)
      const at = line?.items.indexOf(item) ?? -1
      if (line === undefined || at === -1) return false
      line.items.splice(at, 1)
      drop(line)
      return true
    },
    pause(subject) {
      const line = lineOf(subject)
      line.isPaused = true
      end(line)
    },
    resume(subject) {
      const line = lineOf(subject)
      line.isPaused = false
      if (line.isReady) return
      if (line.items.length > 0) begin(line)
      else if (leadOf(line) === 0) lines.delete(subject)
    }
  }
}
