/** Folds of known answers: after a short circuit the known answer is what was said last, though no client sends it again. */
import type { Fold, MemoryEntry } from '../../../src/domain/session.js'
import type { SessionState } from '../record/state.js'
import { foldedShare, isFolded } from '../record/topics.js'
import { foldOf, withFold } from './folds.js'

/** Returns the log with a fold of the message's known answer, if that is folded into the state at all. */
export function withKnownAnswer(folds: readonly Fold[], message: Fold, answer: MemoryEntry | null): readonly Fold[] {
  if (answer === null || !isFolded(answer)) return folds
  return withFold(folds, foldOf({ id: answer.memory.id, role: 'assistant' }, message, foldedShare(answer)))
}

/**
 * Returns the log without the fold of the turn's known answer: a client that asked its model in spite of it sends the real answer. `next`:
 * the fold after it, which was measured with it.
 */
export function withoutKnownAnswer(
  state: SessionState,
  turn: number
): { readonly folds: readonly Fold[]; readonly next: Fold | undefined } {
  const { folds } = state.head
  const at = folds.findIndex((fold, at) => fold.turn === turn && messageKnown(state, at) !== null)
  return at < 0 ? { folds, next: undefined } : { folds: folds.toSpliced(at, 1), next: folds[at + 1] }
}

/** Returns the log without the folds of the known answers to removed messages: without the message, its answer was not repeated. */
export function withoutAnswersTo(state: SessionState, messages: ReadonlySet<string>): readonly Fold[] {
  return state.head.folds.filter((_, at) => {
    const message = messageKnown(state, at)
    return message === null || !messages.has(message.memoryId)
  })
}

/** Returns the message whose known answer, from an earlier turn, is the fold at this index; null for any other fold. */
function messageKnown({ head, corpus }: SessionState, at: number): Fold | null {
  const [message, fold] = [head.folds[at - 1], head.folds[at]]
  if (message?.role !== 'user' || fold?.role !== 'assistant' || message.turn !== fold.turn) return null
  return corpus.get(fold.memoryId)?.memory.turn === fold.turn ? null : message
}
