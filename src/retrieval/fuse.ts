/** Second stage: one relevance from vector and words. */
import { isLexicalModel } from '../domain/models.js'
import type { Candidate, Candidates } from './retrieve.js'

/**
 * Weight of the cosine, that of the words being 1. Scores are absolute (a cosine, a share of the query's words), so
 * that a weighted mean of them is a relevance that can be shown; ranks would throw that away.
 * The vectors of the lexical embedder see the same words, only misspellings more: recall@10 on the development half of
 * LoCoMo is .801 at 0, .804 at 0.15, .803 at 0.3.
 */
export const DENSE_WEIGHT_LEXICAL = 0.15
/** A learned model sees meaning; not measured here (no weights at hand), equal shares are the usual start. */
export const DENSE_WEIGHT_LEARNED = 1

/** The weight for the vectors of a model, by its versioned name. */
export function denseWeightOf(modelName: string): number {
  return isLexicalModel(modelName) ? DENSE_WEIGHT_LEXICAL : DENSE_WEIGHT_LEARNED
}

/** Numbers in a list of their own: of hundreds of candidates most go no further, and an object for each would be made for nothing. */
export interface Fused {
  readonly items: readonly Candidate[]
  /** Relevance of each: at least 0; 1 for a memory that says what the query says. */
  readonly relevance: readonly number[]
  /** 0..1: share of the vectors in `relevance`, that of the words being the rest. */
  readonly blend: number
  /** Cosine of what has nothing to do with the query, 0..1: what is above counts. */
  readonly ground: number
}

/** Candidates from which those in the lower quarter may be taken for unrelated to the query. */
const GROUNDED_MIN = 60

/**
 * The cosine that unrelated texts have: some learned models lift all cosines, so that differences are small beside those of words. It is
 * nearly 0 where vectors lie in all directions, and taken for 0 where there are few memories, which may all be related.
 */
function groundOf(items: readonly Candidate[]): number {
  if (items.length < GROUNDED_MIN) return 0
  const ascending = Float64Array.from(items, ({ ownDense }) => ownDense).sort()
  return Math.max(0, Math.min(GROUND_MAX, ascending[items.length >> 2] ?? 0))
}

/** So that something is left to tell texts apart. */
const GROUND_MAX = 0.95

/** Weighted mean of what the query has: without words in common, or without a vector, the other alone. */
export function fuse({ items, hasVector, hasWords }: Candidates, denseWeight = DENSE_WEIGHT_LEARNED): Fused {
  const dense = hasVector ? denseWeight : 0
  const lexical = hasWords ? 1 : 0
  const total = dense + lexical
  // Vectors of words lie in all directions.
  const ground = dense > DENSE_WEIGHT_LEXICAL ? groundOf(items) : 0
  const blend = total === 0 ? 0 : dense / total
  const relevance = items.map(({ dense: cosine, lexical: shared }) =>
    total === 0 ? 0 : (dense * Math.max(0, (cosine - ground) / (1 - ground)) + lexical * shared) / total
  )
  return { items, relevance, blend, ground }
}
