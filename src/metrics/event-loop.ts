/** Lag of the event loop: the first sign of a process that computes for too long without yielding. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Seconds by which a timer fired late, since the last reading. All 0 when it never did. */
interface EventLoopLag {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/**
 * Milliseconds between two samples. A finer resolution would cost processor time; a coarser one would hide stretches of the 10 ms that the
 * design allows.
 */
const RESOLUTION_MS = 10
const NS_PER_S = 1e9

/**
 * Starts to measure. The returned function reads the lag and resets it, so there can be only one reader, and a stretch in progress is not
 * counted. The timer behind it neither keeps the process alive nor needs closing.
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
