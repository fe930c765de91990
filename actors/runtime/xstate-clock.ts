/** XState's timers on our clock. */
import type { Cancel, Clock } from '../../src/ports.js'

/** For the root of a tree of actors: what is beneath it has the same. */
export function toXStateClock(clock: Pick<Clock, 'after'>) {
  return {
    setTimeout: (listener: () => void, delayMs: number): Cancel => clock.after(delayMs, listener),
    clearTimeout: (cancel: Cancel | undefined) => cancel?.()
  }
}
