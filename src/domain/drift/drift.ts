/** Measures how far an input departs from a session's topic, in [0, 1]. Causal: depends on earlier, retained folds only. */
import type { DriftPhase, Role } from '../session.js'
import { addScaled, dot, unitOf } from '../similarity/vector.js'
import { fieldsOf } from '../words/topical-fields.js'
import { isAnnouncing, isReply, isWish, personalShare, wordCount } from './discourse-cues.js'
import { type DriftWords, relativesOf, type SaidWords } from './drift-words.js'
import { learnedOdds } from './learned-odds.js'
import { calibrated, chanceOf, oddsOfChance } from './score-calibration.js'

/** Folds before an input that form its context, with which its vector and terms are compared: four exchanges. */
export const DRIFT_CONTEXT_FOLDS = 8

/** Folds before an input that form its baseline: sixteen exchanges. */
export const DRIFT_BASELINE_FOLDS = 32

/** Folds before an input on which its score depends in total: the first fold of the baseline was itself compared with a context. */
export const DRIFT_HORIZON_FOLDS = DRIFT_BASELINE_FOLDS + DRIFT_CONTEXT_FOLDS

/** Default score from which a turn has drifted. Interface, Phases and drift. */
export const DRIFT_THRESHOLD = 0.5

/** Share of the threshold from which a turn is shifting: 0.3 with the default of 0.5. Interface, Phases and drift. */
export const SHIFTING_SHARE = 0.6

export interface DriftInput {
  readonly text: string
  readonly words: DriftWords
  /** Of unit length; zeros for a text without any feature. */
  readonly vector: Float32Array
}

export interface DriftFold extends Omit<DriftInput, 'words'> {
  readonly words: SaidWords
  readonly role: Role
  /** As measured, 0..1; 0 if nothing came before it. */
  readonly dissimilarity: number
  /** In (0, 1]; below 1 if isolation weakened the input. Default: 1. */
  readonly share?: number
}

/** Features from which the score is computed. */
export interface DriftSigns {
  /** Logarithm of the ratio of new to known topical terms, less that of a message of usual length with only new terms. */
  readonly novelty: number
  /** Logarithm of the ratio of terms of new fields to terms of known fields; 0 when they balance or no term has a field. */
  readonly fields: number
  /**
   * 0..1: for a personal question with something new in it, or with no topical term at all; less the more terms of the context it
   * repeats, since it then continues a subject.
   */
  readonly opening: number
  /** 1 for an answer to the last fold's question, also one that gives the question back, and for a greeting returned; else 0. */
  readonly answering: number
  /** 1 for a turn that announces something else, or greets anew, and has other new words, else 0. */
  readonly announcing: number
}

export interface DriftMeasure {
  /** 0..1; from 0.5 the topic has shifted. */
  readonly score: number
  /** 0..1; later turns take it as their baseline. */
  readonly dissimilarity: number
  /** Share of the input's topical terms that are new to the context, or long past in it, 0..1. */
  readonly novelty: number
}

const CALM: DriftMeasure = { score: 0, dissimilarity: 0, novelty: 0 }

/** Half-life of a fold in the centroid of the context, in folds: two exchanges. */
const CENTROID_HALF_LIFE = 4
/**
 * Half-life for a centroid of the last folds only, used with learned models as well: a topic's second turn is near its first, and far from
 * most others.
 */
const LAST_HALF_LIFE = 0.3
/** User turns of the baseline that count; more would hide a change in how even a session is. */
const BASELINE_TURNS = 16
/**
 * Half-life of the context's words, in folds: what was said three exchanges ago may belong to the previous topic. With 4, novelty alone
 * detected changes less well, in splices of people's talks and in talks with an assistant, and least when all folds counted alike.
 */
const KNOWN_HALF_LIFE = 1.5
/** Weight of a word of the context by the number of folds since. */
const KNOWN_SHARES = Array.from({ length: DRIFT_CONTEXT_FOLDS }, (_, later) => 2 ** (-later / KNOWN_HALF_LIFE))
/** Added to both sides of the ratio of new to known terms, so that one word is little evidence and none is none. */
const UNSEEN = 0.5
/** Prior for an unknown session: topical terms per message, and the number of turns that this prior weighs. */
const USUAL_TERMS = 4
const USUAL_TURNS = 2
/**
 * Shared terms from which a personal question opens nothing. Splices of people's talks are detected less well if every personal question
 * counts alike.
 */
const OPENING_SHARED = 2
/** Folds before an input whose greeting it may return: an exchange. */
const GREETING_FOLDS = 2
/** Highest score of a turn without evidence ("ok", "thanks", "lol"): an odd turn may shift, but does not drift at the default threshold. */
const WEAK_SCORE = 0.45
/** Words below which a turn carries no evidence. */
const EVIDENCE_WORDS = 3
/** User turns before a score counts in full. */
const WARM_UP_TURNS = 3

/**
 * Chosen on three genres at once, and that of personal questions on four; `npm run bench:quality` fits them on all genres but one and
 * reports that one. The ratio of new words, relative to the session's usual length, counts most, and their fields come next. Wording
 * adjusts the score: an answer rarely changes the subject, and a personal question about something else opens one.
 */
const BIAS = -0.2
const WEIGHTS: DriftSigns = { novelty: 0.6, fields: 0.4, opening: 1.3, answering: -1, announcing: 1 }
/** How steeply scores leave 0.5. */
const STEEPNESS = 2

/** By how much words shift the odds of a learned model at most: they decide where its vectors do not, and never against them. */
const WORDS_MAX = 1

interface DriftOptions {
  /** Whether the vectors come from a learned model, and represent meaning rather than words. Default: false. */
  readonly isLearned?: boolean
}

/**
 * Measures a user's message before it is folded in: score = sigmoid(STEEPNESS · (BIAS + Σ weight · sign)), lower during the first turns,
 * and calibrated above the threshold. For a learned model the vectors decide first, and the score is not calibrated. `folds` are those
 * before the message, oldest first; the last DRIFT_BASELINE_FOLDS count. All zeros without folds.
 */
export function measureDrift(input: DriftInput, folds: readonly DriftFold[], { isLearned = false }: DriftOptions = {}): DriftMeasure {
  const read = readSigns(input, folds, isLearned)
  if (read === null) return CALM
  const { dissimilarity, overlap, past } = read
  const words = STEEPNESS * oddsOf(read.signs)
  const odds = isLearned
    ? learnedOdds(read.dissimilarity, usualDissimilarities(read.past)) + Math.max(-WORDS_MAX, Math.min(WORDS_MAX, words))
    : words
  const chance = Math.min(1, past.length / WARM_UP_TURNS) * chanceOf(odds)
  // Calibrated last, so that calibration never changes which scores reach the threshold, even during the first turns.
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

/** Signs of which a score consists, for refitting the weights; null without any fold before the input. */
export function driftSigns(input: DriftInput, folds: readonly DriftFold[]): DriftSigns | null {
  return readSigns(input, folds, false)?.signs ?? null
}

/** Band of a score: shifting from SHIFTING_SHARE of the threshold, drifted from the threshold. */
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

/** Topical terms of an input: how many the context has, weighted by how recently they were said, and the rest. */
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
  const { topical } = input.words
  const relatives = topical.map(relativesOf)
  const fields = topical.map(fieldsOf)
  const known = knownShares(relatives, context, ({ words }) => words.relatives)
  const knownFields = knownShares(fields.flat(), context, ({ words }) => words.fields)
  const overlap = overlapOf(relatives.map((one) => known.get(one) as number))
  const news = relatives.filter((one) => known.get(one) === 0)
  const before = context.slice(-GREETING_FOLDS).map((fold) => fold.text)
  const announcing = isAnnouncing(input.text, { news, before }) ? 1 : 0
  const signs = {
    novelty: ratioOf(overlap) - ratioOf({ shared: 0, fresh: usualTermsOf(past) }),
    fields: ratioOf(overlapOf(fields.filter((some) => some.length > 0).map((some) => bestOf(some, knownFields)))),
    opening: openingOf(input, overlap),
    answering: announcing === 0 && isReply(input.text, before) ? 1 : 0,
    announcing
  }
  const distances = (isLearned ? [CENTROID_HALF_LIFE, LAST_HALF_LIFE] : [CENTROID_HALF_LIFE]).map((halfLife) =>
    contextDissimilarity(input.vector, context, halfLife)
  )
  return { signs, dissimilarity: Math.min(...distances), overlap, past }
}

function openingOf({ text, words: { topical } }: DriftInput, { fresh, shared }: Overlap): number {
  if (topical.length > 0 && fresh === 0) return 0
  return personalShare(text, topical.length > 0) * Math.max(0, 1 - shared / OPENING_SHARED)
}

/** 1 - cosine to the decayed centroid of the context, 0..1. */
function contextDissimilarity(vector: Float32Array, context: readonly DriftFold[], halfLife: number): number {
  const sum = new Float64Array(vector.length)
  context.forEach((fold, i) => addScaled(sum, fold.vector, (fold.share ?? 1) * 2 ** (-(context.length - 1 - i) / halfLife)))
  const centroid = unitOf(sum)
  if (centroid === null) return 0
  return Math.max(0, Math.min(1, 1 - dot(vector, centroid)))
}

/** Leaves out turns that isolation weakened and turns with nothing before them. */
function usualDissimilarities(past: readonly DriftFold[]): number[] {
  return past.flatMap(({ dissimilarity, share = 1 }) => (share < 1 || dissimilarity === 0 ? [] : [dissimilarity]))
}

/** Weight of each of these words or fields in a context, 0..1: lower the longer ago it was said, and 0 if it was not. */
function knownShares(
  asked: Iterable<string>,
  context: readonly DriftFold[],
  saidIn: (fold: DriftFold) => string
): ReadonlyMap<string, number> {
  const shares = new Map<string, number>()
  for (const one of asked) shares.set(one, 0)
  if (shares.size === 0) return shares
  context.forEach((fold, at) => {
    const share = KNOWN_SHARES[context.length - 1 - at] as number
    for (const said of saidIn(fold).split(' ')) if (shares.has(said)) shares.set(said, share)
  })
  return shares
}

/** Weight of the best known of a term's fields. */
function bestOf(fields: readonly string[], known: ReadonlyMap<string, number>): number {
  return Math.max(...fields.map((field) => known.get(field) as number))
}

/** Sums up how well each term is known, 0..1. */
function overlapOf(shares: readonly number[]): Overlap {
  const shared = shares.reduce((sum, share) => sum + share, 0)
  return { shared, fresh: shares.length - shared }
}

function ratioOf({ shared, fresh }: Overlap): number {
  return Math.log((fresh + UNSEEN) / (shared + UNSEEN))
}

/** Usual number of topical terms per message, shrunk towards the prior when there are few messages. */
function usualTermsOf(past: readonly DriftFold[]): number {
  const sum = past.reduce((sum, fold) => sum + fold.words.topicalCount, USUAL_TURNS * USUAL_TERMS)
  return sum / (past.length + USUAL_TURNS)
}

/** No evidence: a greeting, a wish, or no topical term; without a learned model also a text too short to tell. */
function isWeak(input: DriftInput, topical: number, isLearned: boolean): boolean {
  return topical === 0 || isWish(input.text) || (!isLearned && wordCount(input.text) < EVIDENCE_WORDS)
}
