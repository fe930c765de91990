/** Whether an input belongs to the domain that a session is kept to. */
import type { SimilarityScale } from './calibration.js'
import { similarity, topSimilarity } from './semantic-state.js'
import type { IsolationLevel } from './session.js'

/** A down-weighted input keeps at least this share: it is weakened, not lost. */
export const FILTERED_SHARE_MIN = 0.1

/** Whether only what was looked at may go to a model. Interface, Isolation levels: held back, or only what is allowlisted. */
export function isClosedLevel(level: IsolationLevel): boolean {
  return level === 'QUARANTINE' || level === 'LOCKDOWN'
}

export interface DomainQuestion {
  /** Unit vector of the input. */
  readonly vector: Float32Array
  /** Of the model that made the vectors. */
  readonly scale: SimilarityScale
  readonly level: IsolationLevel
  /** -1..1: similarity below which an input is off-domain. */
  readonly threshold: number
  readonly anchors: readonly Float32Array[]
  readonly allowlist: readonly Float32Array[]
  readonly exclusions: readonly Float32Array[]
}

export interface DomainAnswer {
  readonly isOffDomain: boolean
  /** Near an exclusion, which outweighs the domain. */
  readonly isExcluded: boolean
  /** Best similarity to the domain, -1..1; null while the session has none. */
  readonly similarity: number | null
}

/**
 * The anchored domain is the anchors; without any, the allowlist; without that nothing is off-domain, except under
 * `LOCKDOWN`, where nothing passes. `LOCKDOWN` asks the allowlist first: only what is on it passes. An input that is
 * near an exclusion is off-domain whatever the domain says. Interface, Isolation levels.
 */
export function judgeDomain(question: DomainQuestion): DomainAnswer {
  const { vector, threshold, scale } = question
  const domain = domainOf(question)
  const best = domain.length === 0 ? null : scale(topSimilarity(vector, domain))
  const isExcluded = question.exclusions.some((exclusion) => scale(similarity(vector, exclusion)) >= threshold)
  const isOutside = best === null ? question.level === 'LOCKDOWN' : best < threshold
  return { isOffDomain: isExcluded || isOutside, isExcluded, similarity: best }
}

/** Of an input whose vector is not to be had: off-domain wherever anything could have made it so, and left the least of. */
export function judgeUnchecked({ level, anchors, allowlist, exclusions }: DomainQuestion): DomainAnswer {
  const isOffDomain = level === 'LOCKDOWN' || anchors.length + allowlist.length + exclusions.length > 0
  return { isOffDomain, isExcluded: false, similarity: null }
}

/**
 * Share that is left of a down-weighted input: its similarity in proportion to the threshold, so that what barely
 * misses the domain is barely weakened. An excluded input, however near the domain, keeps the least.
 */
export function filteredShare(answer: DomainAnswer, threshold: number): number {
  const reached = answer.similarity ?? 0
  if (answer.isExcluded || threshold <= 0) return FILTERED_SHARE_MIN
  return Math.max(FILTERED_SHARE_MIN, Math.min(1, reached / threshold))
}

function domainOf({ level, anchors, allowlist }: DomainQuestion): readonly Float32Array[] {
  const [first, second] = level === 'LOCKDOWN' ? [allowlist, anchors] : [anchors, allowlist]
  return first.length > 0 ? first : second
}
