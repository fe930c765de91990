/** How far an input departs from what a session was about: causal, in [0, 1], from retained folds only. */
import { discourseCues, type DiscourseCues } from './discourse-cues.js'
import type { DriftPhase, Role } from './session.js'
import { contentTerms } from './text/terms.js'
import { topicalTerms } from './topicless-words.js'
import { addScaled, dot, unitOf } from './vector.js'

/** Folds before an input whose vectors and terms it is compared with: four exchanges. */
export const DRIFT_CONTEXT_FOLDS = 8

/** Folds before an input among which its baseline is taken: sixteen exchanges. */
export const DRIFT_BASELINE_FOLDS = 32

/** Folds before an input that its score depends on in all: the first fold of the baseline was itself compared with a context. */
export const DRIFT_HORIZON_FOLDS = DRIFT_BASELINE_FOLDS + DRIFT_CONTEXT_FOLDS

/** Default of the score from which a turn has drifted. Interface, Phases and drift. */
export const DRIFT_THRESHOLD = 0.5

/** Share of the threshold from which a turn is shifting: 0.3 of 0.5. Interface, Phases and drift. */
export const SHIFTING_SHARE = 0.6

/** What drift needs to know of a text; made once a text and kept beside its vector. */
export interface DriftInput {
  /** Unit length; zeros for a text without any feature. */
  readonly vector: Float32Array
  /** Distinct topical terms. */
  readonly terms: readonly string[]
  readonly cues: DiscourseCues
}

export interface DriftFold extends DriftInput {
  readonly role: Role
  /** 0..1 as measured; 0 where there was nothing before it. */
  readonly dissimilarity: number
}

/** What the score is a function of. */
export interface DriftSigns {
  /** Deviations of the dissimilarity above the session's own mean, within ±SURPRISE_MAX, shrunk towards 0 while there is little to compare with. */
  readonly surprise: number
  /** Topical terms that the context has too, and those it has not; both capped. */
  readonly shared: number
  readonly fresh: number
  /** -1..1: a personal question with something new in it, less how usual personal questions are in this session. */
  readonly opening: number
  /** 1 for a statement that follows a question, else 0. */
  readonly answering: number
  /** 0..2 */
  readonly backReferences: number
}

export interface DriftMeasure {
  /** 0..1; from 0.5 the topic has shifted. */
  readonly score: number
  /** 0..1: what later turns take as their baseline. */
  readonly dissimilarity: number
  readonly surprise: number
  /** 0..1: share of the input's topical terms that the context has not. */
  readonly novelty: number
}

const CALM: DriftMeasure = { score: 0, dissimilarity: 0, surprise: 0, novelty: 0 }

/** Half-life of a fold in the centroid of the context, in folds: two exchanges. */
const CENTROID_HALF_LIFE = 4
/** User turns of the baseline that count; more would hide that a session has become more, or less, even. */
const BASELINE_TURNS = 16
/** User turns at which the session's own baseline counts half. */
const BASELINE_HALF_TURNS = 3
/** Added to the deviation in quadrature: half the usual spread of word-based dissimilarities, so that a quiet session is not startled by chance. */
const DEVIATION_FLOOR = 0.05
/** Beyond four deviations more says nothing more. */
const SURPRISE_MAX = 4
const SHARED_MAX = 3
const FRESH_MAX = 4
/** Share of personal questions expected of an unknown session, and the turns that this expectation weighs. */
const PERSONAL_SHARE = 0.3
const PERSONAL_TURNS = 2
/** Topical terms from which the surprise counts in full. */
const EVIDENCE_TERMS = 2
/** Highest score of a turn without evidence ("ok", "thanks", "lol"), as a share of the threshold: one odd turn shifts, it does not drift. */
const WEAK_SCORE = 0.45
/** Words below which a turn carries no evidence. */
const EVIDENCE_WORDS = 3
/** User turns before a score counts in full. */
const WARM_UP_TURNS = 3

/**
 * Weights of the signs: a logistic regression on dialogues between people with marked topic shifts, weighed against
 * questions to an assistant, rounded; `bench/tiage.ts` refits them. STEEPNESS only sets how fast scores leave 0.5.
 */
const BIAS = -0.8
const WEIGHTS: DriftSigns = { surprise: 0.5, shared: -0.3, fresh: 0.3, opening: 1.7, answering: -1.2, backReferences: -0.2 }
const STEEPNESS = 2

/** What drift needs to know of a text. */
export function driftInput(text: string, vector: Float32Array): DriftInput {
  return { vector, terms: topicalTerms(contentTerms(text)), cues: discourseCues(text) }
}

/**
 * Measures a user's message before it is folded in: score = sigmoid(STEEPNESS · (BIAS + Σ weight · sign)).
 * `folds` are those before it, oldest first; the last DRIFT_BASELINE_FOLDS count. All zeros without any.
 */
export function measureDrift(input: DriftInput, folds: readonly DriftFold[]): DriftMeasure {
  const context = folds.slice(-DRIFT_CONTEXT_FOLDS)
  const past = folds.slice(-DRIFT_BASELINE_FOLDS).filter((fold) => fold.role === 'user')
  if (context.length === 0) return CALM
  const dissimilarity = contextDissimilarity(input.vector, context)
  const signs = signsOf(input, { context, past: past.slice(-BASELINE_TURNS), dissimilarity })
  const topical = signs.novelty.shared + signs.novelty.fresh
  const score = scoreOf(signs) * Math.min(1, past.length / WARM_UP_TURNS)
  return {
    score: isWeak(input) ? Math.min(score, WEAK_SCORE) : score,
    dissimilarity,
    surprise: signs.surprise,
    novelty: topical === 0 ? 0 : signs.novelty.fresh / topical
  }
}

/** The band a score lies in: shifting from SHIFTING_SHARE of the threshold, drifted from the threshold. */
export function driftPhase(score: number, threshold = DRIFT_THRESHOLD): DriftPhase {
  if (score >= threshold) return 'drifted'
  return score >= threshold * SHIFTING_SHARE ? 'shifting' : 'stable'
}
