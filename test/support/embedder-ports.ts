/** Ports for tests of embedders: a manual clock, the machine's clock, and a recording log. */
import type { Clock, Logger } from '../../src/ports.js'
import { whenSettled } from '../../src/platform/event-loop.js'

export interface ManualClock extends Clock {
  /** Moves time forward and fires due timers, in order. */
  advance(ms: number): void
  /** Number of waiting timers. */
  readonly waiting: number
}

/** Creates a clock that starts at `startSeconds` since the epoch. */
export function createManualClock(startSeconds = 1_700_000_000): ManualClock {
  let elapsedMs = 0
  let timers: { readonly dueMs: number; readonly listener: () => void }[] = []
  return {
    now: () => startSeconds + elapsedMs / 1000,
    monotonicMs: () => elapsedMs,
    after(delayMs, listener) {
      const timer = { dueMs: elapsedMs + delayMs, listener }
      timers.push(timer)
      return () => (timers = timers.filter((other) => other !== timer))
    },
    advance(ms) {
      elapsedMs += ms
      const due = timers.filter((timer) => timer.dueMs <= elapsedMs).sort((a, b) => a.dueMs - b.dueMs)
      timers = timers.filter((timer) => timer.dueMs > elapsedMs)
      for (const timer of due) timer.listener()
    },
    whenSettled,
    get waiting() {
      return timers.length
    }
  }
}

/** For tests in which a real thread or server sets the pace; none of them waits for a timer. */
export const machineClock: Clock = {
  now: () => Date.now() / 1000,
  monotonicMs: () => performance.now(),
  after(delayMs, listener) {
    const timer = setTimeout(listener, delayMs)
    return () => clearTimeout(timer)
  },
  whenSettled
}

export interface LogEntry {
  readonly level: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
}

export function createRecordingLogger(): Logger & { readonly entries: LogEntry[] } {
  const entries: LogEntry[] = []
  const at = (level: string) => (fields: object, message: string) => {
    entries.push({ level, fields: { ...fields }, message })
  }
  return { entries, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
