/** One step of an actor that lives. */
import type { ActorCommand } from './delivery.js'
import type { Behaviour } from './behaviour.js'
import type { Cell } from './entry.js'
import type { Clock } from '../src/ports.js'
import type { Job } from './entry.js'
import type { Pieces } from '../src/domain/pieces.js'
import type { Stepped } from './entry.js'
import { requestOf } from './delivery.js'
import { stepOf } from './stepping.js'
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
