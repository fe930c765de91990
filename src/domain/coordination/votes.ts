/** Turns drift events of clusters into votes, and decides when votes are a consensus. Interface, Drift, regions, observer. */
import { CLOCK_SKEW_S } from '../limits.js'

/** A region's record of one attached cluster's votes. */
export interface Ballot {
  /** Epoch seconds. */
  readonly attachedAt: number
  /** Epoch seconds of its latest counted vote; null before the first. */
  readonly votedAt: number | null
}

/** The rolling vote window at one moment. */
interface VoteWindow {
  /** Epoch seconds. */
  readonly now: number
  /** Above 0. */
  readonly windowS: number
}

/**
 * `late`: the cluster is attached, but the drift is outside the window on arrival. `foreign`: as far as clocks can tell, the cluster was
 * not attached when it drifted.
 */
type VoteVerdict = 'counted' | 'late' | 'foreign'

/**
 * Whether a drift at `timestamp` (epoch seconds, at most `now`) counts as a vote. `ballot`: that of its cluster; undefined if it is not
 * attached. Idempotent: a cluster has one vote, as of its latest drift.
 */
export function judgeVote(ballot: Ballot | undefined, timestamp: number, window: VoteWindow): VoteVerdict {
  if (ballot === undefined || timestamp < attachedBy(ballot, window)) return 'foreign'
  return isInWindow(timestamp, window) ? 'counted' : 'late'
}

/** Share of the attached clusters that voted within (now - windowS, now], 0..1; 0 without clusters. */
export function votedFraction(ballots: Iterable<Ballot>, window: VoteWindow): number {
  let attached = 0
  let voted = 0
  for (const { votedAt } of ballots) {
    attached += 1
    if (votedAt !== null && isInWindow(votedAt, window)) voted += 1
  }
  return attached === 0 ? 0 : voted / attached
}

/** Whether a share of votes is a consensus. It has to exceed the threshold, so a threshold of 1 is never reached. */
export function isConsensus(fraction: number, threshold: number): boolean {
  return fraction > threshold
}

/**
 * Allows for clocks: the drift may come from a node whose clock is behind, or the clock may have been set back since the cluster was
 * attached, which therefore counts as attached no later than now.
 */
function attachedBy({ attachedAt }: Ballot, { now }: VoteWindow): number {
  return Math.min(attachedAt, now) - CLOCK_SKEW_S
}

/** Votes in the future, left by a clock that was set back, count as fresh. */
function isInWindow(timestamp: number, { now, windowS }: VoteWindow): boolean {
  return timestamp > now - windowS
}
