/** Within the third stage: the same thing not said twice, nor all of it from one segment. */
import { createPace, isPauseDue, type Pieces } from '../domain/pieces.js'
import { dot, norm } from '../domain/vector.js'
import type { RetrievalQuery, Steering } from './query.js'
import type { Candidate } from './retrieve.js'

/** Cosine from which two memories say the same. Word for word but for one inflection in the lexical embedder. */
const DUPLICATE_SIMILARITY = 0.95
/** Numbers of a vector, the first ones, by which most pairs are seen to say something else: a sixth of the work. */
const HEAD = 64
/** What the bound by those may be off by, as lengths are rounded. */
const ROUNDING = 1e-6
/** What is left of a memory's score behind one that says the same: it moves down, it does not vanish. */
const DUPLICATE_FACTOR = 0.5
/**
 * Part of its score that a memory loses for each better hit of its segment, for a query that nothing answers; less the
 * better it is answered.
 */
const CROWDING_SHARE = 0.3
/** Hits that later ones are compared with, and candidates beyond the limit that may move up: thinning costs a product a pair. */
export const THINNED_MAX = 32

/** Products that are made in one piece: of 16,384 dimensions some hundredths of a millisecond each. */
export const PRODUCTS_A_PIECE = 64

/** A candidate that leads, and what has become of its score. */
export interface Ranked {
  readonly candidate: Candidate
  /** Its relevance. */
  readonly fused: number
  readonly steering: Steering
  readonly recency: number
  /** Relevance times all factors, not bounded above. */
  score: number
  supersession: number
  /** The newest memory that says something else of the same matter. */
  supersededBy: Ranked | null
  diversity: number
  /** How many of those that were taken before it `diversity` allows for. */
  compared: number
  /** Length of its vector behind the head; null until it is asked for. */
  tail: number | null
}

/**
 * Takes the best again and again; what says the same as, or crowds the segment of, what was taken falls back. Scores only fall, so that
 * one is compared with what was taken when it would be next, not before (lazy greedy: Minoux, 1978).
 */
export function* diversified(ranked: readonly Ranked[], query: RetrievalQuery): Pieces<Ranked[]> {
  const chosen: Ranked[] = []
  const pool = ranked.slice(0, query.limit + THINNED_MAX)
  const crowding = query.segments === undefined ? 0 : CROWDING_SHARE * (1 - Math.min(1, pool[0]?.score ?? 0))
  const pace = createPace()
  while (chosen.length < Math.min(query.limit, THINNED_MAX) && pool.length > 0) {
    const at = bestOf(pool)
    const best = pool[at] as Ranked
    if (best.compared === chosen.length) chosen.push(...pool.splice(at, 1))
    else if (isPauseDue(pace, compare(best, chosen, crowding) / PRODUCTS_A_PIECE)) yield
  }
  const left = query.limit - chosen.length
  if (left === 0) return chosen
  for (const other of pool) {
    if (isPauseDue(pace, compare(other, chosen, crowding) / PRODUCTS_A_PIECE)) yield
  }
  return [...chosen, ...pool.sort(isBehind).slice(0, left)]
}

/** Returns with how many it was compared. */
function compare(ranked: Ranked, chosen: readonly Ranked[], crowding: number): number {
  const before = ranked.compared
  for (; ranked.compared < chosen.length; ranked.compared++) {
    const taken = chosen[ranked.compared] as Ranked
    if (ranked.supersededBy !== taken && isDuplicate(taken, ranked)) ranked.diversity *= DUPLICATE_FACTOR
    if (taken.candidate.entry.stats.segment === ranked.candidate.entry.stats.segment) ranked.diversity *= 1 - crowding
  }
  return ranked.compared - before
}

function bestOf(pool: readonly Ranked[]): number {
  let best = 0
  for (let i = 1; i < pool.length; i++) if (isBehind(pool[best] as Ranked, pool[i] as Ranked) > 0) best = i
  return best
}

/** Memories of several parts are never thinned: long texts share parts without saying the same. */
function isDuplicate(a: Ranked, b: Ranked): boolean {
  const [left, right] = [a.candidate.entry.memory, b.candidate.entry.memory]
  if (left.partEnds.length > 1 || right.partEnds.length > 1) return false
  // What lies behind the heads has at most the product of its lengths (Cauchy and Schwarz).
  if (headProduct(left.vectors, right.vectors) + tailOf(a) * tailOf(b) < DUPLICATE_SIMILARITY - ROUNDING) return false
  return dot(left.vectors, right.vectors) >= DUPLICATE_SIMILARITY
}

function headProduct(a: Float32Array, b: Float32Array): number {
  const length = Math.min(HEAD, a.length)
  let product = 0
  for (let at = 0; at < length; at++) product += (a[at] as number) * (b[at] as number)
  return product
}

function tailOf(ranked: Ranked): number {
  return (ranked.tail ??= norm(ranked.candidate.entry.memory.vectors.subarray(HEAD)))
}

/** Above 0 when `a` ranks behind `b`. */
export function isBehind(a: Ranked, b: Ranked): number {
  return b.score * b.diversity - a.score * a.diversity || b.candidate.entry.memory.seq - a.candidate.entry.memory.seq
}
