/** A region's chart and its head: what the one is at, the other keeps. */
import { type RealignmentEvent, realignmentMachine, type RealignmentTask } from '../../machines/realignment-machine.js'
import type { Ballot } from '../../src/domain/coordination/votes.js'
import { createStateChart, type StateChart } from '../behaviour/state-chart.js'

/** Where a region is, as it is stored. */
export type Progress = {
  readonly votes: 'quiet' | 'gathering' | 'realigning' | 'coolingDown'
  readonly work: 'idle' | 'asking' | 'pulling' | 'outdated'
}

/** As it was stored when votes were divided or agreed, and nothing between. */
export interface FormerProgress {
  readonly votes: 'divided' | 'agreed'
  readonly work: 'idle' | 'gathering' | 'pulling' | 'outdated'
}

export type RegionChart = StateChart<Progress, RealignmentEvent, RealignmentTask>

/** Of a region without any vote. */
export const NO_PROGRESS: Progress = { votes: 'quiet', work: 'idle' }

export function createRegionChart(progress: Progress): RegionChart {
  return createStateChart(realignmentMachine, progress)
}

/**
 * What a head tells, also one that was written before votes had more than two states. Votes that are over by now are so when they are next
 * weighed.
 */
export function readProgress(stored: Progress | FormerProgress, ballots: readonly Ballot[]): Progress {
  if (stored.votes !== 'divided' && stored.votes !== 'agreed') return stored as Progress
  const work = stored.work === 'gathering' ? 'asking' : stored.work
  if (stored.votes === 'agreed') return { votes: work === 'idle' ? 'coolingDown' : 'realigning', work }
  return { votes: ballots.some(({ votedAt }) => votedAt !== null) ? 'gathering' : 'quiet', work }
}
