/** The memories of one session. */
import type { paths } from './openapi.js'
import { everyItem } from './pages.js'
import type { CallOptions, Requests, Schemas } from './requests.js'

export type MemoryQuery = NonNullable<paths['/v1/session/{session_id}/memories']['get']['parameters']['query']>

export function createMemories({ api, repeatable, once }: Requests, session_id: string) {
  const path = { session_id }
  const list = (query: MemoryQuery = {}, options?: CallOptions) =>
    repeatable(options, (init) => api.GET('/v1/session/{session_id}/memories', { params: { path, query }, ...init }))
  return {
    /** Returns one page, oldest first. `next` is the `after` of the next page; null at the end. */
    list,
    /** Iterates over all memories, oldest first. Pages are read on demand. */
    all: (query: Omit<MemoryQuery, 'after'> = {}, options?: CallOptions) =>
      everyItem(async (after) => {
        const { memories, next } = await list({ ...query, ...(after !== undefined && { after }) }, options)
        return { items: memories, next }
      }),
    /** Returns one memory with its whole text. */
    get: (memory_hash: string, options?: CallOptions) =>
      repeatable(options, (init) =>
        api.GET('/v1/session/{session_id}/memories/{memory_hash}', { params: { path: { session_id, memory_hash } }, ...init })
      ),
    /** Adds up to 1,000 texts, all or nothing. Adding the same ones again changes nothing. */
    add: (memories: Schemas['IngestRequest']['memories'], options?: CallOptions) =>
      repeatable(options, (init) => api.POST('/v1/session/{session_id}/memories', { params: { path }, body: { memories }, ...init })),
    /** Adds one memory with a tier, an importance or a vector of its own. */
    inject: (memory: Schemas['InjectMemoryRequest'], options?: CallOptions) =>
      once(options, (init) => api.POST('/v1/session/{session_id}/memory', { params: { path }, body: memory, ...init })),
    /** Sets the importance of a memory, or pins it: a pinned one never expires and comes first in the context block. */
    update: (memory_hash: string, changes: Schemas['EditMemoryRequest'], options?: CallOptions) =>
      repeatable(options, (init) =>
        api.PATCH('/v1/session/{session_id}/memories/{memory_hash}', {
          params: { path: { session_id, memory_hash } },
          body: changes,
          ...init
        })
      ),
    /** Deletes a memory from every index and list, and from every vector that it was folded into. */
    delete: (memory_hash: string, options?: CallOptions) =>
      repeatable(options, (init) =>
        api.DELETE('/v1/session/{session_id}/memories/{memory_hash}', { params: { path: { session_id, memory_hash } }, ...init })
      )
  }
}
