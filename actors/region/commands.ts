/** Commands of a region: what each asks of its clusters, which it may change first, what it adds to the record, and its step. */
import { isDeleter } from '../coordination/ending.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import type { EraseUser } from '../../src/domain/commands/erasure.js'
import type {
  AttachCluster,
  CheckCluster,
  CreateRegion,
  DetachCluster,
  DropCluster,
  ReadRegion,
  Vote
} from '../../src/domain/commands/region-commands.js'
import { judgeVote } from '../../src/domain/coordination/votes.js'
import { DomainError } from '../../src/domain/errors.js'
import { plus, WEIGHTLESS, weightOf } from '../../src/domain/fairness/weight.js'
import { LOG_ENTRIES_DEFAULT } from '../../src/domain/limits.js'
import { forgetJoins, type Join, noteJoined, refuseWhileJoining } from '../coordination/joins.js'
import { type Commands, setHead, takeSeq } from '../coordination/kind.js'
import { traceActor } from '../behaviour/trace.js'
import { refuseWhenOutboxFull } from '../messaging/outbox.js'
import { rowWeight } from '../weight/ledger.js'
import { join, leaveAll, refuseWhenRegionFull } from './sagas.js'
import { dropCluster, prepareRealignment, realign, weighVotes, withdrawConsensus } from './realign.js'
import { type AttachedCluster, CLUSTER, DRIFT_EVENT } from './state.js'
import type { RegionKind, Work } from './work.js'

export const COMMANDS: Commands<RegionKind> = {
  'region.create': { step: created },
  'region.read': { step: readRegion },
  'region.delete': { prepare: leaveAll, step: ({ state }, command) => ({ deleted: isDeleter(state, command) }) },
  'region.attach': {
    prepare: join,
    growth: ({ clusters }, { clusterId }) =>
      clusters.has(clusterId) ? WEIGHTLESS : rowWeight({ clusterId, seq: 1, attachedAt: 0.5, votedAt: 0.5 }),
    step: attachCluster
  },
  'region.detach': { step: detachCluster },
  'region.dropCluster': { step: forgetCluster },
  'region.checkCluster': { step: checkCluster },
  'region.vote': {
    growth: ({ log }, vote) =>
      log.has(vote.eventId) ? WEIGHTLESS : { ...plus(rowWeight({ ...vote, seq: 1 }), weightOf(vote.eventId)), bypassesRecordLimit: true },
    step: vote
  },
  'region.realign': {
    prepare: prepareRealignment,
    growth: (_state, _command, half) =>
      half?.type === 'gathered' && half.consensus !== null ? { ...rowWeight(half.consensus), bypassesRecordLimit: true } : WEIGHTLESS,
    step: realign
  },
  'region.events': { step: ({ state }, { limit }) => ({ events: state.log.newest(limit) }) },
  'region.sample': {
    step: ({ state }) => ({ clusters: [...state.clusters.keys()], realignmentCount: state.head.realignmentCount })
  },
  'user.erase': { step: eraseUser }
}

function created({ state, meta }: Work, _: CreateRegion): ReplyOf<CreateRegion> {
  if (!meta.isFresh) throw new DomainError('already_exists', 'Region already exists')
  return state.head.info
}

function readRegion({ state }: Work, _: ReadRegion): ReplyOf<ReadRegion> {
  const { info, lastRealignment, realignmentCount } = state.head
  return {
    ...info,
    clusters: [...state.clusters.keys()],
    recentDriftEvents: state.log.newest(LOG_ENTRIES_DEFAULT),
    lastRealignment,
    realignmentCount
  }
}

/** Attaches a cluster. Idempotent: the cluster's votes count from its first attachment. */
function attachCluster(work: Work, { clusterId }: AttachCluster, join: Join): ReplyOf<AttachCluster> {
  const { state, meta } = work
  refuseWhenRegionFull(state, clusterId)
  const isThere = state.clusters.has(clusterId)
  noteJoined(state.joins, join, isThere)
  if (!isThere) {
    putCluster(work, { clusterId, seq: takeSeq(work), attachedAt: meta.now, votedAt: null })
    setHead(work, { clusterCount: state.clusters.size })
    weighVotes(work, { isByVote: false })
  }
  return { clusterCount: state.clusters.size }
}

/** Detaches a cluster. It is told by an outbox message, and asks then: it may be attached again meanwhile. */
function detachCluster(work: Work, { clusterId }: DetachCluster): ReplyOf<DetachCluster> {
  const { state, meta, messages } = work
  if (!state.clusters.has(clusterId)) throw new DomainError('cluster_missing', 'Cluster not found in this region')
  refuseWhenOutboxFull(meta)
  dropCluster(work, clusterId)
  weighVotes(work, { isByVote: false })
  const command = { type: 'cluster.leaveRegion', regionId: meta.address.id } as const
  messages.push({ id: `${meta.requestId}:leave`, to: { ...meta.address, kind: 'cluster', id: clusterId }, command, isAwaited: true })
  return { removed: true }
}

function checkCluster({ state: { clusters, joins } }: Work, { clusterId }: CheckCluster): ReplyOf<CheckCluster> {
  const isAttached = clusters.has(clusterId)
  if (!isAttached) refuseWhileJoining(joins, clusterId)
  return { isAttached }
}

/** Drops a cluster that is being deleted, also one that is being attached. */
function forgetCluster(work: Work, { clusterId }: DropCluster): ReplyOf<DropCluster> {
  forgetJoins(work.state.joins, clusterId)
  const removed = dropCluster(work, clusterId)
  if (removed) weighVotes(work, { isByVote: false })
  return { removed }
}

/**
 * Counts a drift event of an attached cluster, once. An event that is too late to count is listed only; a repeated one, or one of another
 * cluster, is ignored. Earlier votes are weighed first, as they may have expired.
 */
function vote(work: Work, command: Vote): ReplyOf<Vote> {
  const { state, meta, services } = work
  const { type: _, timestamp: told, ...drift } = command
  // Clocks of nodes differ: no event is later than now.
  const timestamp = Math.min(told, meta.now)
  const cluster = state.clusters.get(command.clusterId)
  // Judged by the time as told: if this node's clock was set back, the capped time could lie before the cluster's attachment.
  const verdict = judgeVote(cluster, told, { now: meta.now, windowS: state.head.info.voteWindowS })
  if (cluster === undefined || verdict === 'foreign' || state.log.has(command.eventId)) return { isCounted: false }
  const event = { ...drift, timestamp, seq: takeSeq(work) }
  const dropped = state.log.add(event)
  if (dropped !== event) work.put.push({ collection: DRIFT_EVENT, id: event.eventId, body: event })
  if (dropped !== null && dropped !== event) work.remove.push({ collection: DRIFT_EVENT, id: dropped.eventId })
  const isCounted = verdict === 'counted'
  if (isCounted) {
    weighVotes(work, { isByVote: false })
    putCluster(work, { ...cluster, votedAt: Math.max(cluster.votedAt ?? timestamp, timestamp) })
    weighVotes(work, { isByVote: true })
  }
  traceActor(services.tracer, 'region.voted', meta.address, { clusterId: command.clusterId, driftScore: command.driftScore, isCounted })
  return { isCounted }
}

/**
 * Erases a data subject. A region holds nothing of it except, during a realignment, a vector that may contain its memories: such a
 * realignment starts again.
 */
function eraseUser(work: Work, { userId }: EraseUser): ReplyOf<EraseUser> {
  const { consensus, head } = work.state
  const users = consensus?.target.users
  const isHeld = consensus !== null && (users == null || users.includes(userId))
  const isAffected = isHeld || head.progress.work === 'asking'
  if (isAffected) withdrawConsensus(work)
  return { erasedMemories: 0, isAffected }
}

function putCluster(work: Work, cluster: AttachedCluster): void {
  work.state.clusters.set(cluster.clusterId, cluster)
  work.put.push({ collection: CLUSTER, id: cluster.clusterId, body: cluster })
}
