/** How drift events of clusters become votes, and when votes are a consensus. Interface, Drift, regions, observer. */
import { CLOCK_SKEW_S } from '../limits.js'

/** What a region knows of one attached cluster's votes. */
export interface Ballot {
  /** Epoch seconds. */
  readonly attachedAt: number
  /** Epoch seconds of its latest vote that counted; null before the first. */
  readonly votedAt: number | null
}

/** The rolling window as of one moment. */
export interface VoteWindow {
  /** Epoch seconds. */
  readonly now: number
  /** Above 0. */
  readonly windowS: number
}

/**
 * `late`: of an attached cluster, and outside the window on arrival. `foreign`: of no cluster that was attached when it drifted, as far as
 * clocks of nodes can tell.
 */
export type VoteVerdict = 'counted' | 'late' | 'foreign'

/**
 * Whether a drift of `timestamp` (epoch seconds, at most `now`) is a vote. `ballot` is its cluster's, undefined when none is attached.
 * Deciding twice does no harm: a cluster has one vote, as of its latest drift.
 */
export function judgeVote(ballot: Ballot | undefined, timestamp: number, window: VoteWindow): VoteVerdict {
  if (ballot === undefined || timestamp < attachedBy(ballot, window)) return 'foreign'
  return isInWindow(timestamp, window) ? 'counted' : 'late'
}

/** Share of the attached clusters that voted within (now - windowS, now], 0..1; 0 when none is attached. */
export function votedFraction(ballots: Iterable<Ballot>, window: VoteWindow): number {
  let attached = 0
  let voted = 0
  for (const { votedAt } of ballots) {
    attached += 1
    if (votedAt !== null && isInWindow(votedAt, window)) voted += 1
  }
  return attached === 0 ? 0 : voted / attached
}

/** Whether a share of votes is a consensus: it exceeds the threshold, so that at a threshold of 1 none ever is. */
export function isConsensus(fraction: number, threshold: number): boolean {
  return fraction > threshold
}

/**
 * The cluster may have drifted at a node whose clock is behind, or be attached since before the clock was set back: nothing was attached
 * later than now.
 */
function attachedBy({ attachedAt }: Ballot, { now }: VoteWindow): number {
  return Math.min(attachedAt, now) - CLOCK_SKEW_S
}

/** A clock that was set back leaves votes in the future: they are as fresh as any. */
function isInWindow(timestamp: number, { now, windowS }: VoteWindow): boolean {
  return timestamp > now - windowS
}
