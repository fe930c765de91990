/** How far a session has come in understanding what it is about: what a turn shows of it. The phases are in `machines/mind-machine.ts`. */
import { SHIFTING_SHARE } from './drift.js'

export interface UnderstandingSigns {
  /** User turns so far, the current one included. */
  readonly interactionCount: number
  /** Mean cosine of recent inputs to the folds before them, -1..1. */
  readonly meanSimilarity: number
  /** Variance of the same, at least 0. */
  readonly similarityVariance: number
  /** Drift score of the current turn, 0..1. */
  readonly driftScore: number
  /** Default 0.5. */
  readonly driftThreshold: number
}

/** Turns before a baseline exists: a deviation needs at least two similarities, the first turn has none. */
const INITIALIZATION_TURNS = 3

/** Turns from which an even course is called stable rather than converging: twice the state's half-life of four exchanges. */
const STABILITY_TURNS = 8

/** Below this mean cosine consecutive turns share next to nothing, with word-based and dense models: the session still ranges about. */
const EXPLORATION_SIMILARITY = 0.1

/** Mean cosine that inputs reach only when they keep to one matter: dense models put related turns at 0.4 to 0.7. */
const RESONANCE_SIMILARITY = 0.4

/** A deviation of 0.15: half the usual distance between related and unrelated turns. */
const EVEN_VARIANCE = 0.15 ** 2

/** A deviation of 0.3: inputs jump between related and unrelated. */
const UNEVEN_VARIANCE = 0.3 ** 2

/** Too few turns to say anything. */
export function isInitialising(signs: UnderstandingSigns): boolean {
  return signs.interactionCount < INITIALIZATION_TURNS
}

/** The current turn has left the topic, or recent ones jump to and fro. */
export function isUnstable(signs: UnderstandingSigns): boolean {
  return signs.driftScore >= signs.driftThreshold || signs.similarityVariance > UNEVEN_VARIANCE
}

/** Turns hardly relate to each other yet. */
export function isExploring(signs: UnderstandingSigns): boolean {
  return signs.meanSimilarity < EXPLORATION_SIMILARITY
}

/** Turns keep close to one matter, evenly, and the current one does too. */
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
