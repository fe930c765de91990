/**
 * Stretches during which a process does not yield its event loop, separated from the time of other processes and of the garbage collector.
 */
import { openSync, readSync } from 'node:fs'
import { performance, PerformanceObserver } from 'node:perf_hooks'

/** A moment in wall time and in this process's processor time, both in milliseconds. */
export interface Moment {
  readonly wallMs: number
  readonly processorMs: number
}

export function moment(): Moment {
  const { user, system } = process.cpuUsage()
  return { wallMs: performance.now(), processorMs: (user + system) / 1_000 }
}

/** The difference of two moments. */
export interface Cost {
  readonly wallMs: number
  readonly processorMs: number
}

export function since(from: Moment): Cost {
  return latest(from, [moment()])
}

/** Cost until the last of `ends`. */
export function latest(from: Moment, ends: readonly Moment[]): Cost {
  const wallMs = Math.max(...ends.map((end) => end.wallMs)) - from.wallMs
  return { wallMs, processorMs: Math.max(...ends.map((end) => end.processorMs)) - from.processorMs }
}

/** Between two iterations of the event loop. */
export interface Stretches {
  /** Work of this process without pauses of the garbage collector. Concurrent marking may be included, as Node reports only pauses. */
  readonly own: Stretch
  /** Work of this process during pauses of the collector. */
  readonly collecting: Stretch
  /** Wall time, also of other processes. */
  readonly wall: Stretch
}

export interface Stretch {
  /** In milliseconds; 0 if there are none. */
  readonly longestMs: number
  /** Number of stretches above 10 ms. */
  readonly tooLong: number
}

/** Milliseconds by which heavy work may delay runs of other sessions. */
const STRETCH_MS_MAX = 10

interface Tick extends Moment {
  /** Milliseconds since the start that the main thread was ready and waited for a processor. */
  readonly waitedMs: number
}

/** A pause of the garbage collector, in wall time. */
export interface Pause {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * Measures during `work`. A timer of 1 ms samples when it fires: from the wall time since its last firing it subtracts the thread's wait
 * for a processor, and caps the result at the process's processor time. It overestimates, by the timer's 1 ms and by work of the process's
 * other threads.
 */
export async function stretchesOf(work: () => Promise<void>): Promise<Stretches> {
  const stop = watchStretches()
  await work()
  return stop()
}

/** Measures until the returned function is called. Includes every stretch of work, also the collector's pauses. */
export function watchStretches(): () => Promise<Stretches & { readonly allMs: readonly number[] }> {
  const stopPauses = watchPauses()
  const tick = (): Tick => ({ ...moment(), waitedMs: waitedMs() })
  const ticks = [tick()]
  const ticker = setInterval(() => ticks.push(tick()), 1)
  return async () => {
    // The last pauses are reported in a later iteration.
    await new Promise((resolve) => setTimeout(resolve, 10))
    clearInterval(ticker)
    return stretchesBetween(ticks, stopPauses())
  }
}

/** Pauses of the garbage collector until the returned function is called. The last ones are reported in a later iteration. */
export function watchPauses(): () => readonly Pause[] {
  const pauses: Pause[] = []
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) pauses.push({ fromMs: startTime, toMs: startTime + duration })
  })
  observer.observe({ entryTypes: ['gc'] })
  return () => {
    observer.disconnect()
    return pauses
  }
}

function stretchesBetween(ticks: readonly Tick[], pauses: readonly Pause[]): Stretches & { readonly allMs: readonly number[] } {
  const own: number[] = []
  const collecting: number[] = []
  const wall: number[] = []
  ticks.reduce((from, to) => {
    const wallMs = to.wallMs - from.wallMs
    const workedMs = Math.min(wallMs - (to.waitedMs - from.waitedMs), to.processorMs - from.processorMs)
    const isPaused = pauses.some(({ fromMs, toMs }) => fromMs < to.wallMs && toMs > from.wallMs)
    wall.push(wallMs)
    if (isPaused) collecting.push(workedMs)
    else own.push(workedMs)
    return to
  })
  return { own: longestOf(own), collecting: longestOf(collecting), wall: longestOf(wall), allMs: [...own, ...collecting] }
}

function longestOf(stretchesMs: readonly number[]): Stretch {
  const longestMs = stretchesMs.reduce((longest, stretchMs) => Math.max(longest, stretchMs), 0)
  return { longestMs, tooLong: stretchesMs.filter((stretchMs) => stretchMs > STRETCH_MS_MAX).length }
}

const waitedMs = createWaitReader()

/** Wait of the main thread on Linux: proc(5), second number of /proc/pid/schedstat, in nanoseconds. 0 on other systems. */
function createWaitReader(): () => number {
  const text = Buffer.alloc(128)
  try {
    const file = openSync('/proc/self/schedstat', 'r')
    return () => Number(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)).split(' ')[1] ?? 0) / 1e6
  } catch {
    return () => 0
  }
}
