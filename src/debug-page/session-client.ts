/** Calls of the page on one session, with the rights of the licence. */
import type { Page } from '../client/pages.js'
import type { CallOptions, Requests, Schemas } from '../client/requests.js'
import { createSession } from '../client/sessions.js'
import { unlessMissing } from './asking.js'

/** `score` is set in search results only. */
export type Memory = Schemas['Memory'] & { readonly score?: number }
export type MemoryEdit = Schemas['EditMemoryRequest']
/** One day on which the session had turns. */
export type Day = Schemas['SessionDay']

export interface SessionClient {
  metrics(sessionId: string): Promise<Schemas['SessionMetrics']>
  /** Oldest first. */
  days(sessionId: string): Promise<readonly Day[]>
  /** Returns a page of memories after `after`, oldest first. */
  memories(sessionId: string, after: string | null): Promise<Page<Memory>>
  /** Returns a memory's text; null if it no longer exists. */
  textOf(sessionId: string, hash: string): Promise<string | null>
  search(sessionId: string, query: string): Promise<readonly Memory[]>
  /** Edits every memory with this text. Returns the first one. */
  edit(sessionId: string, hash: string, edit: MemoryEdit): Promise<Memory>
  /** Deletes every memory with this text. Also resolves when there is none left. */
  remove(sessionId: string, hash: string): Promise<void>
  /** Returns the whole session, as `POST …/import` accepts it. */
  exported(sessionId: string): Promise<Blob>
}

/** Memories per page, and per search. */
const MEMORIES_SHOWN = 50

/** Creates the calls. Refusals throw EngramError. */
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
