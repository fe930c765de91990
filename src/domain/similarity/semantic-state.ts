/** The semantic state, one vector that summarises a session, and its anchors. */
import { addScaled, topSimilarity, unitOf } from './vector.js'

/** Folds that count in the state. With the half-life below, the next one would count 0.4 % of the newest. */
export const STATE_FOLDS = 64

/**
 * Deltas of one turn that are kept apart, so that an erasure removes no more than necessary. Later deltas of the turn are added to one of
 * them, which does not change the state because they have the same age. A session therefore has at most STATE_FOLDS times as many.
 */
export const DELTAS_A_TURN_MAX = 4
export const DELTAS_MAX = STATE_FOLDS * DELTAS_A_TURN_MAX

/** Folds after which an input counts half: 8 folds are four exchanges, about as much as a reader still has in mind. */
export const STATE_HALF_LIFE_FOLDS = 8

/** A template counts as two inputs given before the first turn, and fades like them. */
const TEMPLATE_FOLDS = 2

/** Share of the anchors in the state right after a realignment was requested; from there it falls linearly to 0. */
const REALIGNMENT_SHARE = 0.5

/** Minimum importance of an input, so that a session of unimportant inputs still has a direction. */
const IMPORTANCE_FLOOR = 0.05

export interface StateFold {
  /** Of unit length; the normalised mean for a text of several parts. */
  readonly vector: Float32Array
  /** Weight of the input, at least 0: the weight of its role times its share. */
  readonly weight: number
  /** At least 0. */
  readonly importance: number
  /** In (0, 1]; below 1 if isolation weakened the input. Default: 1. */
  readonly share?: number
}

/** Difference of two unit states, as applied by a transfer. */
interface StateDelta {
  readonly vector: Float32Array
  /** Inputs folded since it was applied, from 0. */
  readonly age: number
}

export interface SemanticStateInput {
  /** Oldest first, of the whole session or of the current topic segment. Only the last `STATE_FOLDS` count. */
  readonly folds: readonly StateFold[]
  readonly deltas?: readonly StateDelta[]
  readonly template?: Float32Array | null
  /** Inputs folded since the session began. Default: the length of `folds`. */
  readonly templateAge?: number
  /** Domain of the session, a unit vector. It makes up for what isolation took from inputs while there is nothing else. */
  readonly domain?: Float32Array | null
  /** Pulls the state to `target`, the mean of the anchors, during a realignment. */
  readonly realignment?: { readonly target: Float32Array; readonly remaining: number; readonly total: number } | null
}

/** Remaining share of a fold of this age: 2^(-age / half-life), in (0, 1]. */
export function agedShare(age: number): number {
  return 2 ** (-Math.max(0, age) / STATE_HALF_LIFE_FOLDS)
}

/**
 * The semantic state, a unit vector; null while nothing has a direction.
 *
 *   m = unit( Σ wᵢ · impᵢ · s(ageᵢ) · vᵢ  +  TEMPLATE_FOLDS · s(templateAge) · t )
 *   u = unit( m + Σ s(ageⱼ) · δⱼ )
 *   state = unit( (1 - r) · u + r · anchors ),  r = REALIGNMENT_SHARE · remaining / total
 *
 * with s(a) = 2^(-a / STATE_HALF_LIFE_FOLDS), and the age of a fold being the number of later folds. Folds that isolation weakened age only
 * each other: however many come, together they count at most 1 / (1 - s(1)) = 12 of their shares, and what was there stays. While there are
 * only such folds, and no template, each counts as shareᵢ · vᵢ + (1 - shareᵢ) · domain. This is an exponentially weighted mean in closed
 * form over the retained folds, never an update of an earlier state, so that an erased input leaves no trace. Without a template,
 * multiplying all weights by a factor changes nothing.
 */
export function semanticState(input: SemanticStateInput): Float32Array | null {
  const dimension = dimensionOf(input)
  if (dimension === 0) return null
  const deltas = countedDeltas(input)
  const mean = meanOf(input, dimension)
  return realigned(deltas.length === 0 ? mean : unitOf(withDeltas(mean, deltas, dimension)), input.realignment ?? null)
}

/** Unnormalised sum whose direction is `u` of the state, and to which deltas are added. All zeros when there is nothing to sum. */
export function stateSum(input: Omit<SemanticStateInput, 'realignment'>, dimension: number): Float64Array {
  return withDeltas(meanOf(input, dimension), countedDeltas(input), dimension)
}

function meanOf(input: SemanticStateInput, dimension: number): Float32Array | null {
  const sum = new Float64Array(dimension)
  const templateAge = input.templateAge ?? input.folds.length
  const template = templateAge < STATE_FOLDS ? input.template : null
  const counted = countedFolds(input.folds)
  const ground = !template && input.domain && counted.every(({ fold }) => shareOf(fold) < 1) ? input.domain : null
  for (const { fold, age } of counted) {
    const weight = fold.weight * Math.max(fold.importance, IMPORTANCE_FLOOR) * agedShare(age)
    addScaled(sum, fold.vector, weight)
    if (ground !== null) addScaled(sum, ground, (weight * (1 - shareOf(fold))) / shareOf(fold))
  }
  if (template) addScaled(sum, template, TEMPLATE_FOLDS * agedShare(templateAge))
  return unitOf(sum)
}

/** Folds that the state consists of, newest first, with their ages in folds. */
export function countedFolds<F extends Pick<StateFold, 'share'>>(folds: readonly F[]): { readonly fold: F; readonly age: number }[] {
  const counted: { fold: F; age: number }[] = []
  let later = 0
  let laterPassed = 0
  for (const fold of folds.toReversed()) {
    if (laterPassed >= STATE_FOLDS) break
    const isPassed = shareOf(fold) === 1
    const age = isPassed ? laterPassed : later
    if (age < STATE_FOLDS) counted.push({ fold, age })
    later += 1
    if (isPassed) laterPassed += 1
  }
  return counted
}

function shareOf({ share = 1 }: Pick<StateFold, 'share'>): number {
  return share
}

/**
 * Cosine, -1..1, of the state to the nearest anchor: near any anchor a session is within its domain. Null without anchors, 0 without a
 * state.
 */
export function anchorScore(state: Float32Array | null, anchors: readonly Float32Array[]): number | null {
  if (anchors.length === 0) return null
  return state === null ? 0 : topSimilarity(state, anchors)
}

/** Normalised mean of the anchors, the target of a realignment; null without any, or when they cancel out. */
export function anchorMean(anchors: readonly Float32Array[]): Float32Array | null {
  const [first] = anchors
  if (first === undefined) return null
  const sum = new Float64Array(first.length)
  for (const anchor of anchors) addScaled(sum, anchor, 1)
  return unitOf(sum)
}

function dimensionOf(input: SemanticStateInput): number {
  const vector = input.folds[0]?.vector ?? input.template ?? input.deltas?.[0]?.vector ?? input.realignment?.target
  return vector?.length ?? 0
}

function countedDeltas({ deltas = [] }: SemanticStateInput): readonly StateDelta[] {
  return deltas.filter((delta) => delta.age < STATE_FOLDS)
}

function withDeltas(mean: Float32Array | null, deltas: readonly StateDelta[], dimension: number): Float64Array {
  const sum = mean === null ? new Float64Array(dimension) : Float64Array.from(mean)
  for (const delta of deltas) addScaled(sum, delta.vector, agedShare(delta.age))
  return sum
}

function realigned(state: Float32Array | null, realignment: SemanticStateInput['realignment'] | null): Float32Array | null {
  if (!realignment || realignment.remaining <= 0 || realignment.total <= 0) return state
  if (state === null) return realignment.target
  const share = REALIGNMENT_SHARE * Math.min(1, realignment.remaining / realignment.total)
  const sum = new Float64Array(state.length)
  addScaled(sum, state, 1 - share)
  addScaled(sum, realignment.target, share)
  return unitOf(sum)
}
