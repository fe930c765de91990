/** Bringing a session's indexes up to date. */
import type { Pieces } from '../../../src/domain/pieces.js'
import type { SessionState } from './state.js'

/** Brings the indexes up to what the session holds. */
export function* settled({ corpus }: Pick<SessionState, 'corpus'>): Pieces<void> {
  const left = corpus.settle()
  if (left !== null) yield* left
}
