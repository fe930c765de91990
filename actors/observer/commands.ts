/** Commands of an observer: what each asks of other actors, what it adds to the record, and its step. */
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import type {
  Anomaly,
  ClearAnomalies,
  CreateObserver,
  DeleteObserver,
  RegisterRegion,
  SummarizeObserver,
  TakeSample,
  UnregisterRegion
} from '../../src/domain/commands/observer-commands.js'
import { compareConditions, type Condition } from '../../src/domain/coordination/anomalies.js'
import { DomainError } from '../../src/domain/errors.js'
import { fanOut } from '../asking/fan-out.js'
import { isDeleter } from '../coordination/ending.js'
import { plus, sumOf } from '../../src/domain/fairness/weight.js'
import { LOG_ENTRIES_DEFAULT, LOG_ENTRIES_MAX } from '../../src/domain/limits.js'
import { type Commands, setHead, takeSeq } from '../coordination/kind.js'
import { deleteMetaSession, metaAddress } from '../coordination/meta-session.js'
import { traceActor } from '../behaviour/trace.js'
import { presentIn, RECORDING, sightingsOf } from './chart.js'
import { rowWeight } from '../weight/ledger.js'
import type { Growth } from '../weight/room.js'
import { type Census, findRegion, type Sample, takeCensus } from './sample.js'
import { ANOMALY, CONDITION, infoOf, type LoggedAnomaly, type ObserverState, REGION } from './state.js'
import type { ObserverKind, ObserverServices, Work } from './work.js'

/** Upper bound on registered regions: as many as a subject can have. Only deleted ones can exceed it, and the next sample drops them. */
const REGISTERED_REGIONS_MAX = 1_000

export const COMMANDS: Commands<ObserverKind> = {
  'observer.create': {
    async prepare(asking, state, { regionIds }) {
      // Only new regions are checked: a registered one may have been deleted since, and is dropped by the next sample.
      const added = regionIds.filter((id) => !state.regionIds.has(id))
      await fanOut(added, asking.clock, (regionId) => findRegion(asking, regionId))
    },
    growth: (state, { regionIds }) => registered(state, regionIds),
    step: createdObserver
  },
  'observer.summary': { prepare: (asking, { regionIds }) => takeCensus(asking, [...regionIds]), step: summary },
  'observer.sample': {
    prepare: (_, state) => state.takeSample(),
    growth(state, _, sample) {
      const raised = (sample?.conditions ?? []).filter(({ key }) => !state.conditions.has(key))
      return {
        ...sumOf(raised.map((condition) => plus(rowWeight(true), rowWeight({ ...condition, timestamp: 0.5, seq: 1 })))),
        bypassesRecordLimit: true
      }
    },
    step: takeIn
  },
  'observer.anomalies': { step: (work, { limit }) => ({ anomalies: newest(work, limit) }) },
  'observer.clear': { step: clear },
  'observer.register': {
    async prepare(asking, _, { regionId }) {
      await findRegion(asking, regionId)
    },
    growth: (state, { regionId }) => registered(state, [regionId]),
    step: register
  },
  'observer.unregister': { step: unregister },
  'observer.delete': {
    async prepare({ ask, address }, { head }) {
      await deleteMetaSession(ask, metaAddress({ subject: address.subject, id: head.observerId }))
    },
    step: deleted
  }
}

function registered(state: ObserverState, ids: readonly string[]): Growth {
  return sumOf([...new Set(ids)].filter((id) => !state.regionIds.has(id)).map((regionId) => rowWeight({ regionId, seq: 1 })))
}

/** Creates the observer, or registers the regions with the existing one, all or none. Interface, Global observer. */
function createdObserver(work: Work, { regionIds }: CreateObserver): ReplyOf<CreateObserver> {
  const { state } = work
  const all = new Set([...state.regionIds, ...regionIds])
  refuseAbove(all.size)
  for (const regionId of all) addRegion(work, regionId)
  if (work.meta.isFresh) schedule(work.services, state)
  return infoOf(state)
}

/** Summarises the observer, without deleted regions, which the next sample drops from the list. */
function summary(work: Work, _: SummarizeObserver, census: Census): ReplyOf<SummarizeObserver> {
  const { head, regionIds, anomalies } = work.state
  const gone = new Set(census.goneRegionIds)
  return {
    observerId: head.observerId,
    registeredRegions: [...regionIds].filter((id) => !gone.has(id)),
    totalClustersObserved: census.clusterCount,
    lastSampleAt: head.lastSampleAt,
    anomalyCount: anomalies.length,
    recentAnomalies: newest(work, LOG_ENTRIES_DEFAULT)
  }
}

/** Records conditions that are new since the last sample. Continuing ones are not recorded again; ended ones may be when they return. */
function takeIn(work: Work, _: TakeSample, sample: Sample): ReplyOf<TakeSample> {
  const { state, services, meta } = work
  if (state.outcome?.sample === sample) return state.outcome.reply
  for (const regionId of sample.goneRegionIds) dropRegion(work, regionId)
  const { raised, cleared } = compareConditions(state.conditions, sample.conditions)
  for (const key of cleared) {
    state.conditions.delete(key)
    work.remove.push({ collection: CONDITION, id: key })
  }
  const tasks = state.chart.tell({ type: 'sample.taken', sightings: sightingsOf(sample.conditions, raised) })
  record(
    work,
    raised.filter(({ anomalyType }) => tasks.includes(RECORDING[anomalyType]))
  )
  setHead(work, { lastSampleAt: meta.now, present: presentIn(state.chart) })
  schedule(services, state)
  const { clustersSampled, regionsSampled, durationMs } = sample
  traceActor(services.tracer, 'observer.sampled', meta.address, {
    clustersSampled,
    regionsSampled,
    durationMs,
    newAnomalies: raised.length
  })
  const reply = { sampledAt: meta.now, clustersSampled, regionsSampled, sampleDurationMs: durationMs, newAnomalies: raised.length }
  state.outcome = { sample, reply }
  return reply
}

/** Schedules the next sample. */
export function schedule({ timetable }: Pick<ObserverServices, 'timetable'>, { address, head }: ObserverState): void {
  timetable.note(address, head.lastSampleAt ?? head.createdAt, head.sampleIntervalS)
}

/** Records conditions as anomalies. The first of a sample counts as newest: a full log drops divergences of single clusters first. */
function record(work: Work, raised: readonly Condition[]): void {
  const { state, services, meta, put, remove } = work
  const added: LoggedAnomaly[] = []
  for (const { key, ...condition } of [...raised].reverse()) {
    state.conditions.add(key)
    put.push({ collection: CONDITION, id: key, body: true })
    const anomaly = { anomalyId: services.ids.uuid(), timestamp: meta.now, ...condition, seq: takeSeq(work) }
    added.push(anomaly)
    services.counters.count({ name: 'anomaly', type: anomaly.anomalyType })
    const { anomalyId, anomalyType, severity } = anomaly
    traceActor(services.tracer, 'observer.anomaly', meta.address, { anomalyId, anomalyType, severity })
  }
  const kept = added.reverse().slice(0, LOG_ENTRIES_MAX)
  const older = state.anomalies.slice(0, LOG_ENTRIES_MAX - kept.length)
  put.push(...kept.map((body) => ({ collection: ANOMALY, id: body.anomalyId, body })))
  remove.push(...state.anomalies.slice(older.length).map(({ anomalyId }) => ({ collection: ANOMALY, id: anomalyId })))
  state.anomalies = [...kept, ...older]
}

/** Empties the log. Present conditions stay known, and are not recorded again. */
function clear({ state, remove }: Work, _: ClearAnomalies): ReplyOf<ClearAnomalies> {
  const cleared = state.anomalies
  state.anomalies = []
  remove.push(...cleared.map(({ anomalyId }) => ({ collection: ANOMALY, id: anomalyId })))
  return { cleared: cleared.length }
}

function register(work: Work, { regionId }: RegisterRegion): ReplyOf<RegisterRegion> {
  const { state } = work
  addRegion(work, regionId)
  return { observerId: state.head.observerId, registeredRegions: [...state.regionIds] }
}

function unregister(work: Work, { regionId }: UnregisterRegion): ReplyOf<UnregisterRegion> {
  if (!dropRegion(work, regionId)) throw new DomainError('region_missing', 'Region not registered with the observer')
  return { observerId: work.state.head.observerId }
}

/** Takes no more samples. Its record goes with this step, as its meta-session has before. */
function deleted({ state, services }: Work, command: DeleteObserver): ReplyOf<DeleteObserver> {
  services.timetable.forget(state.address)
  return { observerId: state.head.observerId, deleted: isDeleter(state, command) }
}

/** Registers a region. Idempotent. Throws `limit_reached` if there is no room for it. */
export function addRegion(work: Pick<Work, 'state' | 'put'>, regionId: string): void {
  const { regionIds } = work.state
  if (regionIds.has(regionId)) return
  refuseAbove(regionIds.size + 1)
  regionIds.add(regionId)
  work.put.push({ collection: REGION, id: regionId, body: { regionId, seq: takeSeq(work) } })
}

function dropRegion({ state, remove }: Work, regionId: string): boolean {
  if (!state.regionIds.delete(regionId)) return false
  remove.push({ collection: REGION, id: regionId })
  return true
}

function newest({ state }: Work, limit: number): Anomaly[] {
  return state.anomalies.slice(0, limit).map(({ seq: _, ...anomaly }) => anomaly)
}

function refuseAbove(count: number): void {
  if (count > REGISTERED_REGIONS_MAX) throw new DomainError('limit_reached', `At most ${REGISTERED_REGIONS_MAX} regions can be registered`)
}
