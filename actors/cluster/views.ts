/** Views of a cluster for its owner, its regions and the observer. */
import type { CreateCluster, PullCluster, ReadCluster, SampleCluster } from '../../src/domain/commands/cluster-commands.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import { DomainError } from '../../src/domain/errors.js'
import { traceActor } from '../behaviour/trace.js'
import { type Gathered, infoOf, type Member } from './state.js'
import { removeMember, type Work } from './work.js'

export function createdCluster({ state, meta }: Work, _: CreateCluster): ReplyOf<CreateCluster> {
  if (!meta.isFresh) throw new DomainError('already_exists', 'Cluster already exists')
  return infoOf(state.head)
}

export function readCluster(work: Work, _: ReadCluster): ReplyOf<ReadCluster> {
  const { state } = work
  const { own, aggregate } = looked(work)
  const { phase, driftPhase, driftScore, interactionCount, totalMemories } = own
  const members = [...state.members.values()].map(({ sessionId, weight }) => ({ sessionId, weight }))
  const aggregateVector = aggregate?.vector ?? null
  return { ...infoOf(state.head), members, phase, driftPhase, driftScore, interactionCount, totalMemories, aggregateVector }
}

export function sampleCluster(work: Work, { isBrief }: SampleCluster): ReplyOf<SampleCluster> {
  const { dimension, modelName, couplingFactor } = work.state.head
  const gathered = isBrief === true ? null : looked(work)
  const own = gathered?.own ?? work.prepared.own
  if (own === undefined) throw new Error('a cluster was not looked at before its step')
  const { phase, driftPhase, driftScore, interactionCount } = own
  return { aggregate: gathered?.aggregate ?? null, dimension, modelName, couplingFactor, phase, driftPhase, driftScore, interactionCount }
}

export function pulledCluster({ state, prepared, services, meta }: Work, _: PullCluster): ReplyOf<PullCluster> {
  const { isPulled = false } = prepared
  if (isPulled) traceActor(services.tracer, 'fold.region_to_cluster', meta.address, { coupling: state.head.couplingFactor })
  return { isApplied: isPulled }
}

/** Removes members without a session: storage that is not durable loses sessions without notice. */
export function prune(work: Work, missing: readonly Member[]): void {
  for (const member of missing) {
    // Not if it was added again meanwhile.
    if (work.state.members.get(member.sessionId) === member) removeMember(work, member.sessionId)
  }
}

function looked(work: Work): Gathered {
  const { prepared, services, meta } = work
  const { gathered } = prepared
  if (gathered === undefined) throw new Error('a cluster was not looked at before its step')
  prune(work, gathered.missing)
  traceActor(services.tracer, 'fold.aggregate', meta.address, { members: gathered.present.length, mode: work.state.head.aggregationMode })
  return gathered
}
