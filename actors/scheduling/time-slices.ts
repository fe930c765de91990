/** Iterations of the event loop, shared by all the long work of a process: each piece of it has to fit in with the others. */
import type { Cancel, Clock } from '../../src/ports.js'

/**
 * Milliseconds of work between two iterations. A run of another subject waits for some six of them: with 4 it took half as long again, with
 * 1 no less.
 */
const STRETCH_MS = 2

/** What it takes to know when to stop, and to go on later. */
export type SliceClock = Pick<Clock, 'monotonicMs' | 'after'>

/** Whose work it is: what the processor shares out to subjects, or any other. */
type Lane = 'processor' | 'other'

export interface TimeSlices {
  /** Whether this iteration has been worked in for long enough. Asked right before each piece of work. */
  isUsedUp(): boolean
  /** Resolves in a later iteration, while there is time in it, after those that paused before. */
  pause(): Promise<void>
  /** Calls `work`, the processor's, likewise. It and those that paused take turns: neither waits for the other to run out of work. */
  plan(work: () => void): void
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
  const paused: Record<Lane, (() => void)[]> = { processor: [], other: [] }
  let lastLane: Lane = 'processor'

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
  function stop(lane: Lane, next: () => void): void {
    paused[lane].push(next)
    clock.after(0, goOn)
  }
  /** Called once for each that is paused. The one that has paused for longest goes on, and has stopped again before the next call. */
  function goOn(): void {
    if (isUsedUp()) {
      clock.after(0, goOn)
      return
    }
    const otherLane = lastLane === 'processor' ? 'other' : 'processor'
    if (paused[otherLane].length > 0) lastLane = otherLane
    paused[lastLane].shift()?.()
  }
  return {
    isUsedUp,
    pause: () => new Promise((resolve) => stop('other', resolve)),
    plan: (work) => stop('processor', work),
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
