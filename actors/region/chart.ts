/** Keeps a region's chart and its head in step: the head stores the state that the chart is in. */
import type { RealignmentEvent, RealignmentTask } from '../../machines/realignment-machine.js'
import type { Ballot } from '../../src/domain/coordination/votes.js'
import type { StateChart } from '../behaviour/state-chart.js'

/** State of a region's chart, as it is stored. */
export type Progress = {
  readonly votes: 'quiet' | 'gathering' | 'realigning' | 'coolingDown'
  readonly work: 'idle' | 'asking' | 'pulling' | 'outdated'
}

/** Stored state of earlier versions, in which votes were only divided or agreed. */
export interface FormerProgress {
  readonly votes: 'divided' | 'agreed'
  readonly work: 'idle' | 'gathering' | 'pulling' | 'outdated'
}

export type RegionChart = StateChart<Progress, RealignmentEvent, RealignmentTask>

/** State of a region without any vote. */
export const NO_PROGRESS: Progress = { votes: 'quiet', work: 'idle' }

/**
 * Reads the state from a head, also of versions in which votes had only two states. Votes that have expired since count until votes are
 * weighed next.
 */
export function readProgress(stored: Progress | FormerProgress, ballots: readonly Ballot[]): Progress {
  if (stored.votes !== 'divided' && stored.votes !== 'agreed') return stored as Progress
  const work = stored.work === 'gathering' ? 'asking' : stored.work
  if (stored.votes === 'agreed') return { votes: work === 'idle' ? 'coolingDown' : 'realigning', work }
  return { votes: ballots.some(({ votedAt }) => votedAt !== null) ? 'gathering' : 'quiet', work }
}
