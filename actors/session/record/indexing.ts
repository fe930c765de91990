/** Updates a session's indexes. */
import type { Pieces } from '../../../src/domain/pieces.js'
import type { SessionState } from './state.js'

/** Finishes the pending index work, so that the indexes cover everything that the session holds. */
export function* settled({ corpus }: Pick<SessionState, 'corpus'>): Pieces<void> {
  const left = corpus.settle()
  if (left !== null) yield* left
}
