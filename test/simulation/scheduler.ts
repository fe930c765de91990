/**
 * Discrete-event scheduler: runs everything that happens in a simulation one after the other, ordered by time, then by the order of
 * scheduling.
 */
import process from 'node:process'
import { dropTopOfHeap, pushToHeap } from '../../src/domain/collections/heap.js'
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
  /** The next event is on top. */
  const heap: Planned[] = []
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
      pushToHeap(heap, one, isBefore)
      return () => {
        one.run = null
      }
    },
    runUntil: (atMs) =>
      new Promise((resolve, reject) => {
        const step = (): void => {
          while (heap[0]?.run === null) dropTopOfHeap(heap, isBefore)
          const [next] = heap
          if (next?.run == null || next.atMs > atMs) {
            nowMs = atMs
            resolve()
            return
          }
          dropTopOfHeap(heap, isBefore)
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

/** Whether an event runs before another one. */
function isBefore(one: Planned, other: Planned): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.number < other.number)
}
