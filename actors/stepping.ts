/** A step, in one go or in pieces. */
import type { Behaviour, StepMeta, StepResult } from './behaviour.js'
import { requestOf, type ActorCommand } from './delivery.js'
import type { Cell, Job, Stepped } from './entry.js'
import { atOnce, type Pieces } from '../src/domain/pieces.js'
import type { Clock } from '../src/ports.js'

type FreshMeta = StepMeta & { readonly isFresh: boolean }

/** The step of any behaviour in pieces: in one where it cannot be divided. */
export function stepOf<State, Command extends { readonly type: string }, Prepared, Reply>(
  behaviour: Behaviour<State, Command, Prepared, Reply>,
  [state, command, prepared, meta]: readonly [State, Command, Prepared, FreshMeta]
): Pieces<StepResult<Reply>> {
  return behaviour.stepInPieces?.(state, command, prepared, meta) ?? atOnce(() => behaviour.step(state, command, prepared, meta))
}

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
