/** Second stage: one relevance from vector and words. */
import { isLexicalModel } from '../domain/models.js'
import type { Candidate, Candidates } from './retrieve.js'

/**
 * Weight of the cosine, that of the words being 1. Scores are absolute (a cosine, a share of the query's words), so
 * that a weighted mean of them is a relevance that can be shown; ranks would throw that away.
 * The vectors of the lexical embedder see the same words, only misspellings more: recall@10 on the development half of
 * LoCoMo is .799 at 0, .802 at 0.15, .804 at 0.3.
 */
export const DENSE_WEIGHT_LEXICAL = 0.15
/** A learned model sees meaning; not measured here (no weights at hand), equal shares are the usual start. */
export const DENSE_WEIGHT_LEARNED = 1

/** The weight for the vectors of a model, by its versioned name. */
export function denseWeightOf(modelName: string): number {
  return isLexicalModel(modelName) ? DENSE_WEIGHT_LEXICAL : DENSE_WEIGHT_LEARNED
}

export interface FusedCandidate extends Candidate {
  /** 0..1: share of the vectors in `fused`, that of the words being the rest. */
  readonly blend: number
  /** At least 0; 1 for a memory that says what the query says. */
  readonly fused: number
}

/** Weighted mean of what the query has: without words in common, or without a vector, the other alone. */
export function fuse({ items, hasVector, hasWords }: Candidates, denseWeight = DENSE_WEIGHT_LEARNED): FusedCandidate[] {
  const dense = hasVector ? denseWeight : 0
  const lexical = hasWords ? 1 : 0
  const total = dense + lexical
  return items.map((item) => ({
    ...item,
    blend: total === 0 ? 0 : dense / total,
    fused: total === 0 ? 0 : (dense * Math.max(0, item.dense) + lexical * item.lexical) / total
  }))
}
