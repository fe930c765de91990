/**
 * Discrete-event scheduler: runs everything that happens in a simulation one after the other, ordered by time, then by the order of
 * scheduling.
 */
import process from 'node:process'
import type { Cancel } from '../../src/ports.js'

export interface Scheduler {
  /** Simulated milliseconds since the beginning. */
  readonly nowMs: number
  /** Number of events that have run. */
  readonly steps: number
  /** Schedules `run` for `delayMs` from now; a negative delay counts as 0. */
  after(delayMs: number, run: () => void): Cancel
  /**
   * Runs all events up to that time, each including the promise reactions that follow from it. Resolves when the clock has reached it.
   * Rejects with what an event throws, or after too many events at one time; the other events stay scheduled.
   */
  runUntil(atMs: number): Promise<void>
}

/** Most events at one time; more count as a standstill of time. */
const AT_ONCE_MAX = 20_000

interface Planned {
  readonly atMs: number
  readonly number: number
  /** Null if cancelled. */
  run: (() => void) | null
}

export function createScheduler(): Scheduler {
  const heap = createHeap()
  let nowMs = 0
  let planned = 0
  let steps = 0
  let atOnce = 0

  return {
    get nowMs() {
      return nowMs
    },
    get steps() {
      return steps
    },
    after(delayMs, run) {
      const one: Planned = { atMs: nowMs + Math.max(0, delayMs), number: planned++, run }
      heap.push(one)
      return () => {
        one.run = null
      }
    },
    runUntil: (atMs) =>
      new Promise((resolve, reject) => {
        const step = (): void => {
          let next = heap.peek()
          for (; next?.run === null; next = heap.peek()) heap.pop()
          if (next === undefined || next.atMs > atMs) {
            nowMs = atMs
            resolve()
            return
          }
          heap.pop()
          atOnce = next.atMs === nowMs ? atOnce + 1 : 0
          nowMs = next.atMs
          steps += 1
          try {
            if (atOnce > AT_ONCE_MAX) throw new Error('Time stands still')
            next.run()
          } catch (error) {
            reject(error)
            return
          }
          goOn()
        }
        // A tick runs when no microtask is left, but before them if it is queued from a tick: so it is queued from a microtask.
        const goOn = (): void => queueMicrotask(() => process.nextTick(step))
        goOn()
      })
  }
}

interface Heap {
  peek(): Planned | undefined
  pop(): void
  push(one: Planned): void
}

/** Binary heap with the next event first. */
function createHeap(): Heap {
  const items: Planned[] = []
  const isBefore = (one: Planned, other: Planned) => one.atMs < other.atMs || (one.atMs === other.atMs && one.number < other.number)

  function sink(item: Planned): void {
    let at = 0
    for (;;) {
      const left = items[2 * at + 1]
      const right = items[2 * at + 2]
      const child = right !== undefined && left !== undefined && isBefore(right, left) ? 2 * at + 2 : 2 * at + 1
      const smaller = items[child]
      if (smaller === undefined || !isBefore(smaller, item)) break
      items[at] = smaller
      at = child
    }
    items[at] = item
  }

  return {
    peek: () => items[0],
    pop() {
      const last = items.pop()
      if (last !== undefined && items.length > 0) sink(last)
    },
    push(one) {
      let at = items.length
      while (at > 0) {
        const above = (at - 1) >> 1
        const parent = items[above] as Planned
        if (!isBefore(one, parent)) break
        items[at] = parent
        at = above
      }
      items[at] = one
    }
  }
}
