/** Time slices of the event loop, shared by all long work of a process. */
import type { Cancel, Clock } from '../../src/ports.js'

/**
 * Length of a time slice in milliseconds. A run of another subject waits for some six slices. Measured: with 4 ms such a run took half as
 * long again, with 1 ms no less.
 */
const STRETCH_MS = 2

/** Part of the clock that time slices use. */
export type SliceClock = Pick<Clock, 'monotonicMs' | 'after'>

/** Source of the work: the processor, which schedules it by subject, or any other. */
type Lane = 'processor' | 'other'

interface TimeSlices {
  /** Whether this iteration's time slice is used up. Call it right before each piece of work: the first call starts the slice. */
  isUsedUp(): boolean
  /** Resolves in a later iteration that has time left, in the order of the calls. */
  pause(): Promise<void>
  /** Calls the processor's `work` in such an iteration. Alternates with those that paused, so that neither starves the other. */
  plan(work: () => void): void
  /** Resolves with the first of `others` to settle, or in the next iteration. */
  orNext(others: Iterable<Promise<unknown>>): Promise<void>
}

/** One instance per clock, which stands for its process's event loop: nested and concurrent work share the same slices. */
const slicesOf = new WeakMap<SliceClock, TimeSlices>()

export function timeSlicesOf(clock: SliceClock): TimeSlices {
  const slices = slicesOf.get(clock) ?? createTimeSlices(clock)
  slicesOf.set(clock, slices)
  return slices
}

/** Calls `work` for each item in order, and yields to the event loop between time slices. Stops at an exception, and rejects with it. */
export async function inSlices<Item>(items: Iterable<Item>, clock: SliceClock, work: (item: Item) => void): Promise<void> {
  const slices = timeSlicesOf(clock)
  for (const item of items) {
    if (slices.isUsedUp()) await slices.pause()
    work(item)
  }
}

function createTimeSlices(clock: SliceClock): TimeSlices {
  /** Start of this iteration's slice; null while nothing has worked in it. */
  let beganAtMs: number | null = null
  const paused: Record<Lane, (() => void)[]> = { processor: [], other: [] }
  let lastLane: Lane = 'processor'

  function isUsedUp(): boolean {
    if (beganAtMs === null) {
      beganAtMs = clock.monotonicMs()
      // Answers within the process come through promises, which do not end an iteration. This timer fires when the iteration is over.
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
  /** Called once per pause. Resumes the longest-paused work of the next lane, which has stopped again before the next call. */
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
