/** The service as the page asks it: with the licence token in a header, and the stream with a ticket. */
import { createParser } from 'eventsource-parser'
import type { ShownState } from '../../machines/shown-charts.js'
import { createAsk, type Page, pageQuery, toRefusal, unlessMissing } from './asking.js'
import type { GraphEdge, GraphNode } from './topology.js'
import type { DebugEvent } from './history.js'
import { createSessionClient, type Day, type SessionClient } from './session-client.js'

export interface Topology {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  /** Actors that are left out of the graph. */
  readonly more: number
}

/** A session as it is listed, in memory or only stored. */
export interface StoredSession {
  readonly session_id: string
  readonly state: string
  readonly total_memories: number
  /** Epoch seconds. */
  readonly last_active_at: number
}

export interface Health {
  readonly ready: boolean
  /** `ok`, `not_configured` or `error: …`, by dependency. */
  readonly checks: Readonly<Record<string, string>>
  readonly embedderModel: string
  readonly activeSessions: number
  readonly version: string
  /** Milliseconds that the service took to answer, as the page saw it. */
  readonly answeredMs: number
}

/** Events that were lost on the way. */
export interface Gap {
  readonly missed: number
}

export interface Listeners {
  readonly opened: () => void
  readonly told: (event: DebugEvent) => void
  readonly missed: (gap: Gap) => void
}

/** One day on which any session had turns, added up over them. */
export type DaySum = Pick<Day, 'date' | 'turns' | 'drifted_turns' | 'short_circuits' | 'saved_tokens'>

export interface DebugClient extends SessionClient {
  health(): Promise<Health>
  topology(): Promise<Topology>
  machines(): Promise<readonly ShownState[]>
  /** The value of each machine of an actor, by the machine's name; none when it is not active. */
  statesOf(kind: string, id: string): Promise<Readonly<Record<string, unknown>>>
  recent(): Promise<readonly DebugEvent[]>
  /** Follows the events after `since` until the connection ends. */
  follow(since: number, listeners: Listeners): Promise<void>
  /** By id, after `after`; only those whose id holds `contains`. A page may then be short, or empty, and have a next one. */
  sessions(after: string | null, contains?: string): Promise<Page<StoredSession>>
  /** Oldest first, of as many sessions as a page lists at most. */
  daySums(): Promise<readonly DaySum[]>
}

/** The most that the service lists at once. */
const SESSIONS_OF_PAGE = 1_000

/** Sessions that are listed, and added up: as many as a node holds by default. */
export const SESSIONS_MAX = 10_000

/** A client for one token. Everything ends with `signal`; what is refused throws RefusedError. */
export function createDebugClient({ token, signal }: { token: string; signal: AbortSignal }): DebugClient {
  const ask = createAsk({ token, signal })
  return {
    ...createSessionClient(ask),
    async health() {
      const asked = performance.now()
      const ready = await ask.json<Ready>('/v1/readyz', { accepted: [503] })
      const answeredMs = performance.now() - asked
      const { active_sessions: activeSessions, version } = await ask.json<{ active_sessions: number; version: string }>('/v1/health')
      return { ready: ready.ready, checks: ready.checks, embedderModel: ready.embedder_model, activeSessions, version, answeredMs }
    },
    topology: () => ask.json('/v1/debug/topology'),
    machines: async () => (await ask.json<{ machines: readonly ShownState[] }>('/v1/debug/machines')).machines,
    async statesOf(kind, id) {
      const path = `/v1/debug/actors/${kind}/${encodeURIComponent(id)}/chart`
      return (await unlessMissing(ask.json<{ machines: Readonly<Record<string, unknown>> }>(path)))?.machines ?? {}
    },
    recent: async () => (await ask.json<{ events: readonly DebugEvent[] }>('/v1/debug/recent')).events,
    async follow(since, listeners) {
      const { ticket } = await ask.json<{ ticket: string }>('/v1/debug/ticket', { body: {} })
      const response = await fetch(`/v1/debug/stream?ticket=${encodeURIComponent(ticket)}&since=${since}`, { signal })
      if (!response.ok || response.body === null) throw await toRefusal(response)
      listeners.opened()
      await readAll(response.body, listeners)
    },
    async sessions(after, contains) {
      const query = pageQuery(SESSIONS_OF_PAGE, after)
      if (contains !== undefined) query.set('contains', contains)
      const { sessions, next } = await ask.json<{ sessions: readonly StoredSession[]; next: string | null }>(`/v1/sessions?${query}`)
      return { items: sessions, next }
    },
    async daySums() {
      const days: DaySum[] = []
      let after: string | null = null
      for (let read = 0; read < SESSIONS_MAX; read += SESSIONS_OF_PAGE) {
        const place: string = after === null ? '' : `?after=${encodeURIComponent(after)}`
        const page: DayPage = await ask.json<DayPage>(`/v1/days${place}`)
        days.push(...page.days)
        after = page.next
        if (after === null) break
      }
      return addedUp(days)
    }
  }
}

interface DayPage {
  readonly days: readonly DaySum[]
  readonly next: string | null
}

function addedUp(days: readonly DaySum[]): DaySum[] {
  const sums = new Map<string, DaySum>()
  for (const day of days) {
    const known = sums.get(day.date)
    sums.set(day.date, known === undefined ? day : plus(known, day))
  }
  return [...sums.values()].sort((a, b) => (a.date < b.date ? -1 : 1))
}

function plus(a: DaySum, b: DaySum): DaySum {
  return {
    date: a.date,
    turns: a.turns + b.turns,
    drifted_turns: a.drifted_turns + b.drifted_turns,
    short_circuits: a.short_circuits + b.short_circuits,
    saved_tokens: a.saved_tokens + b.saved_tokens
  }
}

interface Ready {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, string>>
  readonly embedder_model: string
}

/** A browser's own reader has to be told every name of an event beforehand, and comes back by itself with a ticket that is used up. */
async function readAll(body: ReadableStream<Uint8Array>, { told, missed }: Listeners): Promise<void> {
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === 'gap') missed(JSON.parse(data) as Gap)
      else told(JSON.parse(data) as DebugEvent)
    }
  })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) parser.feed(decoder.decode(part.value, { stream: true }))
}
