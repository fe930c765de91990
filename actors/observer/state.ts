/** State of one observer, in memory and as stored. */
import type { Address } from '../../src/domain/address.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import type { Anomaly, CreateObserver, ObserverInfo, TakeSample } from '../../src/domain/commands/observer-commands.js'
import { metaSessionIdOf } from '../../src/domain/meta-session.js'
import type { StoredRecord } from '../../src/ports.js'
import { createSharedWork } from '../asking/shared-work.js'
import { bodiesOf } from '../coordination/kind.js'
import { createObserverChart, NOTHING_PRESENT, type ObserverChart, type Present, presentOf } from './chart.js'
import type { Sample } from './sample.js'

/** Written with every commit, so it stays small. Replaced, never mutated. */
interface ObserverHead {
  readonly format: 1
  readonly observerId: string
  readonly sampleIntervalS: number
  /** Epoch seconds. */
  readonly createdAt: number
  /** Epoch seconds; null before the first sample. */
  readonly lastSampleAt: number | null
  /** Sequence number of the next region or anomaly, from 1. */
  readonly nextSeq: number
  /** Kinds of anomalies present in the last sample. */
  readonly present: Present
}

interface RegisteredRegion {
  readonly regionId: string
  /** Order of registration. */
  readonly seq: number
}

export interface LoggedAnomaly extends Anomaly {
  readonly seq: number
}

/** Names of the row collections of an observer record. */
export const REGION = 'region'
export const CONDITION = 'condition'
export const ANOMALY = 'anomaly'

export interface ObserverState {
  readonly address: Address
  head: ObserverHead
  /** Registered regions, in order of registration. */
  readonly regionIds: Set<string>
  /** Keys of the conditions that held in the last sample. Kept when the log is cleared, so that they are not recorded again. */
  readonly conditions: Set<string>
  /** Newest first, at most LOG_ENTRIES_MAX. */
  anomalies: readonly LoggedAnomaly[]
  /** Takes a sample, one at a time. */
  readonly takeSample: () => Promise<Sample>
  /** Chart: kinds of anomalies present, as in the head, and whether a sample is under way. */
  readonly chart: ObserverChart
  /** Last recorded sample with its reply, for other commands that wait for the same sample. Not stored. */
  outcome: { readonly sample: Sample; readonly reply: ReplyOf<TakeSample> } | null
}

/** Takes the samples of an observer. */
export type Sampling = (address: Address, regionIds: ReadonlySet<string>) => Promise<Sample>

/** Creates the state of an observer before its first sample. */
export function createState(address: Address, head: ObserverHead, sampling: Sampling): ObserverState {
  const regionIds = new Set<string>()
  const chart = createObserverChart(head.present)
  const takeSample = createSharedWork(async () => {
    // A rehydrated actor takes commands a moment before its chart runs.
    await Promise.resolve()
    chart.tell({ type: 'look.began' })
    return sampling(address, regionIds).finally(() => chart.tell({ type: 'look.ended' }))
  })
  return { address, head, regionIds, conditions: new Set(), anomalies: [], chart, takeSample, outcome: null }
}

export function initialHead(observerId: string, { sampleIntervalS }: CreateObserver, now: number): ObserverHead {
  return { format: 1, observerId, sampleIntervalS, createdAt: now, lastSampleAt: null, nextSeq: 1, present: NOTHING_PRESENT }
}

export function restoreState(address: Address, { head, rows }: StoredRecord, sampling: Sampling): ObserverState {
  const stored = head as Omit<ObserverHead, 'present'> & Partial<ObserverHead>
  const conditions = rows.filter(({ collection }) => collection === CONDITION).map(({ id }) => id)
  const state = createState(address, { ...stored, present: stored.present ?? presentOf(conditions) }, sampling)
  const regions = bodiesOf<RegisteredRegion>(rows, REGION).sort((a, b) => a.seq - b.seq)
  for (const { regionId } of regions) state.regionIds.add(regionId)
  for (const key of conditions) state.conditions.add(key)
  state.anomalies = bodiesOf<LoggedAnomaly>(rows, ANOMALY).sort((a, b) => b.seq - a.seq)
  return state
}

export function infoOf({ head, regionIds }: ObserverState): ObserverInfo {
  const { observerId, sampleIntervalS } = head
  return { observerId, registeredRegions: [...regionIds], sampleIntervalS, metaSessionId: metaSessionIdOf(observerId) }
}
