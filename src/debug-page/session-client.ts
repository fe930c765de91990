/** One session as the page reads and changes it, with the rights of the licence. */
import type { Page } from '../client/pages.js'
import type { CallOptions, Requests, Schemas } from '../client/requests.js'
import { createSession } from '../client/sessions.js'
import { unlessMissing } from './asking.js'

/** `score`: of a search only. */
export type Memory = Schemas['Memory'] & { readonly score?: number }
export type MemoryEdit = Schemas['EditMemoryRequest']
/** One day on which a session had turns. */
export type Day = Schemas['SessionDay']

export interface SessionClient {
  metrics(sessionId: string): Promise<Schemas['SessionMetrics']>
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

/** What is refused throws EngramError. */
export function createSessionClient(requests: Requests, options: CallOptions): SessionClient {
  const session = (id: string) => createSession(requests, id)
  return {
    metrics: (id) => session(id).metrics(options),
    days: async (id) => (await session(id).days(options)).days,
    async memories(id, after) {
      const { memories, next } = await session(id).memories.list({ limit: MEMORIES_SHOWN, ...(after !== null && { after }) }, options)
      return { items: memories, next }
    },
    textOf: async (id, hash) => (await unlessMissing(session(id).memories.get(hash, options)))?.text ?? null,
    search: async (id, query) => (await session(id).search({ query, top_k: MEMORIES_SHOWN }, options)).results,
    edit: (id, hash, edit) => session(id).memories.update(hash, edit, options),
    async remove(id, hash) {
      await unlessMissing(session(id).memories.delete(hash, options))
    },
    async exported(id) {
      const pieces: Uint8Array<ArrayBuffer>[] = []
      for await (const piece of await session(id).exportBytes(options)) pieces.push(piece)
      return new Blob(pieces, { type: 'application/json' })
    }
  }
}
