/** Calls on all sessions, and on one session by its id. */
import { newKey } from './keys.js'
import { createMemories } from './memories.js'
import type { paths } from './openapi.js'
import { everyItem } from './pages.js'
import { piecesOf } from './pieces.js'
import { type CallOptions, pathSerializer, type Requests, type Schemas } from './requests.js'
import { createSessionControl } from './session-control.js'

export type SessionQuery = NonNullable<paths['/v1/sessions']['get']['parameters']['query']>
export type DaysQuery = NonNullable<paths['/v1/days']['get']['parameters']['query']>
export type ContextQuery = Omit<paths['/v1/state/context']['get']['parameters']['query'], 'session_id'>

type Of<Body> = Omit<Body, 'session_id'>

/** Longest silence between two chunks of an export, in milliseconds. */
const SILENT_MS_MAX = 60_000

/** Calls that take the session in their body. */
export function createTurns({ api, repeatable }: Requests) {
  return {
    /**
     * Runs one turn. Returns the context block for the model's prompt, and whether the conversation has drifted or the message repeats an
     * answered question. Without a `session_id` a session is created. A missing idempotency key is added, so that a retry is not a second
     * turn.
     */
    run: (body: Schemas['RunRequest'], options?: CallOptions) => {
      const keyed = { ...body, idempotency_key: body.idempotency_key ?? newKey() }
      return repeatable(options, (init) => api.POST('/v1/run', { body: keyed, ...init }))
    },
    /** Learns from an answer without a turn. A missing idempotency key is added. */
    store: (body: Schemas['StoreRequest'], options?: CallOptions) => {
      const keyed = { ...body, idempotency_key: body.idempotency_key ?? newKey() }
      return repeatable(options, (init) => api.POST('/v1/store', { body: keyed, ...init }))
    },
    /** Tells whether a text would update a memory. Changes nothing. */
    dedupCheck: (body: Schemas['DedupCheckRequest'], options?: CallOptions) =>
      repeatable(options, (init) => api.POST('/v1/dedup-check', { body, ...init }))
  }
}

export function createSessions({ api, repeatable, once }: Requests) {
  const list = (query: SessionQuery = {}, options?: CallOptions) =>
    repeatable(options, (init) => api.GET('/v1/sessions', { params: { query }, ...init }))
  return {
    /** Creates a session with settings of its own; a run creates one with the defaults. */
    create: (body: Schemas['CreateSessionRequest'] = {}, options?: CallOptions) =>
      once(options, (init) => api.POST('/v1/session/create', { body, ...init })),
    /** Returns one page, ordered by id. `next` is the `after` of the next page; null at the end. */
    list,
    /** Iterates over all sessions, or those after `after`, ordered by id. Pages are read on demand. */
    all: (query: SessionQuery = {}, options?: CallOptions) =>
      everyItem(async (after) => {
        const { sessions, next } = await list({ ...query, ...(after !== undefined && { after }) }, options)
        return { items: sessions, next }
      }),
    /**
     * Returns turns and short circuits per day over the last 31 days, for up to 1,000 sessions; `next` continues with those that follow.
     */
    days: (query: DaysQuery = {}, options?: CallOptions) =>
      repeatable(options, (init) => api.GET('/v1/days', { params: { query }, ...init })),
    /** Returns counters and measures of the session that was used last. */
    lastMetrics: (options?: CallOptions) => repeatable(options, (init) => api.GET('/v1/state/metrics', init))
  }
}

/** Handle on one session. It need not exist yet: its first run creates it. */
export function createSession(requests: Requests, session_id: string) {
  const { api, repeatable, once, open, timers } = requests
  const turns = createTurns(requests)
  const path = { session_id }
  return {
    id: session_id,
    run: (body: Of<Schemas['RunRequest']>, options?: CallOptions) => turns.run({ ...body, session_id }, options),
    store: (body: Of<Schemas['StoreRequest']>, options?: CallOptions) => turns.store({ ...body, session_id }, options),
    dedupCheck: (body: Of<Schemas['DedupCheckRequest']>, options?: CallOptions) => turns.dedupCheck({ ...body, session_id }, options),
    /** Returns the memories nearest to a query, by text or by embedding. Changes nothing. */
    search: (body: Schemas['SearchRequest'], options?: CallOptions) =>
      repeatable(options, (init) => api.POST('/v1/session/{session_id}/search', { params: { path }, body, ...init })),
    /** Returns the memories nearest to the session's semantic state. */
    context: (query: ContextQuery = {}, options?: CallOptions) =>
      repeatable(options, (init) => api.GET('/v1/state/context', { params: { query: { ...query, session_id } }, ...init })),
    /** Returns the counters and measures of the session. */
    metrics: (options?: CallOptions) => repeatable(options, (init) => api.GET('/v1/metrics/{session_id}', { params: { path }, ...init })),
    /** Returns turns, drift and short circuits for those of the last 31 days that had any. */
    days: (options?: CallOptions) => repeatable(options, (init) => api.GET('/v1/session/{session_id}/days', { params: { path }, ...init })),
    memories: createMemories(requests, session_id),
    ...createSessionControl(requests, session_id),
    /** Returns the whole state, with a checksum. */
    export: (options?: CallOptions) =>
      repeatable(options, (init) => api.GET('/v1/session/{session_id}/export', { params: { path }, ...init })),
    /** Streams the export byte for byte, for a file. The iteration rejects when the answer breaks off. */
    exportBytes: async (options: CallOptions = {}): Promise<AsyncIterable<Uint8Array<ArrayBuffer>>> => {
      const answer = await open(
        pathSerializer('/v1/session/{session_id}/export', path),
        {},
        { ...options, hasToken: true, isRepeatable: true }
      )
      return piecesOf(answer, { silentMs: SILENT_MS_MAX, signal: options.signal }, timers)
    },
    /** Replaces the session's state, if any, by an exported one. A Blob is sent as it is. */
    import: (exported: Schemas['ImportRequest'] | Blob, options?: CallOptions) =>
      once(options, (init) =>
        api.POST('/v1/session/{session_id}/import', {
          params: { path },
          body: exported as Schemas['ImportRequest'],
          bodySerializer: (body) => (body instanceof Blob ? body : JSON.stringify(body)),
          ...init
        })
      ),
    /** Tells whether two states behave alike. Changes nothing. */
    verify: (body: Schemas['VerifyRequest'], options?: CallOptions) =>
      repeatable(options, (init) => api.POST('/v1/session/{session_id}/verify', { params: { path }, body, ...init })),
    /** Deletes the session with everything it holds. */
    delete: (options?: CallOptions) => repeatable(options, (init) => api.DELETE('/v1/session/{session_id}', { params: { path }, ...init }))
  }
}
