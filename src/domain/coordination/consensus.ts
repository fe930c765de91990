/** How a subject's sessions vote on a proposed vector, and how the outcome changes the trust in each. */

/** Trust in a session that has been on neither side of an accepted proposal: as near to full trust as to none. */
export const TRUST_INITIAL = 0.5

/**
 * Approval from which a proposal is accepted, and vote from which a session agrees: a session agrees if it would accept by itself. If all
 * votes are fully for or against, two thirds of the trust must be in favour, the majority that outweighs a third that errs. A session to
 * which the proposal means nothing (cosine 0, a vote of 1/2) counts as not convinced.
 */
const ACCEPTANCE = 2 / 3

/**
 * Share of the way to full trust, or to none, that one accepted proposal moves. One vote decides little; after seven on the same side about
 * half of the way is done: 0.9^7 = 0.48.
 */
const TRUST_RATE = 0.1

interface Ballot {
  /** Cosine of the session's state to the proposal, -1..1. */
  readonly similarity: number
  /** Trust in the session before the vote, 0..1. */
  readonly weight: number
}

/** A cosine as a vote, 0 (opposed) to 1 (same direction): (1 + cos) / 2. */
function voteOf(similarity: number): number {
  return (1 + similarity) / 2
}

/**
 * Mean of the votes, weighted by trust: Σ w · (1 + cos) / 2 / Σ w, in 0..1. 0 without votes or without any trust. Only ratios of trust
 * count: weights are divided by the largest, so that tiny ones keep their precision.
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

/** Whether the session's own vote was in favour of a proposal that was accepted. */
export function agrees(similarity: number): boolean {
  return isAccepted(voteOf(similarity))
}

/**
 * Trust after an accepted proposal: t + r (1 - t) for those who agreed, t - r t for the others. Both interpolate between t and a bound, so
 * trust stays within [0, 1].
 */
export function nextTrust(trust: number, hasAgreed: boolean): number {
  return hasAgreed ? trust + TRUST_RATE * (1 - trust) : trust - TRUST_RATE * trust
}
