/** State of one region, in memory and as stored. */
import { realignmentMachine } from '../../machines/realignment-machine.js'
import type { Address } from '../../src/domain/address.js'
import type { SharedVector } from '../../src/domain/commands/coordination-commands.js'
import type { CreateRegion, RegionInfo, RegionSummary } from '../../src/domain/commands/region-commands.js'
import type { Ballot } from '../../src/domain/coordination/votes.js'
import { metaSessionIdOf } from '../../src/domain/meta-session.js'
import type { StoredRecord } from '../../src/ports.js'
import type { Joins } from '../coordination/joins.js'
import { StateChart } from '../behaviour/state-chart.js'
import { bodiesOf } from '../coordination/kind.js'
import { type FormerProgress, NO_PROGRESS, type Progress, readProgress, type RegionChart } from './chart.js'
import { createDriftLog, type DriftLog, type LoggedEvent } from './drift-log.js'

/** Written with every commit, so it stays small. Replaced, never mutated. */
export interface RegionHead {
  readonly format: 1
  readonly info: RegionInfo
  /** Number of clusters, for listings, which read only heads. */
  readonly clusterCount: number
  /** Sequence number of the next cluster or drift event, from 1. */
  readonly nextSeq: number
  readonly progress: Progress
  /** Id of the realignment under way; null if there is none. */
  readonly realignmentId: string | null
  readonly realignmentCount: number
  /** Epoch seconds; null before the first realignment. */
  readonly lastRealignment: number | null
}

/** Attached cluster with its vote. */
export interface AttachedCluster extends Ballot {
  readonly clusterId: string
  /** Order of attachment. */
  readonly seq: number
}

/** Target of the realignment under way. Stored, so that all clusters are pulled to the same vector, in spite of faults. */
export interface Consensus {
  readonly target: SharedVector
  readonly modelName: string
}

/** State of one region. */
export interface RegionState {
  readonly address: Address
  head: RegionHead
  /** Attached clusters by id, in order of attachment. */
  readonly clusters: Map<string, AttachedCluster>
  /** Clusters that are being attached. */
  readonly joins: Joins
  readonly log: DriftLog
  consensus: Consensus | null
  /** Chart, in the state of the head's `progress`. */
  readonly chart: RegionChart
}

/** Names of the row collections of a region record. */
export const CLUSTER = 'cluster'
export const DRIFT_EVENT = 'drift_event'
export const CONSENSUS = 'consensus'
/** Id of the only row of the consensus collection. */
export const CONSENSUS_ROW = 'target'

/** Creates the state of a region without clusters. */
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
  const chart: RegionChart = new StateChart(realignmentMachine, head.progress)
  return { address, head, clusters: new Map(), joins: new Set(), log: createDriftLog(), consensus: null, chart }
}

/** Rebuilds a region from its stored record, with rows in any order. */
export function restoreState(address: Address, { head, rows }: StoredRecord): RegionState {
  const clusters = bodiesOf<AttachedCluster>(rows, CLUSTER).sort((a, b) => a.seq - b.seq)
  const stored = head as Omit<RegionHead, 'progress'> & { readonly progress: Progress | FormerProgress }
  const progress = readProgress(stored.progress, clusters)
  return {
    address,
    head: { ...stored, progress },
    clusters: new Map(clusters.map((cluster) => [cluster.clusterId, cluster])),
    joins: new Set(),
    log: createDriftLog(bodiesOf<LoggedEvent>(rows, DRIFT_EVENT)),
    consensus: bodiesOf<Consensus>(rows, CONSENSUS)[0] ?? null,
    chart: new StateChart(realignmentMachine, progress)
  }
}

/** Reads the listed item of a region from its stored head. */
export function readSummary(regionId: string, head: unknown): RegionSummary {
  const { info, clusterCount } = head as RegionHead
  return { regionId, clusterCount, ...info }
}
