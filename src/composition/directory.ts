/** Answers about the service and its parts that need no session. */
import type { Ask } from '../../actors/asking/ask.js'
import { isEnding } from '../../actors/coordination/ending.js'
import { readSummary as readCluster } from '../../actors/cluster/state.js'
import type { Membership } from '../../actors/placement/membership.js'
import { readSummary as readRegion } from '../../actors/region/state.js'
import type { Catalog } from '../../actors/runtime/catalog.js'
import type { Lookups } from '../../actors/scheduling/lookups.js'
import { acquirePermit, createSemaphore } from '../../actors/scheduling/semaphore.js'
import { createDaySums } from '../../actors/subject/day-sums.js'
import type { LiveSessions } from '../../actors/subject/live-sessions.js'
import { createRecordList } from '../../actors/subject/record-list.js'
import { createSessionList, lastStoredSession } from '../../actors/subject/session-list.js'
import { OPERATIONS_IN_FLIGHT_MAX } from '../domain/limits.js'
import type { Directory } from '../http/contract/contracts.js'
import type { Clock } from '../ports.js'
import { createReadiness, type Probe } from './readiness.js'

/** Listings of one subject that are read at a time: as many as it may have lookups of the storage. */
const SUBJECT_LISTINGS_MAX = 8

/** Milliseconds that a listing waits for others of its subject: as long as requests do. */
const WAIT_MS_MAX = 30_000

interface DirectoryOptions {
  readonly sessions: Catalog
  /** Active sessions on all nodes. */
  readonly live: LiveSessions
  /** Null: this process runs alone. */
  readonly membership: Membership | null
  readonly storage: Pick<Lookups, 'list' | 'heads'>
  readonly ask: Ask
  readonly clock: Clock
  readonly isRunning: () => boolean
  readonly defaultModelName: () => string
  /** Probes by the names of the checks in the answer. */
  readonly probes: Readonly<Partial<Record<'embedder' | 'database' | 'redis' | 'mongo' | 'nats', Probe>>>
}

/** Listings reject with `busy` or `deadline_passed` while too many others of the subject are under way. */
export function createDirectory(options: DirectoryOptions): Directory {
  const { sessions, live, membership, storage, ask, clock, isRunning, defaultModelName, probes } = options
  const listSessions = createSessionList({ live, storage, ask, clock })
  const clusters = createRecordList({
    storage,
    kind: 'cluster',
    readItem: (_, id, head) => (isEnding(head) ? null : readCluster(id, head))
  })
  const regions = createRecordList({ storage, kind: 'region', readItem: (_, id, head) => (isEnding(head) ? null : readRegion(id, head)) })
  const inPlace = createPlaces(clock)
  const checkAll = createReadiness({ clock, probes })
  // This node's counts are current; those of other nodes date from their last heartbeat.
  const elsewhere = () => membership?.members().filter(({ nodeId }) => nodeId !== membership.self.nodeId) ?? []
  return {
    activeSessions: () => elsewhere().reduce((sum, { activeSessions }) => sum + activeSessions, sessions.activeCount),
    lastUsedSession: inPlace(async (subject) => (await live.last(subject)) ?? (await lastStoredSession(listSessions, subject))),
    listSessions: inPlace(listSessions),
    sumDays: inPlace(createDaySums({ storage, clock })),
    listClusters: inPlace(clusters.all),
    listRegions: inPlace(regions.all),
    async readiness() {
      const { ready, checks } = await checkAll()
      const isMember = membership === null || membership.state === 'up'
      return { ready: ready && isMember && isRunning(), checks, embedderModel: defaultModelName() }
    }
  }
}

/**
 * Returns a function that bounds how many listings of one subject are read at a time. A listing goes on when its caller has gone, so the
 * places of callers do not bound them.
 */
function createPlaces(clock: Clock) {
  const full = 'Too many listings of this licence are under way'
  const places = createSemaphore({ clock, permitsMax: OPERATIONS_IN_FLIGHT_MAX, subjectMax: SUBJECT_LISTINGS_MAX, full })
  return <Query extends unknown[], Listing>(read: (subject: string, ...query: Query) => Promise<Listing>) =>
    async (subject: string, ...query: Query): Promise<Listing> => {
      const leave = await acquirePermit(places, { subject, deadlineMs: WAIT_MS_MAX })
      return read(subject, ...query).finally(leave)
    }
}
