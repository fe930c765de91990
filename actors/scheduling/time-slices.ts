/** Iterations of the event loop, shared by all the long work of a process: each piece of it has to fit in with the others. */
import type { Cancel, Clock } from '../../src/ports.js'

/**
 * Milliseconds of work between two iterations. A run of another subject waits for some six of them: with 4 it took half as long again, with
 * 1 no less.
 */
const STRETCH_MS = 2

/** What it takes to know when to stop, and to go on later. */
export type SliceClock = Pick<Clock, 'monotonicMs' | 'after'>

export interface TimeSlices {
  /** Whether this iteration has been worked in for long enough. Asked right before each piece of work. */
  isUsedUp(): boolean
  /** Resolves in a later iteration, while there is time in it, after those that paused before. */
  pause(): Promise<void>
  /** Resolves with the first of them, or in the next iteration. */
  orNext(others: Iterable<Promise<unknown>>): Promise<void>
}

/** One a clock, which stands for its process's event loop: so work within other work, and beside it, uses up the same time. */
const known = new WeakMap<SliceClock, TimeSlices>()

export function timeSlicesOf(clock: SliceClock): TimeSlices {
  const slices = known.get(clock) ?? createTimeSlices(clock)
  known.set(clock, slices)
  return slices
}

/** Does `work` for each item in order, with iterations of the event loop between. Rejects with what it throws, and stops there. */
export async function inSlices<Item>(items: Iterable<Item>, clock: SliceClock, work: (item: Item) => void): Promise<void> {
  const slices = timeSlicesOf(clock)
  for (const item of items) {
    if (slices.isUsedUp()) await slices.pause()
    work(item)
  }
}

function createTimeSlices(clock: SliceClock): TimeSlices {
  /** Null until somebody works in this iteration. */
  let beganAtMs: number | null = null
  const paused: (() => void)[] = []

  function isUsedUp(): boolean {
    if (beganAtMs === null) {
      beganAtMs = clock.monotonicMs()
      // Answers within one process come by promises alone, which let nothing in between: when this is called, the iteration is over.
      clock.after(0, () => {
        beganAtMs = null
      })
    }
    return clock.monotonicMs() - beganAtMs >= STRETCH_MS
  }
  /** Called once for each that is paused. The one that has paused for longest goes on, and has stopped again before the next call. */
  function goOn(): void {
    if (isUsedUp()) clock.after(0, goOn)
    else paused.shift()?.()
  }
  return {
    isUsedUp,
    pause: () =>
      new Promise((resolve) => {
        paused.push(resolve)
        clock.after(0, goOn)
      }),
    async orNext(others) {
      let cancel: Cancel = () => undefined
      const next = new Promise<void>((resolve) => {
        cancel = clock.after(0, resolve)
      })
      await Promise.race([next, ...others])
      cancel()
    }
  }
}
