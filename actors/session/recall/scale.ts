/** Calibrated similarities, for replies and for comparison with clients' thresholds. Ranking and folding use plain cosines. */
import { scaleOf, type SimilarityScale } from '../../../src/domain/similarity/calibration.js'
import { anchorScore } from '../../../src/domain/similarity/semantic-state.js'
import { topSimilarity } from '../../../src/domain/similarity/vector.js'
import type { SessionState } from '../record/state.js'
import { anchorVectors, recentVectors, stateVector } from '../semantic-state/folds.js'

/** Returns the similarity scale of the session's embedding model. */
export function similarityScale({ head }: SessionState): SimilarityScale {
  return scaleOf(head.settings.modelName)
}

/** Interface, Run response: similarity to the rolling top-K of recent embeddings; 0 before any. */
export function recentSimilarity(state: SessionState, vector: Float32Array): number {
  return similarityScale(state)(topSimilarity(vector, recentVectors(state)))
}

/** Similarity of the semantic state to the nearest anchor; null without an anchor, 0 before any input. */
export function anchorSimilarity(state: SessionState): number | null {
  if (state.anchors.size === 0) return null
  const score = anchorScore(stateVector(state), anchorVectors(state))
  return score === null ? null : similarityScale(state)(score)
}
