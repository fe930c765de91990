/** Decides whether a text updates a memory that the session already holds. */
import type { DedupSignal } from '../commands/session-commands.js'
import type { Pieces } from '../pieces.js'
import { toCosine } from '../similarity/vector.js'
import { createFactGuard, type FactGuard } from './fact-guard.js'

/**
 * Highest similarity reported for texts whose facts differ. Below the default update threshold of 0.85, and below 0.82 as some clients set
 * it, so that a change of a number, name or negation is never merged by default.
 */
export const DEDUP_CAP = 0.8

/** Tolerance for Float32 dot products over thousands of dimensions: the identical text may score that much below a near-identical one. */
const ROUNDING = 1e-5

/** Result when nothing is similar. */
export const NO_MATCH: DedupSignal = { isUpdate: false, maxSim: 0, matchedId: null }

export interface DedupCandidate {
  readonly id: string
  readonly text: string
  /** On the scale of the threshold, -1..1. */
  readonly similarity: number
}

/**
 * The dedup signal of a text. `maxSim` is the highest similarity, capped at DEDUP_CAP where the facts differ, and 1 for the identical text;
 * `isUpdate` is always `maxSim >= threshold`. `candidates` must be sorted, most similar first, and may be lazy: they are read until no
 * later one can win, so that the result is that of reading all of them, or until the guard is spent; a text that was not compared is by
 * default no update. A null among them is a pause. A text whose vector is all zeros resembles nothing, so callers that find the identical
 * text by its hash must put it first.
 */
export function* dedupSignal(
  text: string,
  candidates: Iterable<DedupCandidate | null>,
  threshold: number,
  guard = createFactGuard(text)
): Pieces<DedupSignal> {
  let best: { id: string; similarity: number } | null = null
  for (const candidate of candidates) {
    if (candidate === null) {
      yield
      continue
    }
    if (candidate.text === text) return { isUpdate: 1 >= threshold, maxSim: 1, matchedId: candidate.id }
    if (best !== null && (guard.isSpent() || candidate.similarity < best.similarity - ROUNDING)) break
    const value = yield* guardedSimilarity(guard, candidate)
    if (best === null || value > best.similarity) best = { id: candidate.id, similarity: value }
    yield
  }
  if (best === null) return NO_MATCH
  const isUpdate = best.similarity >= threshold
  return { isUpdate, maxSim: best.similarity, matchedId: isUpdate ? best.id : null }
}

function* guardedSimilarity(guard: FactGuard, candidate: DedupCandidate): Pieces<number> {
  const similarity = toCosine(candidate.similarity)
  if (similarity <= DEDUP_CAP || (yield* guard.differs(candidate.text)) === null) return similarity
  return DEDUP_CAP
}
