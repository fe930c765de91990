/** One region in memory, and as it is stored. */
import type { Address } from '../../src/domain/address.js'
import type { SharedVector } from '../../src/domain/commands/coordination-commands.js'
import type { CreateRegion, RegionInfo, RegionSummary } from '../../src/domain/commands/region-commands.js'
import type { Ballot } from '../../src/domain/coordination/votes.js'
import { metaSessionIdOf } from '../../src/domain/meta-session.js'
import type { StoredRecord } from '../../src/ports.js'
import { bodiesOf } from '../behaviour/kind.js'
import { createRegionChart, type FormerProgress, NO_PROGRESS, type Progress, readProgress, type RegionChart } from './chart.js'
import { createDriftLog, type DriftLog, type LoggedEvent } from './drift-log.js'

/** Written with every commit, so it stays small. Replaced, never mutated. */
export interface RegionHead {
  readonly format: 1
  readonly info: RegionInfo
  /** For listings, which read heads only. */
  readonly clusterCount: number
  /** Of the next cluster or drift event, from 1. */
  readonly nextSeq: number
  readonly progress: Progress
  /** The realignment under way; null while there is none. */
  readonly realignmentId: string | null
  readonly realignmentCount: number
  /** Epoch seconds; null before the first. */
  readonly lastRealignment: number | null
}

/** One cluster's place in the region, and its vote. */
export interface AttachedCluster extends Ballot {
  readonly clusterId: string
  /** Order of attachment. */
  readonly seq: number
}

/** What the realignment under way pulls to. Stored, so that everyone is pulled to the same vector whatever happens in between. */
export interface Consensus {
  readonly target: SharedVector
  readonly modelName: string
}

/** What one actor holds. */
export interface RegionState {
  readonly address: Address
  head: RegionHead
  /** By id, in the order they were attached. */
  readonly clusters: Map<string, AttachedCluster>
  readonly log: DriftLog
  consensus: Consensus | null
  /** Where the head's progress says. */
  readonly chart: RegionChart
}

/** Names of the row collections of a region record. */
export const CLUSTER = 'cluster'
export const DRIFT_EVENT = 'drift_event'
export const CONSENSUS = 'consensus'
/** Id of the one row of the consensus collection. */
export const CONSENSUS_ROW = 'target'

/** A region that nobody has joined. */
export function createState(address: Address, { name, consensusThreshold, voteWindowS }: CreateRegion): RegionState {
  const head: RegionHead = {
    format: 1,
    info: { name: name ?? null, metaSessionId: metaSessionIdOf(address.id), consensusThreshold, voteWindowS },
    clusterCount: 0,
    nextSeq: 1,
    progress: NO_PROGRESS,
    realignmentId: null,
    realignmentCount: 0,
    lastRealignment: null
  }
  return { address, head, clusters: new Map(), log: createDriftLog(), consensus: null, chart: createRegionChart(head.progress) }
}

/** From the rows in any order. */
export function restoreState(address: Address, { head, rows }: StoredRecord): RegionState {
  const clusters = bodiesOf<AttachedCluster>(rows, CLUSTER).sort((a, b) => a.seq - b.seq)
  const stored = head as Omit<RegionHead, 'progress'> & { readonly progress: Progress | FormerProgress }
  const progress = readProgress(stored.progress, clusters)
  return {
    address,
    head: { ...stored, progress },
    clusters: new Map(clusters.map((cluster) => [cluster.clusterId, cluster])),
    log: createDriftLog(bodiesOf<LoggedEvent>(rows, DRIFT_EVENT)),
    consensus: bodiesOf<Consensus>(rows, CONSENSUS)[0] ?? null,
    chart: createRegionChart(progress)
  }
}

/** A region's line in a list, from its stored head. */
export function readSummary(regionId: string, head: unknown): RegionSummary {
  const { info, clusterCount } = head as RegionHead
  return { regionId, clusterCount, ...info }
}
