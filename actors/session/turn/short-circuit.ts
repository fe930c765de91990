import { isAlive } from '../../../src/domain/expiry.js'
import type { RefusedRepetition } from '../../../src/domain/commands/session-commands.js'
import type { FactGuard } from '../../../src/domain/facts/fact-guard.js'
import { leastSimilarity, repetitionOf } from '../../../src/domain/facts/repetition.js'
import { REWORDED_NEIGHBOURS_MAX, SHORT_CIRCUIT_THRESHOLD } from '../../../src/domain/limits.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { MemoryEntry } from '../../../src/domain/session.js'
import type { SimilarEntry } from '../../../src/retrieval/matches.js'
import { similarityScale } from '../recall/scale.js'
import type { Work } from '../record/work.js'

export interface ShortCircuit {
  readonly isAnswered: boolean
  /** The newest answer of the question that is repeated; null where none is. */
  readonly answer: MemoryEntry | null
  /** The nearest question that was answered and differs in a fact; null where there is none, or another one is repeated. */
  readonly refused: RefusedRepetition | null
}

/**
 * Whether the message repeats a question that was answered, by the degree that the threshold asks for. The cosine alone cannot tell
 * "enable" from "disable"; a false hit is worse than a miss, so one that the guard may no longer compare is none.
 */
export function* shortCircuit(
  { state, now }: Work,
  message: { near: Iterable<SimilarEntry>; threshold: number; guard: FactGuard }
): Pieces<ShortCircuit> {
  const scale = similarityScale(state)
  const least = leastSimilarity(message.threshold)
  let refused: RefusedRepetition | null = null
  let reworded = 0
  for (const { entry, similarity: cosine } of message.near) {
    const similarity = scale(cosine)
    if (similarity < least) break
    if (similarity < SHORT_CIRCUIT_THRESHOLD && reworded++ >= REWORDED_NEIGHBOURS_MAX) break
    const { id, text } = entry.memory
    const answer = state.corpus.answersOf(id).findLast(({ memory }) => isAlive(memory, now))
    if (answer !== undefined) {
      const repetition = repetitionOf(similarity, text, message.guard)
      if (repetition.reaches(message.threshold)) return { isAnswered: true, answer, refused: null }
      if (repetition.difference !== null) refused ??= { memoryId: id, similarity, difference: repetition.difference.kind }
    }
    yield
  }
  return { isAnswered: false, answer: null, refused }
}
