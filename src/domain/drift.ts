/** How far an input departs from what a session was about: causal, in [0, 1], from retained folds only. */
import type { DriftPhase, Role } from './session.js'
import { addScaled, dot, unitOf } from './vector.js'

/** Folds before an input that it is compared with: four exchanges. */
export const DRIFT_CONTEXT_FOLDS = 8

/** Earlier user turns whose dissimilarities make the session's baseline. */
export const DRIFT_BASELINE_TURNS = 16

/** Default of the score from which a turn has drifted. Interface, Phases and drift. */
export const DRIFT_THRESHOLD = 0.5

/** Share of the threshold from which a turn is shifting: 0.3 of 0.5. Interface, Phases and drift. */
export const SHIFTING_SHARE = 0.6

export interface DriftInput {
  /** Unit length; zeros for a text without any feature. */
  readonly vector: Float32Array
  /** Content terms, without stop words. */
  readonly terms: readonly string[]
}

export interface DriftFold extends DriftInput {
  readonly role: Role
}

export interface DriftHistory {
  /** Folds before the input, oldest first; the last DRIFT_CONTEXT_FOLDS count. */
  readonly folds: readonly DriftFold[]
  /** Dissimilarities of the user turns before the input that had a context, oldest first; the last DRIFT_BASELINE_TURNS count. */
  readonly dissimilarities: readonly number[]
}

export interface DriftMeasure {
  /** 0..1; from 0.5 the topic has shifted. */
  readonly score: number
  /** 0..1: what later turns take as their baseline. */
  readonly dissimilarity: number
  /** Deviations above the session's own mean dissimilarity, shrunk towards 0 while the session is short. */
  readonly surprise: number
  /** 0..1: share of the input's content terms that the recent folds did not have. */
  readonly novelty: number
}

const CALM: DriftMeasure = { score: 0, dissimilarity: 0, surprise: 0, novelty: 0 }

/** Half-life of a fold in the recent centroid, in folds: two exchanges. */
const CENTROID_HALF_LIFE = 4
/** Past turns at which the session's own baseline counts half. */
const BASELINE_HALF_TURNS = 3
/** Least deviation: below it, rounding and chance differences of a quiet session would read as surprise. */
const DEVIATION_MIN = 0.03
/** Highest score of a turn with fewer content terms than EVIDENCE_TERMS. */
const WEAK_EVIDENCE_SCORE = 0.49
const EVIDENCE_TERMS = 2
/** User turns before a full score can be given. */
const WARM_UP_TURNS = 3

const BIAS = -2.2
const SURPRISE_WEIGHT = 0.8
const NOVELTY_WEIGHT = 2
const DISSIMILARITY_WEIGHT = 0.6

/** Measures an input before it is folded in. */
export function measureDrift(input: DriftInput, history: DriftHistory): DriftMeasure {
  const context = history.folds.slice(-DRIFT_CONTEXT_FOLDS)
  const users = context.filter((fold) => fold.role === 'user').length
  if (context.length === 0) return CALM
  const dissimilarity = dissimilarityTo(input.vector, context)
  const surprise = surpriseOf(dissimilarity, history.dissimilarities.slice(-DRIFT_BASELINE_TURNS))
  const novelty = noveltyOf(input.terms, context)
  const evidence = new Set(input.terms).size
  const odds = BIAS + SURPRISE_WEIGHT * surprise + NOVELTY_WEIGHT * novelty + DISSIMILARITY_WEIGHT * dissimilarity
  const full = (1 / (1 + Math.exp(-odds))) * Math.min(1, users / WARM_UP_TURNS)
  return { score: evidence < EVIDENCE_TERMS ? Math.min(full, WEAK_EVIDENCE_SCORE) : full, dissimilarity, surprise, novelty }
}

/** The band a score lies in: shifting from SHIFTING_SHARE of the threshold, drifted from the threshold. */
export function driftPhase(score: number, threshold = DRIFT_THRESHOLD): DriftPhase {
  if (score >= threshold) return 'drifted'
  return score >= threshold * SHIFTING_SHARE ? 'shifting' : 'stable'
}

function dissimilarityTo(vector: Float32Array, context: readonly DriftFold[]): number {
  const sum = new Float64Array(vector.length)
  context.forEach((fold, i) => addScaled(sum, fold.vector, 2 ** (-(context.length - 1 - i) / CENTROID_HALF_LIFE)))
  const centroid = unitOf(sum)
  if (centroid === null) return 0
  return Math.max(0, Math.min(1, 1 - dot(vector, centroid)))
}

function surpriseOf(dissimilarity: number, past: readonly number[]): number {
  if (past.length === 0) return 0
  let sum = 0
  for (const value of past) sum += value
  const mean = sum / past.length
  let squares = 0
  for (const value of past) squares += (value - mean) ** 2
  const deviation = Math.max(DEVIATION_MIN, Math.sqrt(squares / past.length))
  return ((dissimilarity - mean) / deviation) * (past.length / (past.length + BASELINE_HALF_TURNS))
}

function noveltyOf(terms: readonly string[], context: readonly DriftFold[]): number {
  const distinct = new Set(terms)
  if (distinct.size === 0) return 0
  const known = new Set<string>()
  for (const fold of context) for (const term of fold.terms) known.add(term)
  let fresh = 0
  for (const term of distinct) if (!known.has(term)) fresh += 1
  return fresh / distinct.size
}
