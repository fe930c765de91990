/** The memories of a session, one by one. */
import type { paths } from './openapi.js'
import { everyItem } from './pages.js'
import type { CallOptions, Requests, Schemas } from './requests.js'

export type MemoryQuery = NonNullable<paths['/v1/session/{session_id}/memories']['get']['parameters']['query']>

export function createMemories({ api, repeatable, once }: Requests, session_id: string) {
  const path = { session_id }
  const list = (query: MemoryQuery = {}, options?: CallOptions) =>
    repeatable(options, (init) => api.GET('/v1/session/{session_id}/memories', { params: { path, query }, ...init }))
  return {
    /** One page, oldest first. `next` is the `after` of the next one; null at the end. */
    list,
    /** Every one of them, oldest first, page after page as they are asked for. */
    all: (query: Omit<MemoryQuery, 'after'> = {}, options?: CallOptions) =>
      everyItem(async (after) => {
        const { memories, next } = await list({ ...query, ...(after !== undefined && { after }) }, options)
        return { items: memories, next }
      }),
    /** One with its whole text. */
    get: (memory_hash: string, options?: CallOptions) =>
      repeatable(options, (init) =>
        api.GET('/v1/session/{session_id}/memories/{memory_hash}', { params: { path: { session_id, memory_hash } }, ...init })
      ),
    /** Takes up to 1,000 texts in, all or nothing. The same ones again change nothing. */
    add: (memories: Schemas['IngestRequest']['memories'], options?: CallOptions) =>
      repeatable(options, (init) => api.POST('/v1/session/{session_id}/memories', { params: { path }, body: { memories }, ...init })),
    /** Puts one in with a tier, an importance or a vector of its own. */
    inject: (memory: Schemas['InjectMemoryRequest'], options?: CallOptions) =>
      once(options, (init) => api.POST('/v1/session/{session_id}/memory', { params: { path }, body: memory, ...init })),
    /** Sets its importance, or pins it: a pinned one is never given up, and comes first in the block. */
    update: (memory_hash: string, changes: Schemas['EditMemoryRequest'], options?: CallOptions) =>
      repeatable(options, (init) =>
        api.PATCH('/v1/session/{session_id}/memories/{memory_hash}', {
          params: { path: { session_id, memory_hash } },
          body: changes,
          ...init
        })
      ),
    /** Removes it from every index and list, and from every vector that it was folded into. */
    delete: (memory_hash: string, options?: CallOptions) =>
      repeatable(options, (init) =>
        api.DELETE('/v1/session/{session_id}/memories/{memory_hash}', { params: { path: { session_id, memory_hash } }, ...init })
      )
  }
}
