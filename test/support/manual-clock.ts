/** A clock that moves only when a test moves it. */
import type { Clock } from '../../src/ports.js'
import { whenSettled } from '../../src/platform/event-loop.js'

export interface ManualClock extends Clock {
  /** Moves both times forward, fires due timers in order, and lets promises settle after each. */
  advance(byMs: number): Promise<void>
  /** Moves both times forward as blocking work does, without firing timers. */
  work(forMs: number): void
  /** Runs one iteration of the event loop: fires timers that are due now, and none that are added meanwhile. */
  turn(): Promise<void>
  /** Number of waiting timers. */
  readonly pending: number
}

/** Uptime at the start, not 0, so that confusing a difference of times with their sum shows. */
const STARTED_MS = 7_200_000

/** Creates a clock that starts at `now` epoch seconds. */
export function createManualClock(now = 1_700_000_000): ManualClock {
  interface Timer {
    readonly atMs: number
    readonly listener: () => void
  }
  const timers = new Set<Timer>()
  let elapsedMs = 0

  const nextUntil = (limitMs: number) => {
    let next: Timer | undefined
    for (const timer of timers) if (timer.atMs <= limitMs && (next === undefined || timer.atMs < next.atMs)) next = timer
    return next
  }
  return {
    now: () => now + elapsedMs / 1000,
    monotonicMs: () => STARTED_MS + elapsedMs,
    whenSettled,
    after(delayMs, listener) {
      const timer = { atMs: elapsedMs + delayMs, listener }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(byMs) {
      const limitMs = elapsedMs + byMs
      await settled()
      for (let timer = nextUntil(limitMs); timer !== undefined; timer = nextUntil(limitMs)) {
        timers.delete(timer)
        elapsedMs = Math.max(elapsedMs, timer.atMs)
        timer.listener()
        await settled()
      }
      elapsedMs = limitMs
    },
    work(forMs) {
      elapsedMs += forMs
    },
    async turn() {
      const due = [...timers].filter(({ atMs }) => atMs <= elapsedMs).sort((a, b) => a.atMs - b.atMs)
      for (const timer of due) if (timers.delete(timer)) timer.listener()
      await settled()
    },
    get pending() {
      return timers.size
    }
  }
}

/** Resolves once all promises have settled that can settle without time passing. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
