/** Whether one message says again what another one said. */
import { GRADE_MAX, type FactDifference, type FactGuard } from './fact-guard.js'
import { SHORT_CIRCUIT_THRESHOLD } from '../limits.js'

export interface Repetition {
  /** Whether it says the same as far as the threshold for short circuits asks, -1..1. */
  reaches(threshold: number): boolean
  /** What keeps the two apart; null for nothing. */
  readonly difference: FactDifference | null
}

/**
 * The least similarity at which a text can reach the threshold. A paraphrase in other words shares few of them: up to the default threshold
 * the guard decides on all that belongs to the matter, and above it the similarity has to be there.
 */
export function leastSimilarity(threshold: number): number {
  return threshold > SHORT_CIRCUIT_THRESHOLD ? threshold : Math.min(threshold, GRADE_MAX)
}

/**
 * What belongs to the same matter and states the same facts says the same again, however little of its wording is the same. What differs in
 * a fact is never above the guard's grade, so that it is a repetition only to a caller who asks for less than the same matter.
 */
export function repetitionOf(similarity: number, text: string, guard: FactGuard): Repetition {
  const difference = guard.differs(text)
  if (difference !== null) {
    // Most ask for more than any grade, and none is worked out.
    return { reaches: (threshold) => threshold < GRADE_MAX && Math.min(similarity, guard.grade(text)) >= threshold, difference }
  }
  const degree = similarity < GRADE_MAX ? similarity : Math.max(similarity, SHORT_CIRCUIT_THRESHOLD)
  return { reaches: (threshold) => degree >= threshold, difference }
}
