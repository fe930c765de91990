import { isAlive } from '../../src/domain/expiry.js'
import { factsDiffer } from '../../src/domain/fact-guard.js'
import type { SimilarEntry } from '../../src/retrieval/corpus.js'
import type { Work } from './work.js'

/**
 * Whether the message paraphrases a question that was answered: as close as the threshold, and no fact differs.
 * The cosine alone cannot tell "enable" from "disable"; a false hit is worse than a miss.
 */
export function isAnswered({ state, now }: Work, message: { text: string; near: Iterable<SimilarEntry>; threshold: number }): boolean {
  for (const { entry, similarity } of message.near) {
    if (similarity < message.threshold) return false
    const hasAnswer = state.corpus.answersOf(entry.memory.id).some((answer) => isAlive(answer.memory, now))
    if (hasAnswer && factsDiffer(message.text, entry.memory.text) === null) return true
  }
  return false
}
