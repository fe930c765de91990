/** Decides whether an input belongs to the domain of a session. */
import type { SimilarityScale } from './calibration.js'
import { similarity, topSimilarity } from './vector.js'
import type { IsolationLevel } from '../session.js'

/** Minimum share of a down-weighted input: it is weakened, not lost. */
export const FILTERED_SHARE_MIN = 0.1

/**
 * Whether only screened messages may reach a model: levels that hold back inputs, or pass only allowlisted ones. Interface, Isolation
 * levels.
 */
export function isClosedLevel(level: IsolationLevel): boolean {
  return level === 'QUARANTINE' || level === 'LOCKDOWN'
}

export interface DomainQuestion {
  /** Unit vector of the input. */
  readonly vector: Float32Array
  /** Scale of the model that made the vectors. */
  readonly scale: SimilarityScale
  readonly level: IsolationLevel
  /** Similarity, -1..1, below which an input is off-domain. */
  readonly threshold: number
  readonly anchors: readonly Float32Array[]
  readonly allowlist: readonly Float32Array[]
  readonly exclusions: readonly Float32Array[]
}

interface DomainAnswer {
  readonly isOffDomain: boolean
  /** Near an exclusion, which overrules the domain. */
  readonly isExcluded: boolean
  /** Best similarity to the domain, -1..1; null if the session has none. */
  readonly similarity: number | null
}

/**
 * Judges an input. The domain is the anchors; without any, the allowlist. Without both, nothing is off-domain, except under `LOCKDOWN`,
 * where nothing passes. Under `LOCKDOWN` the allowlist takes precedence over the anchors: only inputs on it pass. Inputs near an exclusion
 * are off-domain regardless. Interface, Isolation levels.
 */
export function judgeDomain(question: DomainQuestion): DomainAnswer {
  const { vector, threshold, scale } = question
  const domain = domainOf(question)
  const best = domain.length === 0 ? null : scale(topSimilarity(vector, domain))
  const isExcluded = question.exclusions.some((exclusion) => scale(similarity(vector, exclusion)) >= threshold)
  const isOutside = best === null ? question.level === 'LOCKDOWN' : best < threshold
  return { isOffDomain: isExcluded || isOutside, isExcluded, similarity: best }
}

/** Judges an input whose vector is unavailable: off-domain wherever any vector could have made it so, with the minimum share. */
export function judgeUnchecked({ level, anchors, allowlist, exclusions }: DomainQuestion): DomainAnswer {
  const isOffDomain = level === 'LOCKDOWN' || anchors.length + allowlist.length + exclusions.length > 0
  return { isOffDomain, isExcluded: false, similarity: null }
}

/**
 * Share left of a down-weighted input: its similarity relative to the threshold, so that a near miss is barely weakened. An excluded input
 * keeps the minimum, however near the domain it is.
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
