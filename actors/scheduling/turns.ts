/** Turns of the event loop, shared by all the long work of a process: each piece of it has to fit in with the others. */
import type { Cancel, Clock } from '../../src/ports.js'

/** Milliseconds of work between two turns. A run of another subject waits for some six of them: with 4 it took half as long again, with 1 no less. */
const STRETCH_MS = 2

/** What it takes to know when to stop, and to go on later. */
export type TurnClock = Pick<Clock, 'monotonicMs' | 'after'>

export interface Turns {
  /** Whether this turn has been worked in for long enough. Asked right before each piece of work. */
  isUsedUp(): boolean
  /** Resolves in a later turn, while there is time in it, after those who paused before. */
  pause(): Promise<void>
  /** Resolves with the first of them, or in the next turn. */
  orNext(others: Iterable<Promise<unknown>>): Promise<void>
}

/** One a clock, which stands for its process's event loop: so work within other work, and beside it, uses up the same time. */
const known = new WeakMap<TurnClock, Turns>()

export function turnsOf(clock: TurnClock): Turns {
  const turns = known.get(clock) ?? createTurns(clock)
  known.set(clock, turns)
  return turns
}

function createTurns(clock: TurnClock): Turns {
  /** Null until somebody works in this turn. */
  let beganAtMs: number | null = null
  const paused: (() => void)[] = []

  function isUsedUp(): boolean {
    if (beganAtMs === null) {
      beganAtMs = clock.monotonicMs()
      // Answers within one process come by promises alone, which let nothing in between: when this is called, the turn is over.
      clock.after(0, () => {
        beganAtMs = null
      })
    }
    return clock.monotonicMs() - beganAtMs >= STRETCH_MS
  }
  /** Called once for each that is paused. Who has paused for longest goes on, and has stopped again before the next call. */
  function goOn(): void {
    if (isUsedUp()) clock.after(0, goOn)
    else paused.shift()?.()
  }
  return {
    isUsedUp,
    pause: () =>
      new Promise((resolve) => {
        paused.push(resolve)
        clock.after(0, goOn)
      }),
    async orNext(others) {
      let cancel: Cancel = () => undefined
      const next = new Promise<void>((resolve) => {
        cancel = clock.after(0, resolve)
      })
      await Promise.race([next, ...others])
      cancel()
    }
  }
}
