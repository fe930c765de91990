/** Signs of how well a session understands its topic, from a turn. The phases are in `machines/mind-machine.ts`. */
import { SHIFTING_SHARE } from './drift.js'

export interface UnderstandingSigns {
  /** User turns so far, including the current one. */
  readonly interactionCount: number
  /** Mean cosine of recent inputs to the folds before them, -1..1. */
  readonly meanSimilarity: number
  /** Variance of these cosines, at least 0. */
  readonly similarityVariance: number
  /** Drift score of the current turn, 0..1. */
  readonly driftScore: number
  /** Default 0.5. */
  readonly driftThreshold: number
}

/** Turns before there is a baseline: a deviation needs at least two similarities, and the first turn has none. */
const INITIALIZATION_TURNS = 3

/** Turns from which an even course counts as stable rather than converging: twice the state's half-life of four exchanges. */
const STABILITY_TURNS = 8

/** Mean cosine below which consecutive turns share next to nothing, with word-based and dense models: the session is still exploring. */
const EXPLORATION_SIMILARITY = 0.1

/** Mean cosine that inputs reach only if they keep to one matter: dense models put related turns at 0.4 to 0.7. */
const RESONANCE_SIMILARITY = 0.4

/** A standard deviation of 0.15: half the usual distance between related and unrelated turns. */
const EVEN_VARIANCE = 0.15 ** 2

/** A standard deviation of 0.3: inputs jump between related and unrelated. */
const UNEVEN_VARIANCE = 0.3 ** 2

/** Too few turns to tell anything. */
export function isInitialising(signs: UnderstandingSigns): boolean {
  return signs.interactionCount < INITIALIZATION_TURNS
}

/** The current turn has left the topic, or recent turns jump to and fro. */
export function isUnstable(signs: UnderstandingSigns): boolean {
  return signs.driftScore >= signs.driftThreshold || signs.similarityVariance > UNEVEN_VARIANCE
}

/** Turns hardly relate to each other yet. */
export function isExploring(signs: UnderstandingSigns): boolean {
  return signs.meanSimilarity < EXPLORATION_SIMILARITY
}

/** Turns, including the current one, keep evenly and closely to one matter. */
export function isResonant(signs: UnderstandingSigns): boolean {
  return isEven(signs) && signs.meanSimilarity >= RESONANCE_SIMILARITY
}

/** An even course for long enough, without being as close as resonance. */
export function isStable(signs: UnderstandingSigns): boolean {
  return isEven(signs) && signs.interactionCount >= STABILITY_TURNS
}

function isEven(signs: UnderstandingSigns): boolean {
  return signs.similarityVariance <= EVEN_VARIANCE && signs.driftScore < signs.driftThreshold * SHIFTING_SHARE
}
