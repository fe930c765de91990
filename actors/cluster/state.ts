/** State of one cluster: its head and the rows beside it. The aggregate of its members is not stored, but computed on request. */
import { sharingMachine } from '../../machines/sharing-machine.js'
import type { Address } from '../../src/domain/address.js'
import type { AggregationMode, ClusterInfo, ClusterSummary } from '../../src/domain/commands/cluster-commands.js'
import type { SessionStateView, SharedVector } from '../../src/domain/commands/coordination-commands.js'
import type { StoredRecord } from '../../src/ports.js'
import { createSharedWork } from '../asking/shared-work.js'
import type { Joins } from '../coordination/joins.js'
import { StateChart } from '../behaviour/state-chart.js'
import { bodiesOf } from '../coordination/kind.js'
import { type ClusterChart, readSharing, type Sharing } from './chart.js'

/** Written with every commit; listings read nothing else. Replaced, never mutated. */
export interface ClusterHead {
  readonly format: 1
  readonly name: string | null
  readonly aggregationMode: AggregationMode
  /** 0..1 */
  readonly couplingFactor: number
  /** Dimension and model of the backing session, and so of every member. */
  readonly dimension: number
  readonly modelName: string
  readonly memberCount: number
  /** Sequence number of the next ordered row. */
  readonly nextSeq: number
  readonly sharing: Sharing
}

export interface Member {
  readonly sessionId: string
  /** Above 0. */
  readonly weight: number
  /** Order in which members were added. */
  readonly seq: number
}

/** Feedback that has not reached every member yet. */
export interface Feedback {
  readonly id: string
  readonly target: SharedVector
  readonly sessionIds: readonly string[]
}

/** States of a cluster's sessions, aggregated. */
export interface Gathered {
  readonly own: SessionStateView
  /** Null before any input. */
  readonly aggregate: SharedVector | null
  /** Members that may be given the aggregate, in no particular order. */
  readonly present: readonly Member[]
  /** Members whose session no longer exists. */
  readonly missing: readonly Member[]
}

/** Gathers the states of a cluster's sessions. */
export type Gathering = (state: ClusterState) => Promise<Gathered>

/** Names of the row collections of a cluster record. */
export const MEMBER = 'member'
export const REGION = 'region'
export const DRIFT = 'drift'
export const FEEDBACK = 'feedback'

export interface ClusterState {
  readonly address: Address
  head: ClusterHead
  /** Members by session id. */
  readonly members: Map<string, Member>
  /** Sessions that are being added. */
  readonly joins: Joins
  /** Regions that it has joined, by id. The value is another object each time that it joins. */
  readonly regions: Map<string, object>
  /** `seq` of the last drifts passed to the regions, by event id, oldest first. */
  readonly drifts: Map<string, number>
  /** Feedbacks by id. */
  readonly feedbacks: Map<string, Feedback>
  /** Chart, in the state of the head's `sharing`. */
  readonly chart: ClusterChart
  /** Gathers the members' states, one run at a time: a hundred realigning regions would else ask a thousand members a hundred times. */
  readonly gather: () => Promise<Gathered>
}

/** Creates the state of a cluster without members. */
export function createState(address: Address, head: ClusterHead, gathering: Gathering): ClusterState {
  const state: ClusterState = {
    address,
    head,
    members: new Map(),
    joins: new Set(),
    regions: new Map(),
    drifts: new Map(),
    feedbacks: new Map(),
    chart: new StateChart(sharingMachine, head.sharing),
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
  for (const { id } of rows.filter((row) => row.collection === REGION)) state.regions.set(id, {})
  const drifts = rows.filter((row) => row.collection === DRIFT).map(({ id, body }) => [id, body as number] as const)
  for (const [id, seq] of drifts.sort(([, a], [, b]) => a - b)) state.drifts.set(id, seq)
  for (const feedback of feedbacks) state.feedbacks.set(feedback.id, feedback)
  return state
}

/** Returns the parameters that the cluster was created with. */
export function infoOf({ name, aggregationMode, couplingFactor }: ClusterHead): ClusterInfo {
  return { name, aggregationMode, couplingFactor }
}

/** Reads the listed item of a cluster from its stored head. */
export function readSummary(clusterId: string, head: unknown): ClusterSummary {
  const cluster = head as ClusterHead
  return { clusterId, ...infoOf(cluster), memberCount: cluster.memberCount }
}
