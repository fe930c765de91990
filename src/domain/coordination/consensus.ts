/** How a subject's sessions vote on a proposed vector, and what the outcome does to the trust in each. */

/** Trust in a session that has not been on either side of an accepted proposal: as near to full trust as to none. */
export const TRUST_INITIAL = 0.5

/**
 * Approval from which a proposal is accepted, and vote from which a session agrees: so a session agrees when it would accept by itself.
 * Where votes are all for or all against, two thirds of the trust are for it, the majority that outweighs a third that errs; a session
 * to which the proposal means nothing (cosine 0, a vote of 1/2) counts as not convinced.
 */
const ACCEPTANCE = 2 / 3

/**
 * Share of the way to full trust, or to none, that one accepted proposal moves. One vote decides little, and after seven
 * on the same side half the way is gone: 0.9^7 = 0.48.
 */
const TRUST_RATE = 0.1

export interface Ballot {
  /** Cosine of the session's state to the proposal, -1..1. */
  readonly similarity: number
  /** Trust in the session before the vote, 0..1. */
  readonly weight: number
}

/** A cosine as a vote, 0 (opposed) to 1 (the same direction): (1 + cos) / 2. */
function voteOf(similarity: number): number {
  return (1 + similarity) / 2
}

/**
 * Mean of the votes, each weighted by its trust: Σ w · (1 + cos) / 2 / Σ w, so 0..1. 0 when nobody votes, or nobody is trusted at all.
 * Only the ratios of trust count: weights are taken relative to the largest, so that the smallest numbers keep their digits.
 */
export function approvalOf(ballots: readonly Ballot[]): number {
  const largest = ballots.reduce((most, { weight }) => Math.max(most, weight), 0)
  if (largest === 0) return 0
  let approval = 0
  let trust = 0
  for (const { similarity, weight } of ballots) {
    approval += (weight / largest) * voteOf(similarity)
    trust += weight / largest
  }
  return Math.min(1, approval / trust)
}

export function isAccepted(approval: number): boolean {
  return approval >= ACCEPTANCE
}

/** Whether the session's own vote was for a proposal that was accepted. */
export function agrees(similarity: number): boolean {
  return isAccepted(voteOf(similarity))
}

/**
 * Trust after an accepted proposal: t + r (1 - t) for those who agreed, t - r t for the others. Both are mixtures of t with a bound of
 * [0, 1], so trust never leaves it.
 */
export function nextTrust(trust: number, hasAgreed: boolean): number {
  return hasAgreed ? trust + TRUST_RATE * (1 - trust) : trust - TRUST_RATE * trust
}
