/** One session as the page reads and changes it, with the rights of the licence. */
import { type Ask, type Page, pageQuery, unlessMissing } from './asking.js'

export interface Memory {
  readonly memory_hash: string
  readonly memory_id: string
  readonly text: string
  readonly role: string
  readonly tier: string
  readonly importance: number
  readonly access_count: number
  /** Epoch seconds. */
  readonly timestamp: number
  readonly user_id: string | null
  readonly pinned: boolean
  /** Of a search only. */
  readonly score?: number
}

/** One day on which a session had turns. */
export interface Day {
  /** UTC, as `2026-11-23`. */
  readonly date: string
  readonly turns: number
  /** 0..1; null where no drift was judged. */
  readonly drift_mean: number | null
  readonly drift_max: number | null
  readonly drifted_turns: number
  readonly short_circuits: number
  /** An estimate. */
  readonly saved_tokens: number
}

export interface Metrics {
  readonly total_memories: number
  readonly interaction_count: number
  readonly drift_phase: string
  readonly drift_score: number
  readonly phase: string
  readonly short_circuits: number
  readonly isolation: { readonly level: string; readonly quarantined_count: number }
  readonly model_name: string
}

export interface MemoryEdit {
  /** At least 0. */
  readonly importance?: number
  readonly pinned?: boolean
}

export interface SessionClient {
  metrics(sessionId: string): Promise<Metrics>
  /** Oldest first. */
  days(sessionId: string): Promise<readonly Day[]>
  /** Oldest first, after `after`. */
  memories(sessionId: string, after: string | null): Promise<Page<Memory>>
  /** Text of a memory; null for one that is gone. */
  textOf(sessionId: string, hash: string): Promise<string | null>
  search(sessionId: string, query: string): Promise<readonly Memory[]>
  /** Every memory of that text; the first as it is now. */
  edit(sessionId: string, hash: string, edit: MemoryEdit): Promise<Memory>
  /** Every memory of that text. One that is gone already is as good. */
  remove(sessionId: string, hash: string): Promise<void>
  /** The whole session, as `POST …/import` takes it. */
  exported(sessionId: string): Promise<Blob>
}

/** Memories of one page, and of one search: more cannot be looked through. */
const MEMORIES_SHOWN = 50

/** What is refused throws RefusedError. */
export function createSessionClient(ask: Ask): SessionClient {
  const memoryPath = (id: string, hash: string): string => sessionPath(id, `memories/${encodeURIComponent(hash)}`)
  return {
    metrics: (id) => ask.json(`/v1/metrics/${encodeURIComponent(id)}`),
    days: async (id) => (await ask.json<{ days: readonly Day[] }>(sessionPath(id, 'days'))).days,
    async memories(id, after) {
      const path = sessionPath(id, `memories?${pageQuery(MEMORIES_SHOWN, after)}`)
      const { memories, next } = await ask.json<{ memories: readonly Memory[]; next: string | null }>(path)
      return { items: memories, next }
    },
    textOf: async (id, hash) => (await unlessMissing(ask.json<Memory>(memoryPath(id, hash))))?.text ?? null,
    search: async (id, query) =>
      (await ask.json<{ results: readonly Memory[] }>(sessionPath(id, 'search'), { body: { query, top_k: MEMORIES_SHOWN } })).results,
    edit: (id, hash, edit) => ask.json(memoryPath(id, hash), { method: 'PATCH', body: edit }),
    async remove(id, hash) {
      await unlessMissing(ask.json(memoryPath(id, hash), { method: 'DELETE' }))
    },
    exported: async (id) => (await ask.answer(sessionPath(id, 'export'))).blob()
  }
}

function sessionPath(id: string, rest: string): string {
  return `/v1/session/${encodeURIComponent(id)}/${rest}`
}
