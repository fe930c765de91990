/** How late the event loop runs what is due: the first sign of a process that computes for too long at a stretch. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Seconds that a timer fired late, over the time since the last look. All 0 when there was none. */
export interface EventLoopLag {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/**
 * Milliseconds between two looks at the clock. Finer would cost processor time, coarser would hide stretches of the 10 ms that design
 * allows.
 */
const RESOLUTION_MS = 10
const NS_PER_S = 1e9

/**
 * Begins to measure; what it returns reads the lag and begins anew. So there is one reader, and a stretch that has begun when it reads
 * is not counted. The timer behind it does not keep the process running, nor is there anything to close.
 */
export function watchEventLoop(): () => EventLoopLag {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  // Node.js measures from one timer to the next, so an idle loop shows the resolution itself.
  const lag = (delayNs: number) => Math.max(0, delayNs / NS_PER_S - RESOLUTION_MS / 1000)
  return () => {
    const read = { p50: lag(delays.percentile(50)), p99: lag(delays.percentile(99)), max: lag(delays.max) }
    delays.reset()
    return read
  }
}
