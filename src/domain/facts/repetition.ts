/** Decides whether one message repeats another. */
import { GRADE_MAX, type FactDifference, type FactGuard } from './fact-guard.js'
import { SHORT_CIRCUIT_THRESHOLD } from '../limits.js'
import type { Pieces } from '../pieces.js'

interface Repetition {
  /** Whether the repetition is close enough for a threshold of short circuits, -1..1. */
  reaches(threshold: number): boolean
  /** First difference in facts; null if none. */
  readonly difference: FactDifference | null
}

/**
 * Lowest similarity with which a text can reach the threshold. Paraphrases in other words share few words: up to the default threshold, the
 * guard decides about everything on the same matter; above it, the similarity itself must be that high.
 */
export function leastSimilarity(threshold: number): number {
  return threshold > SHORT_CIRCUIT_THRESHOLD ? threshold : Math.min(threshold, GRADE_MAX)
}

/**
 * Judges a repetition, in pieces. A text on the same matter with the same facts is a repetition, however little of the wording it shares. A
 * text with another fact never exceeds the guard's grade, so it is a repetition only for callers that ask for less than the same matter.
 */
export function* repetitionOf(similarity: number, text: string, guard: FactGuard): Pieces<Repetition> {
  const difference = yield* guard.differs(text)
  if (difference !== null) {
    // Most thresholds exceed any grade, so the grade is not computed for them.
    return { reaches: (threshold) => threshold < GRADE_MAX && Math.min(similarity, guard.grade(text)) >= threshold, difference }
  }
  const degree = similarity < GRADE_MAX ? similarity : Math.max(similarity, SHORT_CIRCUIT_THRESHOLD)
  return { reaches: (threshold) => degree >= threshold, difference }
}
