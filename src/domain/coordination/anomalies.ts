/** Detects anomalies among clusters for the observer. Interface, Drift, regions, observer: anomaly definitions. */
import type { AnomalyType } from '../commands/observer-commands.js'
import type { DriftPhase, UnderstandingPhase } from '../session.js'

export interface ObservedCluster {
  readonly clusterId: string
  readonly phase: UnderstandingPhase
  readonly driftPhase: DriftPhase
  readonly interactionCount: number
}

export interface ObservedRegion {
  readonly regionId: string
  /** Clusters attached to it, without duplicates. A cluster may be attached to several regions. */
  readonly clusters: readonly ObservedCluster[]
}

/** An anomaly that exists at the moment of a sample. */
export interface Condition {
  /** Identifies the condition: the same in every sample in which it holds. */
  readonly key: string
  readonly anomalyType: AnomalyType
  /** At most AFFECTED_LISTED_MAX. */
  readonly affectedClusterIds: readonly string[]
  readonly description: string
  /** 0..1 */
  readonly severity: number
}

/** Examines regions one by one, so that callers can let other work run in between. */
interface Survey {
  add(region: ObservedRegion): void
  /** Conditions that hold among all regions added; in a stable order, at most CONDITIONS_MAX. */
  conditions(): Condition[]
}

/** Minimum number of clusters, and of regions, in the same phase. */
const CONVERGED_CLUSTERS_MIN = 3
const CONVERGED_REGIONS_MIN = 2

/** Share of the clusters that must drift; has to be exceeded. */
const DRIFTING_SHARE = 0.5

/** Factor over the region's average; has to be exceeded. */
const DIVERGENCE_FACTOR = 3

/** Clusters that one condition lists. Keeps a log of a thousand entries within some 40 MB; the description has the total. */
const AFFECTED_LISTED_MAX = 1_000

/**
 * Maximum number of conditions; beyond, the same ones are left out every time. Less than a third of a region's clusters can diverge, so
 * reaching it takes fifteen regions of the largest size that all do. Recording that many is a step of a few milliseconds.
 */
export const CONDITIONS_MAX = 5_000

interface Converging {
  readonly clusterIds: Set<string>
  readonly regionIds: Set<string>
}

export function createSurvey(): Survey {
  const seen = new Set<string>()
  const drifting = new Set<string>()
  const phases = new Map<UnderstandingPhase, Converging>()
  const divergences: Condition[] = []

  const noteCluster = (regionId: string, { clusterId, phase, driftPhase }: ObservedCluster) => {
    seen.add(clusterId)
    if (driftPhase !== 'stable') drifting.add(clusterId)
    if (phase === 'initialization') return
    const known = phases.get(phase) ?? { clusterIds: new Set(), regionIds: new Set() }
    known.clusterIds.add(clusterId)
    known.regionIds.add(regionId)
    phases.set(phase, known)
  }
  return {
    add({ regionId, clusters }) {
      let interactions = 0
      for (const cluster of clusters) {
        noteCluster(regionId, cluster)
        interactions += cluster.interactionCount
      }
      const average = interactions / clusters.length
      for (const cluster of clusters) {
        if (divergences.length === CONDITIONS_MAX) return
        if (cluster.interactionCount > DIVERGENCE_FACTOR * average) divergences.push(divergence(regionId, cluster, average))
      }
    },
    conditions() {
      const converged = [...phases]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([phase, converging]) => convergence(phase, converging, seen.size))
      return [...converged, ...systemicDrift(drifting, seen.size), ...divergences].slice(0, CONDITIONS_MAX)
    }
  }
}

/** Severity: the share of the observed clusters that are in the phase. */
function convergence(phase: UnderstandingPhase, { clusterIds, regionIds }: Converging, observed: number): Condition[] {
  const clusters = clusterIds.size
  if (clusters < CONVERGED_CLUSTERS_MIN || regionIds.size < CONVERGED_REGIONS_MIN) return []
  return [
    {
      key: `cross_cluster_convergence:${phase}`,
      anomalyType: 'cross_cluster_convergence',
      affectedClusterIds: listed(clusterIds),
      description: `${clusters} clusters in ${regionIds.size} regions are in the phase ${phase}`,
      severity: clusters / observed
    }
  ]
}

/** Severity: the share of the observed clusters that drift, so above 1/2. */
function systemicDrift(drifting: ReadonlySet<string>, observed: number): Condition[] {
  if (drifting.size <= DRIFTING_SHARE * observed) return []
  return [
    {
      key: 'systemic_drift',
      anomalyType: 'systemic_drift',
      affectedClusterIds: listed(drifting),
      description: `${drifting.size} of ${observed} observed clusters drift`,
      severity: drifting.size / observed
    }
  ]
}

/** Severity: the share of the cluster's interactions above its region's average, so above 2/3. */
function divergence(regionId: string, { clusterId, interactionCount }: ObservedCluster, average: number): Condition {
  return {
    // Ids contain no colon.
    key: `cluster_divergence:${regionId}:${clusterId}`,
    anomalyType: 'cluster_divergence',
    affectedClusterIds: [clusterId],
    description: `Cluster ${clusterId} has ${interactionCount} interactions, and the clusters of its region ${regionId} have ${average.toFixed(1)} on average`,
    severity: 1 - average / interactionCount
  }
}

function listed(clusterIds: ReadonlySet<string>): string[] {
  return [...clusterIds].slice(0, AFFECTED_LISTED_MAX)
}

/** Differences of a sample to the conditions known to hold: the new ones, and the keys of those that no longer hold. */
export function compareConditions(
  known: ReadonlySet<string>,
  conditions: readonly Condition[]
): { raised: Condition[]; cleared: string[] } {
  const keys = new Set(conditions.map(({ key }) => key))
  return {
    raised: conditions.filter(({ key }) => !known.has(key)),
    cleared: [...known].filter((key) => !keys.has(key))
  }
}
