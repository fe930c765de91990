/** The one vector a session is summed up by, and how close things are to it. */
import { addScaled, dot, unitOf } from './vector.js'

/** Folds that count in the state; with the half-life below, the next one would count 0.4 % of the newest. */
export const STATE_FOLDS = 64

/** Folds after which an input counts half: 8 folds are four exchanges, about what a reader still has in mind. */
export const STATE_HALF_LIFE_FOLDS = 8

/** A template counts as much as two inputs given before the first turn, and fades as they would. */
export const TEMPLATE_FOLDS = 2

/** Share of the anchors in the state when a realignment has just been asked for; it falls evenly to 0 from there. */
export const REALIGNMENT_SHARE = 0.5

/** Share of an input that is 0 counts as this, so that a session of unimportant inputs still has a direction. */
const IMPORTANCE_FLOOR = 0.05

export interface StateFold {
  /** Unit length; of a text in several parts, their normalised mean. */
  readonly vector: Float32Array
  /** Share of the input, at least 0: below 1 where isolation weighed it down. */
  readonly weight: number
  /** At least 0. */
  readonly importance: number
}

/** A difference of two unit states, as a transfer applied it. */
export interface StateDelta {
  readonly vector: Float32Array
  /** Inputs folded since it was applied, from 0. */
  readonly age: number
}

export interface SemanticStateInput {
  /** Oldest first: the whole session's, or those of the current topic segment. Only the last `STATE_FOLDS` count. */
  readonly folds: readonly StateFold[]
  readonly deltas?: readonly StateDelta[]
  readonly template?: Float32Array | null
  /** Inputs folded since the session began; default: the length of `folds`. */
  readonly templateAge?: number
  /** Pulls the state to `target`, the mean of the anchors, while a realignment lasts. */
  readonly realignment?: { readonly target: Float32Array; readonly remaining: number; readonly total: number } | null
}

/** Share left of what is `age` folds old: 2^(-age / half-life), in (0, 1]. */
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
 * with s(a) = 2^(-a / STATE_HALF_LIFE_FOLDS) and the age of a fold its rank from the newest, 0.
 * An exponentially weighted mean in closed form over what is retained, never an update of an earlier
 * state: that way an erased input leaves it without a trace. Multiplying all weights changes nothing
 * where there is no template.
 */
export function semanticState(input: SemanticStateInput): Float32Array | null {
  const dimension = dimensionOf(input)
  if (dimension === 0) return null
  const deltas = countedDeltas(input)
  const mean = meanOf(input, dimension)
  return realigned(deltas.length === 0 ? mean : unitOf(withDeltas(mean, deltas, dimension)), input.realignment ?? null)
}

/** The sum that `u` of the state is the direction of: what a delta is added to. All zeros while there is nothing to sum. */
export function stateSum(input: Omit<SemanticStateInput, 'realignment'>, dimension: number): Float64Array {
  return withDeltas(meanOf(input, dimension), countedDeltas(input), dimension)
}

function meanOf(input: SemanticStateInput, dimension: number): Float32Array | null {
  const sum = new Float64Array(dimension)
  const first = Math.max(0, input.folds.length - STATE_FOLDS)
  for (let i = first; i < input.folds.length; i++) {
    const fold = input.folds[i] as StateFold
    addScaled(sum, fold.vector, fold.weight * Math.max(fold.importance, IMPORTANCE_FLOOR) * agedShare(input.folds.length - 1 - i))
  }
  const templateAge = input.templateAge ?? input.folds.length
  if (input.template && templateAge < STATE_FOLDS) addScaled(sum, input.template, TEMPLATE_FOLDS * agedShare(templateAge))
  return unitOf(sum)
}

/** Cosine of the state to the nearest anchor, -1..1: a session is in its domain near any of them. Null without a state or an anchor. */
export function anchorScore(state: Float32Array | null, anchors: readonly Float32Array[]): number | null {
  if (state === null || anchors.length === 0) return null
  return topSimilarity(state, anchors)
}

/** The normalised mean of the anchors, which a realignment pulls to; null without any, or when they cancel out. */
export function anchorMean(anchors: readonly Float32Array[]): Float32Array | null {
  const [first] = anchors
  if (first === undefined) return null
  const sum = new Float64Array(first.length)
  for (const anchor of anchors) addScaled(sum, anchor, 1)
  return unitOf(sum)
}

/** Cosine of two unit vectors, held to -1..1 against rounding. */
export function similarity(a: Float32Array, b: Float32Array): number {
  return Math.max(-1, Math.min(1, dot(a, b)))
}

/** Best cosine of a query to any of the vectors, -1..1; 0 when there is none. */
export function topSimilarity(query: Float32Array, vectors: readonly Float32Array[]): number {
  if (vectors.length === 0) return 0
  let best = -1
  for (const vector of vectors) best = Math.max(best, dot(query, vector))
  return Math.min(1, best)
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
