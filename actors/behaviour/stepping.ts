/** A step, in one go or in pieces. */
import { atOnce, type Pieces } from '../../src/domain/pieces.js'
import type { Behaviour, StepMeta, StepResult } from './behaviour.js'

type FreshMeta = StepMeta & { readonly isFresh: boolean }

/** The step of any behaviour in pieces: in one where it cannot be divided. */
export function stepOf<State, Command extends { readonly type: string }, Prepared, Reply>(
  behaviour: Behaviour<State, Command, Prepared, Reply>,
  [state, command, prepared, meta]: readonly [State, Command, Prepared, FreshMeta]
): Pieces<StepResult<Reply>> {
  return behaviour.stepInPieces?.(state, command, prepared, meta) ?? atOnce(() => behaviour.step(state, command, prepared, meta))
}
