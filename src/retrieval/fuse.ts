/** Second stage: one relevance from vectors and words. */
import { isLexicalModel } from '../domain/similarity/models.js'
import type { Candidate, Candidates } from './retrieve.js'

/**
 * Weight of the cosine, relative to 1 for words. Scores are absolute (a cosine, a share of the query's words), so their weighted mean is a
 * relevance that can be shown; fusing by ranks would lose that. The lexical embedder's vectors see the same words, and beyond them only
 * misspellings: recall@10 on the development half of LoCoMo is .801 at 0, .804 at 0.15, .803 at 0.3.
 */
export const DENSE_WEIGHT_LEXICAL = 0.15
/** Learned models capture meaning. Not measured here (no weights at hand); equal shares are the usual start. */
export const DENSE_WEIGHT_LEARNED = 1

/** Weight for the vectors of a model, by its versioned name. */
export function denseWeightOf(modelName: string): number {
  return isLexicalModel(modelName) ? DENSE_WEIGHT_LEXICAL : DENSE_WEIGHT_LEARNED
}

/** Arrays rather than objects: of hundreds of candidates most go no further, and an object for each would be garbage. */
export interface Fused {
  readonly items: readonly Candidate[]
  /** Relevance by item: at least 0; 1 for a memory that says what the query says. */
  readonly relevance: readonly number[]
  /** Share of the vectors in `relevance`, 0..1; words have the rest. */
  readonly blend: number
  /** Cosine of unrelated texts, 0..1; only what exceeds it counts. */
  readonly ground: number
}

/** Fewest candidates for which the lower quarter may be taken as unrelated to the query. */
const GROUNDED_MIN = 60

/**
 * Estimates the cosine of unrelated texts. Some learned models raise all cosines, so that their differences are small beside those of
 * words. Near 0 if vectors point in all directions; taken as 0 for few memories, which may all be related.
 */
function groundOf(items: readonly Candidate[]): number {
  if (items.length < GROUNDED_MIN) return 0
  const ascending = Float64Array.from(items, ({ ownDense }) => ownDense).sort()
  return Math.max(0, Math.min(GROUND_MAX, ascending[items.length >> 2] ?? 0))
}

/** Upper bound, so that some range is left to distinguish texts. */
const GROUND_MAX = 0.95

/** Weighted mean of both scores; if the query has no words in common with any text, or no vector, the other score alone. */
export function fuse({ items, hasVector, hasWords }: Candidates, denseWeight = DENSE_WEIGHT_LEARNED): Fused {
  const dense = hasVector ? denseWeight : 0
  const lexical = hasWords ? 1 : 0
  const total = dense + lexical
  // Vectors of words point in all directions.
  const ground = dense > DENSE_WEIGHT_LEXICAL ? groundOf(items) : 0
  const blend = total === 0 ? 0 : dense / total
  const relevance = items.map(({ dense: cosine, lexical: shared }) =>
    total === 0 ? 0 : (dense * Math.max(0, (cosine - ground) / (1 - ground)) + lexical * shared) / total
  )
  return { items, relevance, blend, ground }
}
