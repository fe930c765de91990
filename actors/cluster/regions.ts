/** Regions of a cluster, and the drifts that they are told. */
import type { JoinRegion, LeaveRegion, NoteDrift } from '../../src/domain/commands/cluster-commands.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import { DomainError } from '../../src/domain/errors.js'
import { takeSeq } from '../behaviour/kind.js'
import { traceActor } from '../behaviour/trace.js'
import { refuseWhenOutboxFull } from '../messaging/outbox.js'
import { DRIFTS_REMEMBERED, REGIONS_MAX } from './bounds.js'
import { DRIFT, REGION } from './state.js'
import type { Work } from './work.js'

export function joinRegion({ state, put }: Work, { regionId }: JoinRegion): ReplyOf<JoinRegion> {
  const { regions } = state
  if (regions.has(regionId)) return { joined: true }
  if (regions.size >= REGIONS_MAX) throw new DomainError('limit_reached', `A cluster belongs to at most ${String(REGIONS_MAX)} regions`)
  regions.add(regionId)
  put.push({ collection: REGION, id: regionId, body: {} })
  return { joined: true }
}

export function leaveRegion({ state, remove }: Work, { regionId }: LeaveRegion): ReplyOf<LeaveRegion> {
  if (state.regions.delete(regionId)) remove.push({ collection: REGION, id: regionId })
  return { left: true }
}

/** Passes a drift of the backing session to each region as a vote, once. */
export function noteDrift(work: Work, { eventId, driftScore, driftPhase, timestamp }: NoteDrift): ReplyOf<NoteDrift> {
  const { state, services, meta, messages } = work
  if (state.drifts.has(eventId)) return { regions: 0 }
  refuseWhenOutboxFull(meta)
  const { subject, id: clusterId } = meta.address
  for (const id of state.regions) {
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
  const [oldest] = state.drifts.keys()
  if (state.drifts.size <= DRIFTS_REMEMBERED || oldest === undefined) return
  state.drifts.delete(oldest)
  remove.push({ collection: DRIFT, id: oldest })
}
