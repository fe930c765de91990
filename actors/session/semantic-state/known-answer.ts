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

/** The log without the answer that the turn was known to have: a client that asks its model all the same says what was said. */
export function withoutKnownAnswer({ head, corpus }: SessionState, turn: number): readonly Fold[] {
  return head.folds.filter((fold) => {
    const isOfTurn = fold.role === 'assistant' && fold.turn === turn
    return !isOfTurn || corpus.get(fold.memoryId)?.memory.turn === turn
  })
}

/** The log without what the messages that go were known to have as their answers: nobody would have been told it again. */
export function withoutAnswersTo({ head: { folds }, corpus }: SessionState, messages: ReadonlySet<string>): readonly Fold[] {
  return folds.filter((fold, at) => {
    const message = folds[at - 1]
    if (fold.role !== 'assistant' || message?.role !== 'user' || message.turn !== fold.turn) return true
    return !messages.has(message.memoryId) || corpus.get(fold.memoryId)?.memory.turn === fold.turn
  })
}
