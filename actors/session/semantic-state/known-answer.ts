/** The answer that a short circuit repeats: it is what was said last, though nobody sends it again. */
import type { Fold, MemoryEntry } from '../../../src/domain/session.js'
import type { SessionState } from '../record/state.js'
import { foldedShare, isFolded } from '../record/topics.js'
import { FOLD_WEIGHT, withFold } from './folds.js'

/** The log with the answer that the message was known to have, where it counts in the state at all. */
export function withKnownAnswer(folds: readonly Fold[], message: Fold, answer: MemoryEntry | null): readonly Fold[] {
  if (answer === null || !isFolded(answer)) return folds
  const { turn, segment } = message
  const weight = FOLD_WEIGHT.assistant * foldedShare(answer)
  return withFold(folds, { memoryId: answer.memory.id, role: 'assistant', turn, weight, dissimilarity: 0, driftScore: 0, segment })
}

/**
 * The log without the answer that the turn was known to have: a client that asks its model all the same says what was said. `next` is what
 * was folded after that one, and measured with it.
 */
export function withoutKnownAnswer(
  state: SessionState,
  turn: number
): { readonly folds: readonly Fold[]; readonly next: Fold | undefined } {
  const { folds } = state.head
  const at = folds.findIndex((fold, at) => fold.turn === turn && messageKnown(state, at) !== null)
  return at < 0 ? { folds, next: undefined } : { folds: folds.toSpliced(at, 1), next: folds[at + 1] }
}

/** The log without what the messages that go were known to have as their answers: nobody would have been told it again. */
export function withoutAnswersTo(state: SessionState, messages: ReadonlySet<string>): readonly Fold[] {
  return state.head.folds.filter((_, at) => {
    const message = messageKnown(state, at)
    return message === null || !messages.has(message.memoryId)
  })
}

/** The message that the fold at this place was known to answer, as it had been said in another turn before; null for any other fold. */
function messageKnown({ head, corpus }: SessionState, at: number): Fold | null {
  const [message, fold] = [head.folds[at - 1], head.folds[at]]
  if (message?.role !== 'user' || fold?.role !== 'assistant' || message.turn !== fold.turn) return null
  return corpus.get(fold.memoryId)?.memory.turn === fold.turn ? null : message
}
