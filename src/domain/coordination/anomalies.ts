/** What an observer finds noteworthy among clusters. Interface, Drift, regions, observer: anomaly definitions. */
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
  /** Those attached to it, each once. A cluster may be attached to several regions. */
  readonly clusters: readonly ObservedCluster[]
}

/** Something that is so at the moment of a sample. */
export interface Condition {
  /** The same in every sample while it is so, and of no other condition. */
  readonly key: string
  readonly anomalyType: AnomalyType
  /** At most AFFECTED_LISTED_MAX. */
  readonly affectedClusterIds: readonly string[]
  readonly description: string
  /** 0..1 */
  readonly severity: number
}

/** Looks at regions one by one, so that a caller can let other work in between. */
export interface Survey {
  add(region: ObservedRegion): void
  /** Distinct clusters seen. */
  readonly clusterCount: number
  /** What holds of all that were added; in a stable order, at most CONDITIONS_MAX. */
  conditions(): Condition[]
}

/** Clusters, and regions, that have to be in one phase. */
const CONVERGED_CLUSTERS_MIN = 3
const CONVERGED_REGIONS_MIN = 2

/** Share of the clusters that has to be exceeded by those that drift. */
const DRIFTING_SHARE = 0.5

/** Times the region's average that has to be exceeded. */
const DIVERGENCE_FACTOR = 3

/** Clusters that one condition names: a log of a thousand entries stays within some 40 MB, and the description has the number of all. */
const AFFECTED_LISTED_MAX = 1_000

/**
 * Conditions known at once; what is found beyond is left out, in the same order every time. Less than a third of a region's clusters
 * can diverge, so that takes fifteen regions of the largest size that all do. Taking so many in is a step of a few milliseconds.
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
    get clusterCount() {
      return seen.size
    },
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

/** Severity: the share of the cluster's interactions that lies above the average of its region, so above 2/3. */
function divergence(regionId: string, { clusterId, interactionCount }: ObservedCluster, average: number): Condition {
  return {
    // Neither id contains a colon.
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

/** What a sample changes about the conditions that are known to hold: those that are new, and the keys of those that are over. */
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
