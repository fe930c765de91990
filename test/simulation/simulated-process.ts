/** One process of a node: its time, its pauses, and its end. What comes to it after that is lost. */
import type { Chance } from '../torture/chance.js'
import type { Clock, Ids } from '../../src/ports.js'
import type { Scheduler } from './scheduler.js'
import { whenSettled } from '../../src/platform/event-loop.js'

/** A machine's clocks, which outlive its processes. */
export interface MachineTime {
  /** Seconds by which its time of day is ahead. */
  skewS: number
  /** Milliseconds of its monotonic clock for one of the simulation's. */
  readonly rate: number
}

export interface SimulatedProcess {
  readonly node: string
  /** Of all processes of all nodes, for stories. */
  readonly name: string
  readonly isAlive: boolean
  readonly isPaused: boolean
  readonly clock: Clock
  readonly ids: Ids
  /** Milliseconds that it has stood still so far. */
  pausedMs(): number
  /** Runs what has arrived, or when the process goes on; never after its end. */
  arrive(run: () => void): void
  pause(): void
  resume(order: 'arrived first' | 'due first'): void
  end(): void
  /** Called once, when it ends. */
  whenEnded(listener: () => void): void
}

export interface ProcessOptions {
  readonly scheduler: Scheduler
  readonly node: string
  readonly name: string
  readonly time: MachineTime
  /** For ids alone. */
  readonly chance: Chance
}

/** Milliseconds of the shortest timer, as of Node.js; one of none at all is due in the next iteration of the event loop. */
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
      // One after the other, each with what follows from it by promises alone.
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
