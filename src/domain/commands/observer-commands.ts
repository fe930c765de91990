/** Commands to a subject's observer, and its replies. */

/** Creates the observer, or returns the existing one unchanged. */
export interface CreateObserver {
  readonly type: 'observer.create'
  /** Above 0. */
  readonly sampleIntervalS: number
  readonly regionIds: readonly string[]
}
export interface SummarizeObserver {
  readonly type: 'observer.summary'
}
export interface TakeSample {
  readonly type: 'observer.sample'
}
interface ListAnomalies {
  readonly type: 'observer.anomalies'
  /** 1..1000 */
  readonly limit: number
}
export interface ClearAnomalies {
  readonly type: 'observer.clear'
}
export interface RegisterRegion {
  readonly type: 'observer.register'
  readonly regionId: string
}
export interface UnregisterRegion {
  readonly type: 'observer.unregister'
  readonly regionId: string
}
export interface DeleteObserver {
  readonly type: 'observer.delete'
  /** Set by the observer itself: goes on with a deletion that has begun. */
  readonly isBegun?: true
}

export type ObserverCommand =
  | CreateObserver
  | SummarizeObserver
  | TakeSample
  | ListAnomalies
  | ClearAnomalies
  | RegisterRegion
  | UnregisterRegion
  | DeleteObserver

/** Interface, Drift, regions, observer. */
export const ANOMALY_TYPES = ['cross_cluster_convergence', 'systemic_drift', 'cluster_divergence'] as const

export type AnomalyType = (typeof ANOMALY_TYPES)[number]

export interface Anomaly {
  readonly anomalyId: string
  /** Epoch seconds. */
  readonly timestamp: number
  readonly anomalyType: AnomalyType
  readonly affectedClusterIds: readonly string[]
  readonly description: string
  /** 0..1 */
  readonly severity: number
}

export interface ObserverInfo {
  readonly observerId: string
  readonly registeredRegions: readonly string[]
  readonly sampleIntervalS: number
  readonly metaSessionId: string
}

export interface ObserverReplies {
  'observer.create': ObserverInfo
  'observer.summary': {
    readonly observerId: string
    readonly registeredRegions: readonly string[]
    readonly totalClustersObserved: number
    /** Epoch seconds; null before the first. */
    readonly lastSampleAt: number | null
    readonly anomalyCount: number
    /** Newest first. */
    readonly recentAnomalies: readonly Anomaly[]
  }
  'observer.sample': {
    /** Epoch seconds. */
    readonly sampledAt: number
    readonly clustersSampled: number
    readonly regionsSampled: number
    readonly sampleDurationMs: number
    readonly newAnomalies: number
  }
  'observer.anomalies': { readonly anomalies: readonly Anomaly[] }
  'observer.clear': { readonly cleared: number }
  'observer.register': { readonly observerId: string; readonly registeredRegions: readonly string[] }
  'observer.unregister': { readonly observerId: string }
  /** `deleted` is false when an earlier deletion deletes it. */
  'observer.delete': { readonly observerId: string; readonly deleted: boolean }
}
