/** How far an input departs from what a session was about: causal, in [0, 1], from retained folds only. */
import type { DriftPhase, Role } from '../session.js'
import { addScaled, dot, unitOf } from '../vector.js'
import { fieldsOf } from '../words/topical-fields.js'
import { ANNOUNCEMENT_TERMS, isAnnouncing, isAsking, isOpenQuestion, isPersonalQuestion, isWish, wordCount } from './discourse-cues.js'
import { type DriftWords, relativesOf } from './drift-words.js'
import { calibrated, chanceOf, oddsOfChance } from './score-calibration.js'

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

export interface DriftInput {
  readonly text: string
  readonly words: DriftWords
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
  /** Logarithm of the ratio of new to known topical terms, less that of a message of usual length in which all are new. */
  readonly novelty: number
  /** Logarithm of the ratio of its words of new fields to those of known fields; 0 where it has words of none, or of as many. */
  readonly fields: number
  /** 0..1: a personal question with something new in it, the less the more it has of what was just said: that goes on with a subject. */
  readonly opening: number
  /** 1 for a statement that follows a question, else 0. */
  readonly answering: number
  /** 1 for a turn that announces something else and has new words, else 0. */
  readonly announcing: number
}

export interface DriftMeasure {
  /** 0..1; from 0.5 the topic has shifted. */
  readonly score: number
  /** 0..1: what later turns take as their baseline. */
  readonly dissimilarity: number
  /** 0..1: share of the input's topical terms that the context has not, or not for long. */
  readonly novelty: number
}

const CALM: DriftMeasure = { score: 0, dissimilarity: 0, novelty: 0 }

/** Half-life of a fold in the centroid of the context, in folds: two exchanges. */
const CENTROID_HALF_LIFE = 4
/**
 * The same of what was said last, which a learned model is compared with as well: a topic's second turn is near its first, and far from
 * most.
 */
const LAST_HALF_LIFE = 0.3
/** User turns of the baseline that count; more would hide that a session has become more, or less, even. */
const BASELINE_TURNS = 16
/**
 * After so many folds a word of the context counts half: what was said three exchanges ago may be of the topic before. With 4 the novelty
 * alone told changes less well, in splices of people's talks and in talks with an assistant, and least where all folds counted alike.
 */
const KNOWN_HALF_LIFE = 1.5
/** What a word of the context counts, by how many folds have come since its own. */
const KNOWN_SHARES = Array.from({ length: DRIFT_CONTEXT_FOLDS }, (_, later) => 2 ** (-later / KNOWN_HALF_LIFE))
/** Added to either side of the ratio of new to known terms, so that one word is little evidence and none is none. */
const UNSEEN = 0.5
/** What is expected of an unknown session: topical terms of a message, and the turns that this weighs. */
const USUAL_TERMS = 4
const USUAL_TURNS = 2
/**
 * Terms of the context with which a personal question opens nothing. Splices of people's talks are told less well where every personal
 * question counts alike.
 */
const OPENING_SHARED = 2
/** Highest score of a turn without evidence ("ok", "thanks", "lol"): one odd turn may shift, it does not drift at the default threshold. */
const WEAK_SCORE = 0.45
/** Words below which a turn carries no evidence. */
const EVIDENCE_WORDS = 3
/** User turns before a score counts in full. */
const WARM_UP_TURNS = 3

/**
 * Chosen on three genres at once; `npm run bench:quality` fits them on two and reports the third. The ratio of
 * new words leads, against the length that is usual in the session, and what they are about comes next. The wording moves it: an answer
 * rarely changes the subject, and a personal question about something else opens one.
 */
const BIAS = -0.2
const WEIGHTS: DriftSigns = { novelty: 0.6, fields: 0.4, opening: 1, answering: -1, announcing: 1 }
/** How fast scores leave 0.5. */
const STEEPNESS = 2

/**
 * What the vectors of a learned model say by themselves. With d the dissimilarity, m what is usual in the session and u that of an
 * unrelated message, the way from one to the other is (d - m) / (u - m): 0.5 of it is the threshold. Odds go from -3.5 to 3.5 along the
 * way, and the words move them by 1 at most: they decide where the vectors leave it open, and never against them.
 */
const LEARNED_STEEPNESS = 7
const WORDS_MAX = 1
/**
 * An unrelated message is as far as this from usual, in usual distances, and no further than orthogonal: where all cosines of a model
 * are high, all its distances are small by the same factor. Turns that share half of their meaning lie 0.33 from their centroid.
 */
const UNRELATED_RATIO = 3
/** Usual dissimilarity below which turns are all but equal, and nothing is known of the model's distances: unrelated is orthogonal. */
const SCATTER_MIN = 0.005
/** Of sessions in which everything is far from everything, so that some way is left. */
const USUAL_MAX = 0.8

export interface DriftOptions {
  /** Whether the vectors are those of a learned model, and hold meaning rather than words. Default: false. */
  readonly isLearned?: boolean
}

/**
 * Measures a user's message before it is folded in: score = sigmoid(STEEPNESS · (BIAS + Σ weight · sign)), less during the first turns,
 * and calibrated above the threshold; of a learned model by the vectors first, and not calibrated. `folds` are those before it, oldest
 * first; the last DRIFT_BASELINE_FOLDS count. All zeros without any.
 */
export function measureDrift(input: DriftInput, folds: readonly DriftFold[], { isLearned = false }: DriftOptions = {}): DriftMeasure {
  const read = readSigns(input, folds, isLearned)
  if (read === null) return CALM
  const { dissimilarity, overlap, past } = read
  const words = STEEPNESS * oddsOf(read.signs)
  const odds = isLearned ? learnedOdds(read) + Math.max(-WORDS_MAX, Math.min(WORDS_MAX, words)) : words
  const chance = Math.min(1, past.length / WARM_UP_TURNS) * chanceOf(odds)
  // Last of all: what reaches the threshold is not to change by it, in the first turns neither.
  const score = isLearned ? chance : chanceOf(calibrated(oddsOfChance(chance)))
  const known = overlap.shared + overlap.fresh
  return {
    score: isWeak(input, known, isLearned) ? Math.min(score, WEAK_SCORE) : score,
    dissimilarity,
    novelty: known === 0 ? 0 : overlap.fresh / known
  }
}

function oddsOf(signs: DriftSigns): number {
  let odds = BIAS
  for (const key of Object.keys(WEIGHTS) as (keyof DriftSigns)[]) odds += WEIGHTS[key] * signs[key]
  return odds
}

function learnedOdds({ dissimilarity, past }: SignsRead): number {
  const values = usualDissimilarities(past)
  const median = medianOf(values)
  // Nearer 0 the fewer there are: one turn on another topic does not make it usual.
  const usual = Math.min(USUAL_MAX, (median * values.length) / (values.length + 1))
  const unrelated = median < SCATTER_MIN ? 1 : Math.min(1, UNRELATED_RATIO * median)
  const way = (dissimilarity - usual) / (unrelated - usual)
  return LEARNED_STEEPNESS * (way - DRIFT_THRESHOLD)
}

/** 0 of none. */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

/** The signs that a score is made of, for refitting the weights; null without any fold before the input. */
export function driftSigns(input: DriftInput, folds: readonly DriftFold[]): DriftSigns | null {
  return readSigns(input, folds, false)?.signs ?? null
}

/** The band a score lies in: shifting from SHIFTING_SHARE of the threshold, drifted from the threshold. */
export function driftPhase(score: number, threshold = DRIFT_THRESHOLD): DriftPhase {
  if (score >= threshold) return 'drifted'
  return score >= threshold * SHIFTING_SHARE ? 'shifting' : 'stable'
}

interface SignsRead {
  readonly signs: DriftSigns
  readonly dissimilarity: number
  readonly overlap: Overlap
  /** User turns of the baseline. */
  readonly past: readonly DriftFold[]
}

/** Topical terms of an input: those that the context has, less the longer ago they were said, and the rest. */
interface Overlap {
  readonly shared: number
  readonly fresh: number
}

function readSigns(input: DriftInput, folds: readonly DriftFold[], isLearned: boolean): SignsRead | null {
  const baseline = folds.slice(-DRIFT_BASELINE_FOLDS)
  const last = baseline.at(-1)
  if (last === undefined) return null
  const past = baseline.filter((fold) => fold.role === 'user').slice(-BASELINE_TURNS)
  const context = baseline.slice(-DRIFT_CONTEXT_FOLDS)
  const known = knownOf(context)
  const { topical } = input.words
  const overlap = overlapOf(topical.map((term) => known.words.get(relativesOf(term)) ?? 0))
  // The words of the announcement are no news themselves.
  const isNews = topical.some((term) => !ANNOUNCEMENT_TERMS.has(term) && !known.words.has(relativesOf(term)))
  const announcing = isNews && isAnnouncing(input.text) ? 1 : 0
  const signs = {
    novelty: ratioOf(overlap) - ratioOf({ shared: 0, fresh: usualTermsOf(past) }),
    fields: ratioOf(overlapOf(topical.flatMap((term) => knownShareOfFields(term, known.fields)))),
    opening: overlap.fresh > 0 && isPersonalQuestion(input.text) ? Math.max(0, 1 - overlap.shared / OPENING_SHARED) : 0,
    answering: announcing === 0 && isOpenQuestion(last.text) && !isAsking(input.text) ? 1 : 0,
    announcing
  }
  const distances = (isLearned ? [CENTROID_HALF_LIFE, LAST_HALF_LIFE] : [CENTROID_HALF_LIFE]).map((halfLife) =>
    contextDissimilarity(input.vector, context, halfLife)
  )
  return { signs, dissimilarity: Math.min(...distances), overlap, past }
}

/** 1 - cosine to the decayed centroid of the context, 0..1. */
function contextDissimilarity(vector: Float32Array, context: readonly DriftFold[], halfLife: number): number {
  const sum = new Float64Array(vector.length)
  context.forEach((fold, i) => addScaled(sum, fold.vector, (fold.share ?? 1) * 2 ** (-(context.length - 1 - i) / halfLife)))
  const centroid = unitOf(sum)
  if (centroid === null) return 0
  return Math.max(0, Math.min(1, 1 - dot(vector, centroid)))
}

/** What isolation weighed down is no part of what is usual here, nor is a turn that had nothing before it. */
function usualDissimilarities(past: readonly DriftFold[]): number[] {
  return past.flatMap(({ dissimilarity, share = 1 }) => (share < 1 || dissimilarity === 0 ? [] : [dissimilarity]))
}

/** What the words and the fields of a context count, 0..1: less the longer ago they were said. */
interface Known {
  readonly words: ReadonlyMap<string, number>
  readonly fields: ReadonlyMap<string, number>
}

function knownOf(context: readonly DriftFold[]): Known {
  const words = new Map<string, number>()
  const fields = new Map<string, number>()
  for (const [at, fold] of context.entries()) {
    const share = KNOWN_SHARES[context.length - 1 - at] as number
    for (const relatives of fold.words.relatives) words.set(relatives, share)
    for (const field of fold.words.fields) fields.set(field, share)
  }
  return { words, fields }
}

/** That of the best known of its fields; empty for a term of none. */
function knownShareOfFields(term: string, known: ReadonlyMap<string, number>): number[] {
  const shares = fieldsOf(term).map((field) => known.get(field) ?? 0)
  return shares.length === 0 ? [] : [Math.max(...shares)]
}

/** Of terms by how well each is known, 0..1. */
function overlapOf(shares: readonly number[]): Overlap {
  const shared = shares.reduce((sum, share) => sum + share, 0)
  return { shared, fresh: shares.length - shared }
}

function ratioOf({ shared, fresh }: Overlap): number {
  return Math.log((fresh + UNSEEN) / (shared + UNSEEN))
}

/** Topical terms of a message as is usual, nearer to what an unknown session has the fewer messages there are. */
function usualTermsOf(past: readonly DriftFold[]): number {
  const sum = past.reduce((sum, fold) => sum + fold.words.topical.length, USUAL_TURNS * USUAL_TERMS)
  return sum / (past.length + USUAL_TURNS)
}

/** A greeting or a wish; without a topical term; where words are all there is, also too short to say anything. */
function isWeak(input: DriftInput, topical: number, isLearned: boolean): boolean {
  return topical === 0 || isWish(input.text) || (!isLearned && wordCount(input.text) < EVIDENCE_WORDS)
}
