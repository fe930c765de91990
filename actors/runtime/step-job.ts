/** One step of an actor that lives. */
import type { Pieces } from '../../src/domain/pieces.js'
import type { Clock } from '../../src/ports.js'
import type { Behaviour } from '../behaviour/behaviour.js'
import { type ActorCommand, requestOf } from '../behaviour/delivery.js'
import { stepOf } from '../behaviour/stepping.js'
import type { Cell, Job, Stepped } from './entry.js'
/** The step of a job, and how it ended. Never throws. */
export function* stepJob(
  behaviour: Behaviour<unknown, ActorCommand, unknown, unknown>,
  cell: Cell,
  { delivery, prepared }: Job,
  clock: Clock
): Pieces<Stepped> {
  try {
    const state = cell.life?.state
    const room = behaviour.roomOf?.(state, delivery.hold)
    const meta = {
      address: cell.entry.address,
      isFresh: delivery.isFresh,
      ...requestOf(delivery, clock),
      ...(room !== undefined && { room })
    }
    return { isOk: true, result: yield* stepOf(behaviour, [state, delivery.command, prepared, meta]) }
  } catch (error) {
    return { isOk: false, error }
  }
}
