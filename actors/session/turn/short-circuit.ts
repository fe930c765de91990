import { isAlive } from '../../../src/domain/expiry.js'
import type { FactGuard } from '../../../src/domain/facts/fact-guard.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { SimilarEntry } from '../../../src/retrieval/matches.js'
import { similarityScale } from '../recall/scale.js'
import type { Work } from '../record/work.js'

/**
 * Whether the message paraphrases a question that was answered: as close as the threshold, and no fact differs.
 * The cosine alone cannot tell "enable" from "disable"; a false hit is worse than a miss, so one that the guard may no longer compare
 * is none.
 */
export function* isAnswered(
  { state, now }: Work,
  message: { near: Iterable<SimilarEntry>; threshold: number; guard: FactGuard }
): Pieces<boolean> {
  const scale = similarityScale(state)
  for (const { entry, similarity } of message.near) {
    if (scale(similarity) < message.threshold) return false
    const hasAnswer = state.corpus.answersOf(entry.memory.id).some((answer) => isAlive(answer.memory, now))
    if (hasAnswer && message.guard.differs(entry.memory.text) === null) return true
    yield
  }
  return false
}
