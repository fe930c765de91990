/** The service as the page asks it: with the licence token in a header, and the stream with a ticket. */
import { createParser } from 'eventsource-parser'
import type { ShownState } from '../../machines/shown-charts.js'
import type { GraphEdge, GraphNode } from './graph-layout.js'
import type { DebugEvent } from './history.js'

export interface Memory {
  readonly memory_hash: string
  readonly memory_id?: string
  readonly text: string
  readonly role?: string
  readonly tier?: string
  readonly importance?: number
  readonly access_count?: number
  /** Of a search only. */
  readonly score?: number
}

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
}

/** One page of a listing. `next` is null at the end. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
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

/** The service refused, with the status and its own words. */
export class RefusedError extends Error {
  readonly status: number

  constructor(status: number, detail: string) {
    super(detail)
    this.name = 'RefusedError'
    this.status = status
  }
}

export interface DebugClient {
  topology(): Promise<Topology>
  machines(): Promise<readonly ShownState[]>
  /** The value of each machine of an actor, by the machine's name; none when it is not active. */
  statesOf(kind: string, id: string): Promise<Readonly<Record<string, unknown>>>
  recent(): Promise<readonly DebugEvent[]>
  /** Follows the events after `since` until the connection ends. */
  follow(since: number, listeners: Listeners): Promise<void>
  /** By id, after `after`. */
  sessions(after: string | null): Promise<Page<StoredSession>>
  /** Oldest first, after `after`. */
  memories(sessionId: string, after: string | null): Promise<Page<Memory>>
  /** Text of a memory; null for one that is gone. */
  textOf(sessionId: string, hash: string): Promise<string | null>
  search(sessionId: string, query: string): Promise<readonly Memory[]>
}

/** Memories of one page, and of one search: more cannot be looked through. */
const MEMORIES_SHOWN = 50

/** The most that the service lists at once. */
const SESSIONS_OF_PAGE = 1_000

/** A client for one token. Everything ends with `signal`; what is refused throws RefusedError. */
export function createDebugClient({ token, signal }: { token: string; signal: AbortSignal }): DebugClient {
  async function ask<T>(path: string, body?: object): Promise<T> {
    const headers: Record<string, string> = { authorization: `Bearer ${token}` }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const method = body === undefined ? 'GET' : 'POST'
    const response = await fetch(path, { method, headers, signal, ...(body !== undefined && { body: JSON.stringify(body) }) })
    if (!response.ok) throw await toRefusal(response)
    return (await response.json()) as T
  }
  const sessionPath = (id: string, rest: string): string => `/v1/session/${encodeURIComponent(id)}/${rest}`
  return {
    topology: () => ask('/v1/debug/topology'),
    machines: async () => (await ask<{ machines: readonly ShownState[] }>('/v1/debug/machines')).machines,
    async statesOf(kind, id) {
      const path = `/v1/debug/actors/${kind}/${encodeURIComponent(id)}/chart`
      return (await unlessMissing(ask<{ machines: Readonly<Record<string, unknown>> }>(path)))?.machines ?? {}
    },
    recent: async () => (await ask<{ events: readonly DebugEvent[] }>('/v1/debug/recent')).events,
    async follow(since, listeners) {
      const { ticket } = await ask<{ ticket: string }>('/v1/debug/ticket', {})
      const response = await fetch(`/v1/debug/stream?ticket=${encodeURIComponent(ticket)}&since=${since}`, { signal })
      if (!response.ok || response.body === null) throw await toRefusal(response)
      listeners.opened()
      await readAll(response.body, listeners)
    },
    async sessions(after) {
      const { sessions, next } = await ask<{ sessions: readonly StoredSession[]; next: string | null }>(
        `/v1/sessions?${pageQuery(SESSIONS_OF_PAGE, after)}`
      )
      return { items: sessions, next }
    },
    async memories(id, after) {
      const path = sessionPath(id, `memories?${pageQuery(MEMORIES_SHOWN, after)}`)
      const { memories, next } = await ask<{ memories: readonly Memory[]; next: string | null }>(path)
      return { items: memories, next }
    },
    textOf: async (id, hash) => (await unlessMissing(ask<Memory>(sessionPath(id, `memories/${encodeURIComponent(hash)}`))))?.text ?? null,
    search: async (id, query) =>
      (await ask<{ results: readonly Memory[] }>(sessionPath(id, 'search'), { query, top_k: MEMORIES_SHOWN })).results
  }
}

function pageQuery(limit: number, after: string | null): URLSearchParams {
  return new URLSearchParams({ limit: String(limit), ...(after !== null && { after }) })
}

/** Null where the service says that there is no such thing. */
async function unlessMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof RefusedError && error.status === 404) return null
    throw error
  }
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

async function toRefusal(response: Response): Promise<RefusedError> {
  const body: unknown = await response.json().catch(() => null)
  const detail = typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string' ? body.detail : ''
  return new RefusedError(response.status, detail === '' ? `The service answered ${response.status}` : detail)
}
