/** Answers about the service and its parts that need no session. */
import type { Ask } from '../../actors/asking/ask.js'
import { isEnding } from '../../actors/behaviour/ending.js'
import { readSummary as readCluster } from '../../actors/cluster/state.js'
import type { Membership } from '../../actors/placement/membership.js'
import { readSummary as readRegion } from '../../actors/region/state.js'
import type { Catalog } from '../../actors/runtime/catalog.js'
import type { Lookups } from '../../actors/scheduling/lookups.js'
import { createDaySums } from '../../actors/subject/day-sums.js'
import type { LiveSessions } from '../../actors/subject/live-sessions.js'
import { createRecordList } from '../../actors/subject/record-list.js'
import { createSessionList, lastStoredSession } from '../../actors/subject/session-list.js'
import type { Directory } from '../http/contract/contracts.js'
import type { Clock } from '../ports.js'
import { createReadiness, type Probe } from './readiness.js'

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

export function createDirectory(options: DirectoryOptions): Directory {
  const { sessions, live, membership, storage, ask, clock, isRunning, defaultModelName, probes } = options
  const listSessions = createSessionList({ live, storage, ask, clock })
  const clusters = createRecordList({
    storage,
    kind: 'cluster',
    readItem: (_, id, head) => (isEnding(head) ? null : readCluster(id, head))
  })
  const regions = createRecordList({ storage, kind: 'region', readItem: (_, id, head) => (isEnding(head) ? null : readRegion(id, head)) })
  const checkAll = createReadiness({ clock, probes })
  // This node's counts are current; those of other nodes date from their last heartbeat.
  const elsewhere = () => membership?.members().filter(({ nodeId }) => nodeId !== membership.self.nodeId) ?? []
  return {
    activeSessions: () => elsewhere().reduce((sum, { activeSessions }) => sum + activeSessions, sessions.activeCount),
    lastUsedSession: async (subject) => (await live.last(subject)) ?? (await lastStoredSession(listSessions, subject)),
    listSessions,
    sumDays: createDaySums({ storage, clock }),
    listClusters: clusters.all,
    listRegions: regions.all,
    async readiness() {
      const { ready, checks } = await checkAll()
      const isMember = membership === null || membership.state === 'up'
      return { ready: ready && isMember && isRunning(), checks, embedderModel: defaultModelName() }
    }
  }
}
