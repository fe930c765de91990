/** For how long a process keeps its event loop to itself, told apart from what other processes and the collector take. */
import { openSync, readSync } from 'node:fs'
import { performance, PerformanceObserver } from 'node:perf_hooks'

/** A moment by the wall and by this process's use of the processor, both in milliseconds. */
export interface Moment {
  readonly wallMs: number
  readonly processorMs: number
}

export function moment(): Moment {
  const { user, system } = process.cpuUsage()
  return { wallMs: performance.now(), processorMs: (user + system) / 1_000 }
}

/** What went by between two moments. */
export interface Cost {
  readonly wallMs: number
  readonly processorMs: number
}

export function since(from: Moment): Cost {
  return latest(from, [moment()])
}

/** Until the last of `ends`. */
export function latest(from: Moment, ends: readonly Moment[]): Cost {
  const wallMs = Math.max(...ends.map((end) => end.wallMs)) - from.wallMs
  return { wallMs, processorMs: Math.max(...ends.map((end) => end.processorMs)) - from.processorMs }
}

/** Between two iterations of the event loop. */
export interface Stretches {
  /** What this process worked, where the garbage collector did not pause it. It may still have marked: Node tells of pauses only. */
  readonly own: Stretch
  /** What it worked, where the collector paused it. */
  readonly collecting: Stretch
  /** What passed on the wall, no matter who took it. */
  readonly wall: Stretch
}

export interface Stretch {
  /** Milliseconds; 0 for none. */
  readonly longestMs: number
  /** Those of more than 10 ms. */
  readonly tooLong: number
}

/** Milliseconds that heavy work may hold up the runs of other sessions. */
const STRETCH_MS_MAX = 10

interface Tick extends Moment {
  /** Milliseconds that the main thread was ready to run and waited for a processor, since it began. */
  readonly waitedMs: number
}

/** Of the garbage collector, on the wall. */
export interface Pause {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * Measures while `work` goes on. A timer of 1 ms looks when it is called: from the wall time since its last call goes what the thread
 * waited for a processor, and nothing above the processor time of the process counts. It errs upwards, by the timer's 1 ms
 * and where other threads of the process work meanwhile.
 */
export async function stretchesOf(work: () => Promise<void>): Promise<Stretches> {
  const stop = watchStretches()
  await work()
  return stop()
}

/** The same from now on, until what it returns is called: with every stretch that the process worked, the collector's pauses among them. */
export function watchStretches(): () => Promise<Stretches & { readonly allMs: readonly number[] }> {
  const stopPauses = watchPauses()
  const tick = (): Tick => ({ ...moment(), waitedMs: waitedMs() })
  const ticks = [tick()]
  const ticker = setInterval(() => ticks.push(tick()), 1)
  return async () => {
    // The last pauses are told of in a later iteration.
    await new Promise((resolve) => setTimeout(resolve, 10))
    clearInterval(ticker)
    return stretchesBetween(ticks, stopPauses())
  }
}

/** Pauses of the garbage collector from now on, until what it returns is called. The last ones are told of in a later iteration. */
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

/** Linux tells it of the main thread: proc(5), /proc/pid/schedstat, the second number, nanoseconds. Elsewhere nothing is known, and 0. */
function createWaitReader(): () => number {
  const text = Buffer.alloc(128)
  try {
    const file = openSync('/proc/self/schedstat', 'r')
    return () => Number(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)).split(' ')[1] ?? 0) / 1e6
  } catch {
    return () => 0
  }
}
