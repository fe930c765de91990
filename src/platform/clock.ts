/** The operating system's time. The only place in the service that reads it. */
import { performance } from 'node:perf_hooks'
import type { Clock } from '../ports.js'

/** A clock on the process's own timers. A pending timer keeps the process alive until it is cancelled. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now() / 1000,
    monotonicMs: () => performance.now(),
    after(delayMs, listener) {
      const timer = setTimeout(listener, delayMs)
      return () => clearTimeout(timer)
    }
  }
}
