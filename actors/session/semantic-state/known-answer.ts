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
export function withoutKnownAnswer(state: SessionState, turn: number): readonly Fold[] {
  return state.head.folds.filter((fold) => fold.turn !== turn || !isKnownAnswer(state, fold))
}

/** The log without what the messages that go were known to have as their answers: nobody would have been told it again. */
export function withoutAnswersTo(state: SessionState, messages: ReadonlySet<string>): readonly Fold[] {
  const { folds } = state.head
  return folds.filter((fold, at) => {
    const message = folds[at - 1]
    const isTold = message?.role === 'user' && message.turn === fold.turn && messages.has(message.memoryId)
    return !isTold || !isKnownAnswer(state, fold)
  })
}

/** Whether what was folded was said in another turn before. */
function isKnownAnswer({ corpus }: SessionState, { role, memoryId, turn }: Fold): boolean {
  return role === 'assistant' && corpus.get(memoryId)?.memory.turn !== turn
}
