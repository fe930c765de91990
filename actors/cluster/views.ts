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

export function readCluster(work: Work, _: ReadCluster, gathered: Gathered): ReplyOf<ReadCluster> {
  const { state } = work
  const { own, aggregate } = gathered
  noteLook(work, gathered)
  const { phase, driftPhase, driftScore, interactionCount, totalMemories } = own
  const members = [...state.members.values()].map(({ sessionId, weight }) => ({ sessionId, weight }))
  const aggregateVector = aggregate?.vector ?? null
  return { ...infoOf(state.head), members, phase, driftPhase, driftScore, interactionCount, totalMemories, aggregateVector }
}

export function sampleCluster(work: Work, _: SampleCluster, looked: Gathered | Pick<Gathered, 'own'>): ReplyOf<SampleCluster> {
  const { dimension, modelName, couplingFactor } = work.state.head
  const { phase, driftPhase, driftScore, interactionCount } = looked.own
  const gathered = 'aggregate' in looked ? looked : null
  if (gathered !== null) noteLook(work, gathered)
  return { aggregate: gathered?.aggregate ?? null, dimension, modelName, couplingFactor, phase, driftPhase, driftScore, interactionCount }
}

export function pulledCluster({ state, services, meta }: Work, _: PullCluster, isPulled: boolean): ReplyOf<PullCluster> {
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

function noteLook(work: Work, { missing, present }: Gathered): void {
  const { services, meta, state } = work
  prune(work, missing)
  traceActor(services.tracer, 'fold.aggregate', meta.address, { members: present.length, mode: state.head.aggregationMode })
}
