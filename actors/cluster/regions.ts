/** Regions of a cluster, and the drifts that they are told. */
import type { CheckRegion, JoinRegion, LeaveRegion, NoteDrift } from '../../src/domain/commands/cluster-commands.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import { dropOldest } from '../../src/domain/collections/oldest.js'
import { DomainError } from '../../src/domain/errors.js'
import { takeSeq } from '../coordination/kind.js'
import { traceActor } from '../behaviour/trace.js'
import { refuseWhenOutboxFull } from '../messaging/outbox.js'
import { DRIFTS_REMEMBERED, REGIONS_MAX } from './bounds.js'
import { DRIFT, REGION } from './state.js'
import type { StrayRegion, Work } from './work.js'

/** Joins a region, which attaches the cluster after that. A message to itself has the cluster leave again if that does not come about. */
export function joinRegion({ state, meta, put, messages }: Work, { regionId }: JoinRegion): ReplyOf<JoinRegion> {
  const { regions } = state
  if (!regions.has(regionId)) {
    if (regions.size >= REGIONS_MAX) throw new DomainError('limit_reached', `A cluster belongs to at most ${String(REGIONS_MAX)} regions`)
    refuseWhenOutboxFull(meta)
    put.push({ collection: REGION, id: regionId, body: {} })
    const command = { type: 'cluster.checkRegion', regionId } as const
    messages.push({ id: `${meta.requestId}:check`, to: meta.address, command, isAwaited: false })
  }
  regions.set(regionId, {})
  return { joined: true }
}

/** Leaves a region that has not attached the cluster. Throws `busy` if the cluster has joined it since it was asked. */
export function leaveRegion(
  { state: { regions }, remove }: Work,
  { regionId }: LeaveRegion | CheckRegion,
  strayRegion: StrayRegion
): ReplyOf<LeaveRegion> {
  const joined = regions.get(regionId)
  if (strayRegion === null || joined === undefined) return { left: true }
  if (joined !== strayRegion) throw new DomainError('busy', 'The cluster is being attached at the moment')
  regions.delete(regionId)
  remove.push({ collection: REGION, id: regionId })
  return { left: true }
}

/** Passes a drift of the backing session to each region as a vote, once. */
export function noteDrift(work: Work, { eventId, driftScore, driftPhase, timestamp }: NoteDrift): ReplyOf<NoteDrift> {
  const { state, services, meta, messages } = work
  if (state.drifts.has(eventId)) return { regions: 0 }
  refuseWhenOutboxFull(meta)
  const { subject, id: clusterId } = meta.address
  for (const id of state.regions.keys()) {
    const command = { type: 'region.vote', eventId, clusterId, driftScore, driftPhase, timestamp } as const
    messages.push({ id: `${eventId}:${id}`, to: { kind: 'region', subject, id }, command, isAwaited: true })
  }
  remember(work, eventId)
  services.counters.count({ name: 'drift_event' })
  traceActor(services.tracer, 'drift.noted', meta.address, { driftScore, driftPhase, regions: state.regions.size })
  return { regions: state.regions.size }
}

function remember(work: Work, eventId: string): void {
  const { state, put, remove } = work
  const seq = takeSeq(work)
  state.drifts.set(eventId, seq)
  put.push({ collection: DRIFT, id: eventId, body: seq })
  const oldest = dropOldest(state.drifts, DRIFTS_REMEMBERED)
  if (oldest !== undefined) remove.push({ collection: DRIFT, id: oldest })
}
