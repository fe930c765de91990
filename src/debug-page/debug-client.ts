/** Calls from the page to the service, with the licence token, while the page is open. */
import type { ChartState } from '../../machines/chart.js'
import { createDebug, type DebugGap, type EventOptions } from '../client/debug.js'
import { createOperations } from '../client/operations.js'
import type { DebugEvent } from '../client/optional-surfaces.js'
import type { Page } from '../client/pages.js'
import { createRequests, type Schemas } from '../client/requests.js'
import { createSessions } from '../client/sessions.js'
import { SYSTEM_TIMERS } from '../client/timers.js'
import { unlessMissing } from './asking.js'
import type { GraphEdge, GraphNode } from './topology.js'
import { createSessionClient, type SessionClient } from './session-client.js'

export interface Topology {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  /** Number of actors that the graph leaves out. */
  readonly more: number
}

/** A listed session, in memory or only stored. */
export type StoredSession = Schemas['SessionSummary']

export interface Health {
  readonly ready: boolean
  /** `ok`, `not_configured` or `error: …`, by dependency. */
  readonly checks: Schemas['DependencyChecks']
  readonly embedderModel: string
  readonly activeSessions: number
  readonly version: string
  /** Milliseconds until the service answered, measured by the page. */
  readonly answeredMs: number
}

type DayPage = Schemas['SubjectDays']

/** Sums over all sessions that had turns on one day. */
export type DaySum = DayPage['days'][number]

export interface DebugClient extends SessionClient {
  health(): Promise<Health>
  topology(): Promise<Topology>
  machines(): Promise<readonly ChartState[]>
  /** Returns the state of each machine of an actor, by the machine's name; empty when it is not active. */
  statesOf(kind: string, id: string): Promise<Readonly<Record<string, unknown>>>
  recent(): Promise<readonly DebugEvent[]>
  /** Yields events after `since` as they happen. */
  events(options: Pick<EventOptions, 'since' | 'onConnection'>): AsyncIterable<DebugEvent | DebugGap>
  /**
   * Returns a page of sessions by id, after `after`, optionally only those whose id contains `contains`. A page may be short or empty and
   * still have a next one.
   */
  sessions(after: string | null, contains?: string): Promise<Page<StoredSession>>
  /** Returns the days, oldest first, summed over at most as many sessions as the page lists. */
  daySums(): Promise<readonly DaySum[]>
}

/** Maximum sessions that the service lists per call. */
const SESSIONS_OF_PAGE = 1_000

/** Maximum sessions that are listed and summed: as many as a node holds by default. */
export const SESSIONS_MAX = 10_000

interface DebugClientOptions {
  /** Origin of the service. */
  readonly url: string
  readonly token: string
  readonly signal: AbortSignal
}

/** Creates a client for one token. All calls end with `signal`; refusals throw EngramError. */
export function createDebugClient({ url, token, signal }: DebugClientOptions): DebugClient {
  // Assembled from the parts that the page uses, so that it loads no others.
  const requests = createRequests({ url, token }, SYSTEM_TIMERS)
  const [debug, sessions, operations] = [createDebug(requests), createSessions(requests), createOperations(requests)]
  const options = { signal }
  return {
    ...createSessionClient(requests, options),
    async health() {
      const asked = performance.now()
      const { ready, checks, embedder_model: embedderModel } = await operations.ready(options)
      const answeredMs = performance.now() - asked
      const { active_sessions: activeSessions, version } = await operations.health(options)
      return { ready, checks, embedderModel, activeSessions, version, answeredMs }
    },
    topology: () => debug.topology(options),
    machines: async () => (await debug.machines(options)).machines as readonly ChartState[],
    statesOf: async (kind, id) => (await unlessMissing(debug.chart(kind, id, options)))?.machines ?? {},
    recent: async () => (await debug.recent({}, options)).events,
    events: (given) => debug.events({ ...given, signal, retries: Number.POSITIVE_INFINITY }),
    async sessions(after, contains) {
      const query = { limit: SESSIONS_OF_PAGE, ...(after !== null && { after }), ...(contains !== undefined && { contains }) }
      const { sessions: items, next } = await sessions.list(query, options)
      return { items, next }
    },
    async daySums() {
      const sums = new Map<string, DaySum>()
      let after: string | null = null
      for (let read = 0; read < SESSIONS_MAX; read += SESSIONS_OF_PAGE) {
        const page: DayPage = await sessions.days({ max_sessions: SESSIONS_OF_PAGE, ...(after !== null && { after }) }, options)
        for (const day of page.days) sums.set(day.date, plus(sums.get(day.date), day))
        after = page.next
        if (after === null) break
      }
      return [...sums.values()].sort((a, b) => (a.date < b.date ? -1 : 1))
    }
  }
}

function plus(known: DaySum | undefined, day: DaySum): DaySum {
  if (known === undefined) return day
  return {
    date: day.date,
    turns: known.turns + day.turns,
    drifted_turns: known.drifted_turns + day.drifted_turns,
    short_circuits: known.short_circuits + day.short_circuits,
    saved_tokens: known.saved_tokens + day.saved_tokens
  }
}
