/** Commands to a cluster, and its replies. */
import type { DriftPhase, UnderstandingPhase } from '../session.js'
import type { SharedVector } from './coordination-commands.js'
import type { EraseUser } from './erasure.js'
import type { CreateSession } from './session-commands.js'

export const AGGREGATION_MODES = ['weighted_average', 'attention'] as const
export type AggregationMode = (typeof AGGREGATION_MODES)[number]

export interface CreateCluster {
  readonly type: 'cluster.create'
  readonly name?: string
  readonly aggregationMode: AggregationMode
  /** 0..1 */
  readonly couplingFactor: number
  /** Settings of the backing session. */
  readonly settings: Omit<CreateSession, 'type' | 'backing'>
}
export interface ReadCluster {
  readonly type: 'cluster.read'
}
interface DeleteCluster {
  readonly type: 'cluster.delete'
  /** Set by the cluster itself: goes on with a deletion that has begun. */
  readonly isBegun?: true
}
export interface AddMember {
  readonly type: 'cluster.addMember'
  readonly sessionId: string
  /** Above 0. */
  readonly weight: number
}
export interface RemoveMember {
  readonly type: 'cluster.removeMember'
  readonly sessionId: string
}
/** A member session is being deleted. A no-op for a session that is not a member. */
export interface DropMember {
  readonly type: 'cluster.dropMember'
  readonly sessionId: string
}
/** Blends the aggregate into each member, once per call, by the coupling factor. */
export interface FeedBack {
  readonly type: 'cluster.feedback'
}
/** Delivers a decided feedback to the members. The cluster sends it to itself; a no-op when already done. */
export interface SpreadFeedback {
  readonly type: 'cluster.spread'
  readonly feedbackId: string
}
/** The backing session drifted. Delivered at least once; `eventId` identifies the drift. */
export interface NoteDrift {
  readonly type: 'cluster.noteDrift'
  readonly eventId: string
  readonly driftScore: number
  readonly driftPhase: DriftPhase
  /** Epoch seconds. */
  readonly timestamp: number
}
export interface JoinRegion {
  readonly type: 'cluster.joinRegion'
  readonly regionId: string
}
/** The region has dropped the cluster, or is being deleted. A no-op if the region has attached it again. */
export interface LeaveRegion {
  readonly type: 'cluster.leaveRegion'
  readonly regionId: string
}
/** Leaves the region unless that has attached the cluster. The cluster sends it to itself once it has joined. */
export interface CheckRegion {
  readonly type: 'cluster.checkRegion'
  readonly regionId: string
}
/** Realignment of a region: pulls the backing session's state to the consensus by the cluster's coupling factor. */
export interface PullCluster {
  readonly type: 'cluster.pull'
  readonly deliveryId: string
  readonly target: SharedVector
  readonly modelName: string
}
/** Sample for regions and the observer. */
export interface SampleCluster {
  readonly type: 'cluster.sample'
  /** True omits the aggregate, for which every member has to be asked. */
  readonly isBrief?: true
}
/** Asks whether the session is currently a member. Refused with `busy` while it is being added. */
export interface CheckMember {
  readonly type: 'cluster.checkMember'
  readonly sessionId: string
}

export type ClusterCommand =
  | CreateCluster
  | ReadCluster
  | DeleteCluster
  | AddMember
  | RemoveMember
  | DropMember
  | FeedBack
  | SpreadFeedback
  | NoteDrift
  | JoinRegion
  | LeaveRegion
  | CheckRegion
  | PullCluster
  | SampleCluster
  | CheckMember
  | EraseUser

export interface ClusterInfo {
  readonly name: string | null
  readonly aggregationMode: AggregationMode
  readonly couplingFactor: number
}

interface ClusterMember {
  readonly sessionId: string
  readonly weight: number
}

export interface ClusterSample {
  /** Aggregate of the members, else of the backing session; null before any input, and in a brief sample. */
  readonly aggregate: SharedVector | null
  readonly dimension: number
  readonly modelName: string
  readonly couplingFactor: number
  readonly phase: UnderstandingPhase
  readonly driftPhase: DriftPhase
  readonly driftScore: number
  readonly interactionCount: number
}

export interface ClusterView extends ClusterInfo {
  readonly members: readonly ClusterMember[]
  readonly phase: UnderstandingPhase
  readonly driftPhase: DriftPhase
  readonly driftScore: number
  readonly interactionCount: number
  readonly totalMemories: number
  readonly aggregateVector: Float32Array | null
}

export interface ClusterReplies {
  'cluster.create': ClusterInfo
  'cluster.read': ClusterView
  /** `deleted` is false when an earlier deletion deletes it. */
  'cluster.delete': { readonly deleted: boolean }
  'cluster.addMember': { readonly memberCount: number }
  'cluster.removeMember': { readonly removed: true }
  'cluster.dropMember': { readonly removed: boolean }
  'cluster.feedback': { readonly sessionsUpdated: number }
  'cluster.spread': { readonly spread: true }
  'cluster.noteDrift': { readonly regions: number }
  'cluster.joinRegion': { readonly joined: true }
  'cluster.leaveRegion': { readonly left: true }
  'cluster.checkRegion': { readonly left: true }
  'cluster.pull': { readonly isApplied: boolean }
  'cluster.sample': ClusterSample
  'cluster.checkMember': { readonly isMember: boolean }
}

/** One row of a subject's list of clusters. */
export interface ClusterSummary extends ClusterInfo {
  readonly clusterId: string
  readonly memberCount: number
}
