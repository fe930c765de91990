/** Adapts the `Clock` port to XState's timers. */
import type { Cancel, Clock } from '../../src/ports.js'

/** Clock for the root of a tree of actors; its descendants inherit it. */
export function toXStateClock(clock: Pick<Clock, 'after'>) {
  return {
    setTimeout: (listener: () => void, delayMs: number): Cancel => clock.after(delayMs, listener),
    clearTimeout: (cancel: Cancel | undefined) => cancel?.()
  }
}
