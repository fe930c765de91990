/** One cluster in memory: its head and the rows beside it. What its members have in common is never kept, but made when it is asked for. */
import type { Address } from '../../src/domain/address.js'
import type { AggregationMode, ClusterInfo, ClusterSummary } from '../../src/domain/commands/cluster-commands.js'
import type { SessionStateView, SharedVector } from '../../src/domain/commands/coordination-commands.js'
import type { StoredRecord } from '../../src/ports.js'
import { createSharedWork } from '../asking/shared-work.js'
import { bodiesOf } from '../behaviour/kind.js'
import { type ClusterChart, createClusterChart, readSharing, type Sharing } from './chart.js'

/** Written with every commit, and all that a listing shows. Replaced, never mutated. */
export interface ClusterHead {
  readonly format: 1
  readonly name: string | null
  readonly aggregationMode: AggregationMode
  /** 0..1 */
  readonly couplingFactor: number
  /** Of the backing session, and so of every member. */
  readonly dimension: number
  readonly modelName: string
  readonly memberCount: number
  /** Of the next row that has an order. */
  readonly nextSeq: number
  readonly sharing: Sharing
}

export interface Member {
  readonly sessionId: string
  /** Above 0. */
  readonly weight: number
  /** Members are in the order in which they were added. */
  readonly seq: number
}

/** A feedback that was decided on and has not reached every member yet. */
export interface Feedback {
  readonly id: string
  readonly target: SharedVector
  readonly sessionIds: readonly string[]
}

/** What a look at the sessions of a cluster found. */
export interface Gathered {
  readonly own: SessionStateView
  /** Null before any input. */
  readonly aggregate: SharedVector | null
  /** Those that the aggregate may be given to, in no particular order. */
  readonly present: readonly Member[]
  /** Those whose session is not there any more. */
  readonly missing: readonly Member[]
}

/** How a cluster looks at them. */
export type Gathering = (state: ClusterState) => Promise<Gathered>

/** Names of the row collections of a cluster record. */
export const MEMBER = 'member'
export const REGION = 'region'
export const DRIFT = 'drift'
export const FEEDBACK = 'feedback'

export interface ClusterState {
  readonly address: Address
  head: ClusterHead
  /** By session id. */
  readonly members: Map<string, Member>
  /** Ids of the regions that it is attached to. */
  readonly regions: Set<string>
  /** The latest drifts that were told on, oldest first, by event id; each with its seq. */
  readonly drifts: Map<string, number>
  /** By id. */
  readonly feedbacks: Map<string, Feedback>
  /** Where the head's sharing says. */
  readonly chart: ClusterChart
  /** Looks at the members, never twice at a time: a hundred regions that realign would ask each of a thousand members a hundred times. */
  readonly gather: () => Promise<Gathered>
}

/** A cluster without members. */
export function createState(address: Address, head: ClusterHead, gathering: Gathering): ClusterState {
  const state: ClusterState = {
    address,
    head,
    members: new Map(),
    regions: new Set(),
    drifts: new Map(),
    feedbacks: new Map(),
    chart: createClusterChart(head.sharing),
    gather: createSharedWork(() => gathering(state))
  }
  return state
}

/** Rebuilds a cluster from its stored record. */
export function restoreState(address: Address, { head, rows }: StoredRecord, gathering: Gathering): ClusterState {
  const stored = head as Omit<ClusterHead, 'sharing'> & { readonly sharing?: Sharing }
  const feedbacks = bodiesOf<Feedback>(rows, FEEDBACK)
  const state = createState(address, { ...stored, sharing: readSharing(stored, feedbacks.length) }, gathering)
  const members = bodiesOf<Member>(rows, MEMBER).sort((a, b) => a.seq - b.seq)
  for (const member of members) state.members.set(member.sessionId, member)
  for (const { id } of rows.filter((row) => row.collection === REGION)) state.regions.add(id)
  const drifts = rows.filter((row) => row.collection === DRIFT).map(({ id, body }) => [id, body as number] as const)
  for (const [id, seq] of drifts.sort(([, a], [, b]) => a - b)) state.drifts.set(id, seq)
  for (const feedback of feedbacks) state.feedbacks.set(feedback.id, feedback)
  return state
}

/** What the cluster was made with. */
export function infoOf({ name, aggregationMode, couplingFactor }: ClusterHead): ClusterInfo {
  return { name, aggregationMode, couplingFactor }
}

/** A cluster's line in a list, from its stored head. */
export function readSummary(clusterId: string, head: unknown): ClusterSummary {
  const cluster = head as ClusterHead
  return { clusterId, ...infoOf(cluster), memberCount: cluster.memberCount }
}
