/** One command, one step. */
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import type { EraseUser } from '../../src/domain/commands/erasure.js'
import type {
  AttachCluster,
  CreateRegion,
  DetachCluster,
  DropCluster,
  ReadRegion,
  Vote
} from '../../src/domain/commands/region-commands.js'
import { judgeVote } from '../../src/domain/coordination/votes.js'
import { DomainError } from '../../src/domain/errors.js'
import { LOG_ENTRIES_DEFAULT } from '../../src/domain/limits.js'
import { setHead, type Steps, takeSeq } from '../behaviour/kind.js'
import { traceActor } from '../behaviour/trace.js'
import { refuseWhenRegionFull } from './sagas.js'
import { dropCluster, realign, weighVotes, withdrawConsensus } from './realign.js'
import { type AttachedCluster, CLUSTER, DRIFT_EVENT } from './state.js'
import type { RegionKind, Work } from './work.js'

export const STEPS: Steps<RegionKind> = {
  'region.create': created,
  'region.read': readRegion,
  'region.delete': () => ({ deleted: true }),
  'region.attach': attachCluster,
  'region.detach': detachCluster,
  'region.dropCluster': forgetCluster,
  'region.vote': vote,
  'region.realign': realign,
  'region.events': ({ state }, { limit }) => ({ events: state.log.newest(limit) }),
  'region.sample': ({ state }) => ({ clusters: [...state.clusters.keys()], realignmentCount: state.head.realignmentCount }),
  'user.erase': eraseUser
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

/** Attaching again changes nothing: the cluster's votes go on counting from when it was attached first. */
function attachCluster(work: Work, { clusterId }: AttachCluster): ReplyOf<AttachCluster> {
  const { state, meta } = work
  refuseWhenRegionFull(state, clusterId)
  if (!state.clusters.has(clusterId)) {
    putCluster(work, { clusterId, seq: takeSeq(work), attachedAt: meta.now, votedAt: null })
    setHead(work, { clusterCount: state.clusters.size })
    weighVotes(work, { isByVote: false })
  }
  return { clusterCount: state.clusters.size }
}

function detachCluster(work: Work, { clusterId }: DetachCluster): ReplyOf<DetachCluster> {
  if (!dropCluster(work, clusterId)) throw new DomainError('cluster_missing', 'Cluster not found in this region')
  weighVotes(work, { isByVote: false })
  return { removed: true }
}

function forgetCluster(work: Work, { clusterId }: DropCluster): ReplyOf<DropCluster> {
  const removed = dropCluster(work, clusterId)
  if (removed) weighVotes(work, { isByVote: false })
  return { removed }
}

/**
 * Counts a drift event of an attached cluster once. What comes too late to count is listed; what is told again, or comes from elsewhere,
 * leaves no trace. The consensus of before is looked at first: it may have ended by time alone.
 */
function vote(work: Work, command: Vote): ReplyOf<Vote> {
  const { state, meta, services } = work
  const { type: _, timestamp: told, ...drift } = command
  // Nodes' clocks differ: nothing has drifted later than now.
  const timestamp = Math.min(told, meta.now)
  const cluster = state.clusters.get(command.clusterId)
  // As it was told: by a clock that was set back since, it would come before the cluster was attached.
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
 * A region holds nothing of a data subject but, for the moment of a realignment, a vector that its memories may be folded into:
 * such a realignment begins again.
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
