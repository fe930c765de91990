/** Time of the operating system. The only place in the service that reads it. */
import { performance } from 'node:perf_hooks'
import type { Clock } from '../ports.js'
import { whenSettled } from './event-loop.js'

/** Creates a clock based on the process's timers. A pending timer keeps the process alive until it is cancelled. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now() / 1000,
    monotonicMs: () => performance.now(),
    after(delayMs, listener) {
      // Runs in the next iteration of the event loop, after what has arrived meanwhile. A timer of 0 ms would wait one millisecond.
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
