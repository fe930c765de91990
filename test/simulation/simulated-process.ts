/** One process of a node: its clocks, its pauses and its end, after which everything that arrives is lost. */
import type { Chance } from '../torture/chance.js'
import type { Clock, Ids } from '../../src/ports.js'
import type { Scheduler } from './scheduler.js'
import { whenSettled } from '../../src/platform/event-loop.js'

/** A machine's clocks, which outlive its processes. */
export interface MachineTime {
  /** Seconds by which the time of day is ahead; may be negative. */
  skewS: number
  /** Milliseconds of the monotonic clock per simulated millisecond. */
  readonly rate: number
}

export interface SimulatedProcess {
  readonly node: string
  /** Unique among all processes of all nodes; for stories. */
  readonly name: string
  readonly isAlive: boolean
  readonly isPaused: boolean
  readonly clock: Clock
  readonly ids: Ids
  /** Milliseconds for which the process has been paused so far. */
  pausedMs(): number
  /** Calls `run` now, or when the process resumes if it is paused; never after its end. */
  arrive(run: () => void): void
  pause(): void
  resume(order: 'arrived first' | 'due first'): void
  end(): void
  /** Calls `listener` once, when the process ends. */
  whenEnded(listener: () => void): void
}

export interface ProcessOptions {
  readonly scheduler: Scheduler
  readonly node: string
  readonly name: string
  readonly time: MachineTime
  /** Used for ids only. */
  readonly chance: Chance
}

/** Shortest timer in milliseconds, as in Node.js. A delay of 0 is due in the next iteration of the event loop. */
const TIMER_MS_MIN = 1

/** Epoch seconds at the beginning of every simulation. */
export const EPOCH_S = 1_700_000_000

export function createProcess({ scheduler, node, name, time, chance }: ProcessOptions): SimulatedProcess {
  const bornAtMs = scheduler.nowMs
  const waiting = { arrived: [] as (() => void)[], due: [] as (() => void)[] }
  const listeners: (() => void)[] = []
  let isAlive = true
  let pausedAtMs: number | null = null
  let pausedMs = 0

  function take(list: (() => void)[], run: () => void): void {
    if (!isAlive) return
    if (pausedAtMs === null) run()
    else list.push(run)
  }
  const clock: Clock = {
    now: () => EPOCH_S + time.skewS + scheduler.nowMs / 1000,
    monotonicMs: () => (scheduler.nowMs - bornAtMs) * time.rate,
    after(delayMs, listener) {
      let isCancelled = false
      const cancel = scheduler.after(delayMs <= 0 ? 0 : Math.max(TIMER_MS_MIN, delayMs) / time.rate, () =>
        take(waiting.due, () => {
          if (!isCancelled) listener()
        })
      )
      return () => {
        isCancelled = true
        cancel()
      }
    },
    whenSettled: (listener) => whenSettled(() => take(waiting.due, listener))
  }
  return {
    node,
    name,
    clock,
    ids: { uuid: () => uuidOf(chance) },
    get isAlive() {
      return isAlive
    },
    get isPaused() {
      return pausedAtMs !== null
    },
    pausedMs: () => pausedMs + (pausedAtMs === null ? 0 : scheduler.nowMs - pausedAtMs),
    arrive: (run) => take(waiting.arrived, run),
    pause() {
      pausedAtMs ??= scheduler.nowMs
    },
    resume(order) {
      if (pausedAtMs === null) return
      pausedMs += scheduler.nowMs - pausedAtMs
      pausedAtMs = null
      const arrived = waiting.arrived.splice(0)
      const due = waiting.due.splice(0)
      const [first, second] = order === 'arrived first' ? [arrived, due] : [due, arrived]
      // One event each, so that the promise reactions of one run before the next.
      for (const run of [...first, ...second]) scheduler.after(0, () => take(waiting.arrived, run))
    },
    end() {
      if (!isAlive) return
      isAlive = false
      for (const listener of listeners) listener()
    },
    whenEnded: (listener) => void listeners.push(listener)
  }
}

function uuidOf(chance: Chance): string {
  const digits = (count: number) =>
    chance
      .integer(0, 16 ** count - 1)
      .toString(16)
      .padStart(count, '0')
  return `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(6)}${digits(6)}`
}
