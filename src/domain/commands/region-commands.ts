/** Commands to a region, and its replies. */
import type { DriftPhase } from '../session.js'
import type { EraseUser } from './erasure.js'
import type { CreateSession } from './session-commands.js'

export interface CreateRegion {
  readonly type: 'region.create'
  readonly name?: string
  /** Above 0, at most 1. */
  readonly consensusThreshold: number
  /** Above 0. */
  readonly voteWindowS: number
  /** Settings of the meta-session. */
  readonly settings: Omit<CreateSession, 'type' | 'backing'>
}
export interface ReadRegion {
  readonly type: 'region.read'
}
interface DeleteRegion {
  readonly type: 'region.delete'
  /** Set by the region itself: goes on with a deletion that has begun. */
  readonly isBegun?: true
}
export interface AttachCluster {
  readonly type: 'region.attach'
  readonly clusterId: string
}
export interface DetachCluster {
  readonly type: 'region.detach'
  readonly clusterId: string
}
/** An attached cluster is being deleted. A no-op for a cluster that is not attached. */
export interface DropCluster {
  readonly type: 'region.dropCluster'
  readonly clusterId: string
}
/** Asks whether the cluster is currently attached. Refused with `busy` while it is being attached. */
export interface CheckCluster {
  readonly type: 'region.checkCluster'
  readonly clusterId: string
}
/** A drift event of a cluster. Delivered at least once, counted once. */
export interface Vote {
  readonly type: 'region.vote'
  readonly eventId: string
  readonly clusterId: string
  readonly driftScore: number
  readonly driftPhase: DriftPhase
  /** Epoch seconds of the drift. */
  readonly timestamp: number
}
/**
 * Gathers the consensus of the attached clusters; sent again, it pulls the meta-session and the clusters towards that. The region sends it
 * to itself. Changes nothing if the realignment is over or superseded.
 */
export interface Realign {
  readonly type: 'region.realign'
  readonly realignmentId: string
}
interface ListDriftEvents {
  readonly type: 'region.events'
  /** 1..1000 */
  readonly limit: number
}
/** Sample for the observer. */
interface SampleRegion {
  readonly type: 'region.sample'
}

export type RegionCommand =
  | CreateRegion
  | ReadRegion
  | DeleteRegion
  | AttachCluster
  | DetachCluster
  | DropCluster
  | CheckCluster
  | Vote
  | Realign
  | ListDriftEvents
  | SampleRegion
  | EraseUser

export interface RegionInfo {
  readonly name: string | null
  readonly metaSessionId: string
  readonly consensusThreshold: number
  readonly voteWindowS: number
}

export interface DriftEvent {
  readonly eventId: string
  readonly clusterId: string
  readonly driftScore: number
  readonly driftPhase: DriftPhase
  /** Epoch seconds. */
  readonly timestamp: number
}

export interface RegionView extends RegionInfo {
  /** Ids in the order of attachment. */
  readonly clusters: readonly string[]
  /** Newest first. */
  readonly recentDriftEvents: readonly DriftEvent[]
  /** Epoch seconds; null before the first. */
  readonly lastRealignment: number | null
  readonly realignmentCount: number
}

export interface RegionReplies {
  'region.create': RegionInfo
  'region.read': RegionView
  /** `deleted` is false when an earlier deletion deletes it. */
  'region.delete': { readonly deleted: boolean }
  'region.attach': { readonly clusterCount: number }
  'region.detach': { readonly removed: true }
  'region.dropCluster': { readonly removed: boolean }
  'region.checkCluster': { readonly isAttached: boolean }
  'region.vote': { readonly isCounted: boolean }
  'region.realign': { readonly isApplied: boolean }
  'region.events': { readonly events: readonly DriftEvent[] }
  'region.sample': { readonly clusters: readonly string[]; readonly realignmentCount: number }
}

/** One row of a subject's list of regions. */
export interface RegionSummary extends RegionInfo {
  readonly regionId: string
  readonly clusterCount: number
}
