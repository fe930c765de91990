/** Sessions: all of them, and one by its id. */
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

/** Milliseconds between two pieces of an export. */
const SILENT_MS_MAX = 60_000

/** Calls that need no session to be named first. */
export function createTurns({ api, repeatable }: Requests) {
  return {
    /**
     * One turn: the block for the prompt of a model, and whether the talk has drifted or only repeats what was answered. Without a
     * `session_id` it makes a session. It has a key of its own unless one is given, so that it is taken in once.
     */
    run: (body: Schemas['RunRequest'], options?: CallOptions) => {
      const keyed = { ...body, idempotency_key: body.idempotency_key ?? newKey() }
      return repeatable(options, (init) => api.POST('/v1/run', { body: keyed, ...init }))
    },
    /** Learns from an answer without a turn. Likewise with a key. */
    store: (body: Schemas['StoreRequest'], options?: CallOptions) => {
      const keyed = { ...body, idempotency_key: body.idempotency_key ?? newKey() }
      return repeatable(options, (init) => api.POST('/v1/store', { body: keyed, ...init }))
    },
    /** Whether a text would update a memory. Changes nothing. */
    dedupCheck: (body: Schemas['DedupCheckRequest'], options?: CallOptions) =>
      repeatable(options, (init) => api.POST('/v1/dedup-check', { body, ...init }))
  }
}

export function createSessions({ api, repeatable, once }: Requests) {
  const list = (query: SessionQuery = {}, options?: CallOptions) =>
    repeatable(options, (init) => api.GET('/v1/sessions', { params: { query }, ...init }))
  return {
    /** Makes one with settings of its own; a run makes one with the defaults. */
    create: (body: Schemas['CreateSessionRequest'] = {}, options?: CallOptions) =>
      once(options, (init) => api.POST('/v1/session/create', { body, ...init })),
    /** One page by id. `next` is the `after` of the next one; null at the end. */
    list,
    /** Every one of them, or of those after `after`, by id, page after page as they are asked for. */
    all: (query: SessionQuery = {}, options?: CallOptions) =>
      everyItem(async (after) => {
        const { sessions, next } = await list({ ...query, ...(after !== undefined && { after }) }, options)
        return { items: sessions, next }
      }),
    /** Turns and short circuits of all of them by day, of the last 31 days: of up to 1,000 sessions, and `next` for those that follow. */
    days: (query: DaysQuery = {}, options?: CallOptions) =>
      repeatable(options, (init) => api.GET('/v1/days', { params: { query }, ...init })),
    /** Counters and measures of the session that was used last. */
    lastMetrics: (options?: CallOptions) => repeatable(options, (init) => api.GET('/v1/state/metrics', init))
  }
}

/** One session, which need not be there yet: its first run makes it. */
export function createSession(requests: Requests, session_id: string) {
  const { api, repeatable, once, open, timers } = requests
  const turns = createTurns(requests)
  const path = { session_id }
  return {
    id: session_id,
    run: (body: Of<Schemas['RunRequest']>, options?: CallOptions) => turns.run({ ...body, session_id }, options),
    store: (body: Of<Schemas['StoreRequest']>, options?: CallOptions) => turns.store({ ...body, session_id }, options),
    dedupCheck: (body: Of<Schemas['DedupCheckRequest']>, options?: CallOptions) => turns.dedupCheck({ ...body, session_id }, options),
    /** The memories nearest to a query, by text or by embedding. Changes nothing. */
    search: (body: Schemas['SearchRequest'], options?: CallOptions) =>
      repeatable(options, (init) => api.POST('/v1/session/{session_id}/search', { params: { path }, body, ...init })),
    /** The memories nearest to what the session is about by now. */
    context: (query: ContextQuery = {}, options?: CallOptions) =>
      repeatable(options, (init) => api.GET('/v1/state/context', { params: { query: { ...query, session_id } }, ...init })),
    /** Counters and measures. */
    metrics: (options?: CallOptions) => repeatable(options, (init) => api.GET('/v1/metrics/{session_id}', { params: { path }, ...init })),
    /** Turns, drift and short circuits of the last 31 days that had any. */
    days: (options?: CallOptions) => repeatable(options, (init) => api.GET('/v1/session/{session_id}/days', { params: { path }, ...init })),
    memories: createMemories(requests, session_id),
    ...createSessionControl(requests, session_id),
    /** The whole state, with a checksum. */
    export: (options?: CallOptions) =>
      repeatable(options, (init) => api.GET('/v1/session/{session_id}/export', { params: { path }, ...init })),
    /** The same byte for byte, as it comes, for a file. Its iteration rejects when it breaks off. */
    exportBytes: async (options: CallOptions = {}): Promise<AsyncIterable<Uint8Array<ArrayBuffer>>> => {
      const answer = await open(
        pathSerializer('/v1/session/{session_id}/export', path),
        {},
        { ...options, hasToken: true, isRepeatable: true }
      )
      return piecesOf(answer, { silentMs: SILENT_MS_MAX, signal: options.signal }, timers)
    },
    /** Puts an exported state in the place of whatever there is. A Blob goes out as it is. */
    import: (exported: Schemas['ImportRequest'] | Blob, options?: CallOptions) =>
      once(options, (init) =>
        api.POST('/v1/session/{session_id}/import', {
          params: { path },
          body: exported as Schemas['ImportRequest'],
          bodySerializer: (body) => (body instanceof Blob ? body : JSON.stringify(body)),
          ...init
        })
      ),
    /** Whether two states behave alike. Changes nothing. */
    verify: (body: Schemas['VerifyRequest'], options?: CallOptions) =>
      repeatable(options, (init) => api.POST('/v1/session/{session_id}/verify', { params: { path }, body, ...init })),
    /** Removes it with all that it holds. */
    delete: (options?: CallOptions) => repeatable(options, (init) => api.DELETE('/v1/session/{session_id}', { params: { path }, ...init }))
  }
}
