/** The operating system's time. The only place in the service that reads it. */
import { performance } from 'node:perf_hooks'
import type { Clock } from '../ports.js'
import { whenSettled } from './event-loop.js'

/** A clock on the process's own timers. A pending timer keeps the process alive until it is cancelled. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now() / 1000,
    monotonicMs: () => performance.now(),
    after(delayMs, listener) {
      // In the next iteration of the event loop, after what came in meanwhile. A timer of 0 ms would wait for one.
      if (delayMs <= 0) {
        const next = setImmediate(listener)
        return () => clearImmediate(next)
      }
      const timer = setTimeout(listener, delayMs)
      return () => clearTimeout(timer)
    },
    whenSettled
  }
}
