/** Triggers, anchors and isolation of a session, and the entities that it keeps verbatim. */
import type { paths } from './openapi.js'
import type { CallOptions, Requests, Schemas } from './requests.js'

export type EntityQuery = NonNullable<paths['/v1/session/{session_id}/entities']['get']['parameters']['query']>

export function createSessionControl({ api, repeatable, once }: Requests, session_id: string) {
  const path = { session_id }
  return {
    triggers: {
      /** Adds a trigger, by exactly one of `keyword` and `embedding`. */
      add: (trigger: Schemas['TriggerRequest'], options?: CallOptions) =>
        once(options, (init) => api.POST('/v1/session/{session_id}/trigger', { params: { path }, body: trigger, ...init })),
      clear: (options?: CallOptions) =>
        repeatable(options, (init) => api.DELETE('/v1/session/{session_id}/trigger', { params: { path }, ...init }))
    },
    anchors: {
      /** Adds an anchor to the session's domain, by `text` or `embedding`. */
      add: (anchor: Schemas['AnchorRequest'], options?: CallOptions) =>
        once(options, (init) => api.POST('/v1/session/{session_id}/anchor', { params: { path }, body: anchor, ...init })),
      score: (options?: CallOptions) =>
        repeatable(options, (init) => api.GET('/v1/session/{session_id}/anchor_score', { params: { path }, ...init }))
    },
    isolation: {
      set: (isolation: Schemas['IsolationRequest'], options?: CallOptions) =>
        repeatable(options, (init) => api.PUT('/v1/session/{session_id}/isolation', { params: { path }, body: isolation, ...init })),
      /** Takes in the inputs that quarantine held back. */
      release: (options?: CallOptions) =>
        once(options, (init) => api.POST('/v1/session/{session_id}/isolation/release', { params: { path }, ...init }))
    },
    /** Code that is returned byte for byte. */
    entities: {
      /** Stores an entity. The same key replaces it. */
      put: (entity: Schemas['EntityRequest'], options?: CallOptions) =>
        once(options, (init) => api.POST('/v1/session/{session_id}/entities', { params: { path }, body: entity, ...init })),
      list: (query: EntityQuery = {}, options?: CallOptions) =>
        repeatable(options, (init) => api.GET('/v1/session/{session_id}/entities', { params: { path, query }, ...init })),
      delete: (key: string, options?: CallOptions) =>
        repeatable(options, (init) =>
          api.DELETE('/v1/session/{session_id}/entities/{key}', { params: { path: { session_id, key } }, ...init })
        )
    }
  }
}
