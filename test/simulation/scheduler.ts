/**
 * Everything that happens in a simulation, one thing after the other: by its time, and at the same time in the order in which it was
 * planned.
 */
import process from 'node:process'
import type { Cancel } from '../../src/ports.js'

export interface Scheduler {
  /** Simulated milliseconds since the beginning. */
  readonly nowMs: number
  /** Things that have happened. */
  readonly steps: number
  /** Plans `run` for `delayMs` from now, below 0 as 0. */
  after(delayMs: number, run: () => void): Cancel
  /**
   * Lets everything happen up to that moment, each thing with all that follows from it by promises alone. Resolves when the clock stands
   * there; rejects with what a thing throws, or when time does not go on for all that happens, and the rest stays planned.
   */
  runUntil(atMs: number): Promise<void>
}

/** Things that happen at one moment at most: beyond, time stands still. */
const AT_ONCE_MAX = 20_000

interface Planned {
  readonly atMs: number
  readonly number: number
  /** Null: cancelled. */
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
        // A tick runs when no micro-task is left. Asked for from a tick, it would come before them: so it is asked for from a micro-task.
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

/** A binary heap, the next one first. */
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
