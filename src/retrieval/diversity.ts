/** Diversity, within the third stage: hits that repeat better ones, or come from the same segment, are moved down. */
import { createPace, isPauseDue, type Pieces } from '../domain/pieces.js'
import { dot, norm } from '../domain/similarity/vector.js'
import type { RetrievalQuery, Steering } from './query.js'
import type { Candidate } from './retrieve.js'

/** Cosine from which two memories say the same. In the lexical embedder: word for word except for one inflection. */
const DUPLICATE_SIMILARITY = 0.95
/** Leading components of a vector that are enough to rule out most pairs as duplicates, at a sixth of the work. */
const HEAD = 64
/** Tolerance of that bound, since lengths are rounded. */
const ROUNDING = 1e-6
/** Factor on the score of a memory that repeats a better one: it moves down but stays. */
const DUPLICATE_FACTOR = 0.5
/**
 * Share of its score that a memory loses for each better hit of its segment. Applies in full when nothing answers the query, and less the
 * better the best hit does.
 */
const CROWDING_SHARE = 0.3
/** Hits that later ones are compared with, and candidates beyond the limit that may move up. Each pair costs a dot product. */
export const THINNED_MAX = 32

/** Dot products per piece: some hundredths of a millisecond each for 16,384 dimensions. */
export const PRODUCTS_A_PIECE = 64

/** A leading candidate, with its factors and score. */
export interface Ranked {
  readonly candidate: Candidate
  /** Relevance. */
  readonly fused: number
  readonly steering: Steering
  readonly recency: number
  /** Relevance times all factors except `diversity`, without an upper bound. */
  score: number
  supersession: number
  /** Newest memory that says something else on the same matter. */
  supersededBy: Ranked | null
  diversity: number
  /** Number of chosen hits that `diversity` already accounts for. */
  compared: number
  /** Length of its vector beyond the head; null until computed. */
  tail: number | null
}

/**
 * Takes the best candidate repeatedly; candidates that duplicate a taken one, or crowd its segment, fall back. Scores only fall, so a
 * candidate is compared with the taken ones only when it would be next (lazy greedy: Minoux, 1978).
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

/** Returns the number of comparisons made. */
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

/** Whether two memories say the same. Memories of several parts never do: long texts share parts without saying the same. */
function isDuplicate(a: Ranked, b: Ranked): boolean {
  const [left, right] = [a.candidate.entry.memory, b.candidate.entry.memory]
  if (left.partEnds.length > 1 || right.partEnds.length > 1) return false
  // The rest of the vectors adds at most the product of their lengths (Cauchy and Schwarz).
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

/** Positive when `a` ranks behind `b`. */
export function isBehind(a: Ranked, b: Ranked): number {
  return b.score * b.diversity - a.score * a.diversity || b.candidate.entry.memory.seq - a.candidate.entry.memory.seq
}
