/** A root for actors that a test starts without a node. */
import { type AnyActorRef, createActor, createMachine } from 'xstate'
import { toXStateClock } from '../../actors/runtime/xstate-clock.js'
import type { Clock } from '../../src/ports.js'

/** Does nothing itself. The timers of its descendants run on `clock`. */
export function startRoot(clock: Pick<Clock, 'after'>): AnyActorRef {
  return createActor(createMachine({}), { clock: toXStateClock(clock) }).start()
}
