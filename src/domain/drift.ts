/** How far an input departs from what a session was about: causal, in [0, 1], from retained folds only. */
import { backReferences, isAsking, isOpenQuestion, isPersonalQuestion } from './discourse-cues.js'
import type { DriftPhase, Role } from './session.js'
import { spreadOf } from './spread.js'
import { topicalTerms } from './topicless-words.js'
import { addScaled, dot, unitOf } from './vector.js'

/** Folds before an input whose vectors and terms it is compared with: four exchanges. */
export const DRIFT_CONTEXT_FOLDS = 8

/** Folds before an input among which its baseline is taken: sixteen exchanges. */
export const DRIFT_BASELINE_FOLDS = 32

/** Folds before an input that its score depends on in all: the first fold of the baseline was itself compared with a context. */
export const DRIFT_HORIZON_FOLDS = DRIFT_BASELINE_FOLDS + DRIFT_CONTEXT_FOLDS

/** Content terms of a text that are compared, the first ones: a page and more tells what a text is about. */
export const DRIFT_TERMS_MAX = 512

/** Default of the score from which a turn has drifted. Interface, Phases and drift. */
export const DRIFT_THRESHOLD = 0.5

/** Share of the threshold from which a turn is shifting: 0.3 of 0.5. Interface, Phases and drift. */
export const SHIFTING_SHARE = 0.6

export interface DriftInput {
  readonly text: string
  /** Its content terms, without stop words; repetitions do no harm. The first DRIFT_TERMS_MAX count. */
  readonly terms: readonly string[]
  /** Unit length; zeros for a text without any feature. */
  readonly vector: Float32Array
}

export interface DriftFold extends DriftInput {
  readonly role: Role
  /** 0..1 as measured; 0 where there was nothing before it. */
  readonly dissimilarity: number
  /** Above 0, to 1: below 1 where isolation weighed it down. Default: 1. */
  readonly share?: number
}

/** What the score is a function of. */
export interface DriftSigns {
  /** Deviations of the dissimilarity above the session's own mean, within ±SURPRISE_MAX; nearer 0 the less there is to compare with. */
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
/** Added to the deviation in quadrature: half the usual spread of word-based dissimilarities, against chance in a quiet session. */
const DEVIATION_FLOOR = 0.05
/** Beyond four deviations more says nothing more. */
const SURPRISE_MAX = 4
/** Letters by which terms are taken for relatives: parts of compounds and derived words count as shared (`bremsen`, `Bremsbelag`). */
const RELATED_LETTERS = 5
/** Closeness without any shared topical term may be one of function words only: it counts half. */
const UNSHARED_CLOSENESS = 0.5
const SHARED_MAX = 3
const FRESH_MAX = 4
/** Share of personal questions expected of an unknown session, and the turns that this expectation weighs. */
const PERSONAL_SHARE = 0.3
const PERSONAL_TURNS = 2
/** Topical terms from which the surprise counts in full. */
const EVIDENCE_TERMS = 2
/** Highest score of a turn without evidence ("ok", "thanks", "lol"): one odd turn may shift, it does not drift at the default threshold. */
const WEAK_SCORE = 0.45
/** Words below which a turn carries no evidence. */
const EVIDENCE_WORDS = 3
/** User turns before a score counts in full. */
const WARM_UP_TURNS = 3

/**
 * Weights of the signs: a logistic regression on dialogues between people with marked topic shifts, rounded, with more
 * weight on surprise and novelty, which talks with an assistant need and those dialogues leave nearly open.
 * `bench/tiage.ts` refits them. STEEPNESS sets how fast scores leave 0.5: the band from 0.3 holds the doubtful tenth.
 */
const BIAS = -0.7
const WEIGHTS: DriftSigns = { surprise: 0.6, shared: -0.3, fresh: 0.3, opening: 1.7, answering: -1.2, backReferences: -0.2 }
const STEEPNESS = 3

/**
 * What the vectors of a learned model say by themselves. With d the dissimilarity and m what is usual in the session, the way
 * from there to unrelated (orthogonal) is (d - m) / (1 - m): 0.5 of it is the threshold. Without noise that is an angle of 60°,
 * and 0.3 is one of 50°. Odds go from -3 to 3 along the way, and the cues of the wording move them by 1 at most: they decide
 * where the vectors leave it open, and never against them.
 */
const LEARNED_STEEPNESS = 6
const CUES_MAX = 1
/** Of sessions in which everything is far from everything, so that some way is left. */
const USUAL_MAX = 0.8

export interface DriftOptions {
  /** Whether the vectors are those of a learned model, and hold meaning rather than words. Default: false. */
  readonly isLearned?: boolean
}

/**
 * Measures a user's message before it is folded in: score = sigmoid(STEEPNESS · (BIAS + Σ weight · sign)), less during
 * the first turns; of a learned model by the vectors first. `folds` are those before it, oldest first; the last
 * DRIFT_BASELINE_FOLDS count. All zeros without any.
 */
export function measureDrift(input: DriftInput, folds: readonly DriftFold[], { isLearned = false }: DriftOptions = {}): DriftMeasure {
  const read = readSigns(input, folds)
  if (read === null) return CALM
  const { signs, dissimilarity, novelty, past } = read
  const odds = isLearned ? learnedOdds(read) : STEEPNESS * oddsOf(signs)
  const score = Math.min(1, past.length / WARM_UP_TURNS) / (1 + Math.exp(-odds))
  return { score: isWeak(input, isLearned) ? Math.min(score, WEAK_SCORE) : score, dissimilarity, surprise: signs.surprise, novelty }
}

function oddsOf(signs: DriftSigns): number {
  let odds = BIAS
  for (const key of Object.keys(WEIGHTS) as (keyof DriftSigns)[]) odds += WEIGHTS[key] * signs[key]
  return odds
}

function learnedOdds({ signs, dissimilarity, past }: SignsRead): number {
  const usual = Math.min(USUAL_MAX, usualOf(usualDissimilarities(past)))
  const way = (dissimilarity - usual) / (1 - usual)
  const cues = oddsOf({ ...signs, surprise: 0 })
  return LEARNED_STEEPNESS * (way - DRIFT_THRESHOLD) + Math.max(-CUES_MAX, Math.min(CUES_MAX, cues))
}

/** The median, nearer 0 the fewer there are: one turn on another topic does not make it usual. */
function usualOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
  return (median * sorted.length) / (sorted.length + 1)
}

/** The signs that a score is made of, for refitting the weights; null without any fold before the input. */
export function driftSigns(input: DriftInput, folds: readonly DriftFold[]): DriftSigns | null {
  return readSigns(input, folds)?.signs ?? null
}

/** The band a score lies in: shifting from SHIFTING_SHARE of the threshold, drifted from the threshold. */
export function driftPhase(score: number, threshold = DRIFT_THRESHOLD): DriftPhase {
  if (score >= threshold) return 'drifted'
  return score >= threshold * SHIFTING_SHARE ? 'shifting' : 'stable'
}

interface SignsRead {
  readonly signs: DriftSigns
  readonly dissimilarity: number
  readonly novelty: number
  /** User turns of the baseline. */
  readonly past: readonly DriftFold[]
}

function readSigns(input: DriftInput, folds: readonly DriftFold[]): SignsRead | null {
  const context = folds.slice(-DRIFT_CONTEXT_FOLDS)
  const last = context.at(-1)
  if (last === undefined) return null
  const past = folds
    .slice(-DRIFT_BASELINE_FOLDS)
    .filter((fold) => fold.role === 'user')
    .slice(-BASELINE_TURNS)
  const dissimilarity = contextDissimilarity(input.vector, context)
  const { shared, fresh } = overlapOf(input.terms, context)
  const evidence = Math.min(1, (shared + fresh) / EVIDENCE_TERMS)
  const surprise = surpriseOf(dissimilarity, past)
  const signs = {
    surprise: evidence * (surprise < 0 && shared === 0 ? surprise * UNSHARED_CLOSENESS : surprise),
    shared: Math.min(SHARED_MAX, shared),
    fresh: Math.min(FRESH_MAX, fresh),
    opening: (fresh > 0 && isPersonalQuestion(input.text) ? 1 : 0) - personalShare(past),
    answering: isOpenQuestion(last.text) && !isAsking(input.text) ? 1 : 0,
    backReferences: backReferences(input.text)
  }
  return { signs, dissimilarity, novelty: shared + fresh === 0 ? 0 : fresh / (shared + fresh), past }
}

/** 1 - cosine to the decayed centroid of the context, 0..1. */
function contextDissimilarity(vector: Float32Array, context: readonly DriftFold[]): number {
  const sum = new Float64Array(vector.length)
  context.forEach((fold, i) => addScaled(sum, fold.vector, (fold.share ?? 1) * 2 ** (-(context.length - 1 - i) / CENTROID_HALF_LIFE)))
  const centroid = unitOf(sum)
  if (centroid === null) return 0
  return Math.max(0, Math.min(1, 1 - dot(vector, centroid)))
}

function surpriseOf(dissimilarity: number, past: readonly DriftFold[]): number {
  const values = usualDissimilarities(past)
  if (values.length === 0) return 0
  const { mean, variance } = spreadOf(values)
  const deviations = (dissimilarity - mean) / Math.sqrt(variance + DEVIATION_FLOOR ** 2)
  const share = values.length / (values.length + BASELINE_HALF_TURNS)
  return Math.max(-SURPRISE_MAX, Math.min(SURPRISE_MAX, deviations * share))
}

/** What isolation weighed down is no part of what is usual here, nor is a turn that had nothing before it. */
function usualDissimilarities(past: readonly DriftFold[]): number[] {
  return past.flatMap(({ dissimilarity, share = 1 }) => (share < 1 || dissimilarity === 0 ? [] : [dissimilarity]))
}

function overlapOf(terms: readonly string[], context: readonly DriftFold[]): { shared: number; fresh: number } {
  const known = new Set<string>()
  for (const fold of context) for (const term of fold.terms.slice(0, DRIFT_TERMS_MAX)) known.add(term.slice(0, RELATED_LETTERS))
  const topical = topicalTerms(terms.slice(0, DRIFT_TERMS_MAX))
  const shared = topical.filter((term) => known.has(term.slice(0, RELATED_LETTERS))).length
  return { shared, fresh: topical.length - shared }
}

function personalShare(past: readonly DriftFold[]): number {
  const personal = past.filter((fold) => isPersonalQuestion(fold.text)).length
  return (personal + PERSONAL_SHARE * PERSONAL_TURNS) / (past.length + PERSONAL_TURNS)
}

/** Without a topical term; where words are all there is, also too short to say anything. */
function isWeak(input: DriftInput, isLearned: boolean): boolean {
  return topicalTerms(input.terms.slice(0, DRIFT_TERMS_MAX)).length === 0 || (!isLearned && wordCount(input.text) < EVIDENCE_WORDS)
}

function wordCount(text: string): number {
  return text
    .slice(0, 200)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '').length
}
