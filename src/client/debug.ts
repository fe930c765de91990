/** Events and state of the service while it runs. Available only where the debugger is mounted. */
import { backoffMs, pause } from './attempts.js'
import { EngramError, isEngramError } from './engram-error.js'
import type { DebugEvent } from './optional-surfaces.js'
import { objectIn } from './refusals.js'
import type { CallOptions, Requests } from './requests.js'
import { type ServerSentEvent, serverSentEvents } from './server-sent-events.js'

/** Events that are missing: the service no longer keeps them, or it was restarted and counts anew. */
export interface DebugGap {
  readonly kind: 'gap'
  /** Number of missing events; null when it is unknown. */
  readonly missed: number | null
}

export interface EventOptions {
  /** Sequence number after which to begin; 0 begins with the oldest event that is kept. Default: only events from now on. */
  readonly since?: number | undefined
  /** Deadline for each connection to begin, in milliseconds. Default as for other calls. */
  readonly deadlineMs?: number | undefined
  /** Consecutive failures that are tolerated before the iteration rejects. Default 10, which takes half a minute of back-off at most. */
  readonly retries?: number | undefined
  /** Called with true when a connection has begun, and with false when it is lost. */
  readonly onConnection?: ((isOpen: boolean) => void) | undefined
  /** Ends the events: the iteration rejects with an EngramError of the kind `aborted`. */
  readonly signal?: AbortSignal | undefined
}

/** Longest silence in milliseconds: the service sends a sign of life every 15 s. */
const SILENT_MS_MAX = 45_000

const RETRIES = 10

/** The last event that was yielded, or where to begin. */
interface Place {
  readonly seq: number
  /** Null where it is unknown. */
  readonly timestamp: number | null
}

export function createDebug(requests: Requests) {
  const { api, repeatable } = requests
  const recent = (query: { since?: number | undefined; limit?: number | undefined } = {}, options?: CallOptions) =>
    repeatable(options, (init) => api.GET('/v1/debug/recent', { params: { query }, ...init }))
  return {
    /**
     * Yields every event after `since`, once and in order, until the loop is left or `signal` aborts. A broken connection is replaced, with
     * a new ticket, and continues where the last one ended. Behind a balancer it has to stay with one node, because each node numbers its
     * own events.
     */
    events: (options: EventOptions = {}) => followed(requests, recent, options),
    /** Returns the events that are kept, oldest first. `last_seq` is the `since` of the next call. */
    recent,
    /** Returns the parts of the service and how they are connected. */
    topology: (options?: CallOptions) => repeatable(options, (init) => api.GET('/v1/debug/topology', init)),
    /** Returns the state charts of the service. */
    machines: (options?: CallOptions) => repeatable(options, (init) => api.GET('/v1/debug/machines', init)),
    /** Returns the current states of an active actor. */
    chart: (kind: string, id: string, options?: CallOptions) =>
      repeatable(options, (init) => api.GET('/v1/debug/actors/{kind}/{id}/chart', { params: { path: { kind, id } }, ...init }))
  }
}

type Recent = ReturnType<typeof createDebug>['recent']

async function* followed(
  requests: Requests,
  recent: Recent,
  { since, retries = RETRIES, onConnection = () => undefined, ...call }: EventOptions
): AsyncGenerator<DebugEvent | DebugGap, void, undefined> {
  let place: Place = since === undefined ? await latest(recent, call) : { seq: since, timestamp: null }
  for (let failures = 0; ;) {
    try {
      if (await isCountedAnew(recent, place, call)) {
        place = { seq: 0, timestamp: null }
        yield { kind: 'gap', missed: null }
      }
      const response = await opened(requests, place.seq, call)
      failures = 0
      onConnection(true)
      for await (const event of serverSentEvents(response, { silentMs: SILENT_MS_MAX, signal: call.signal }, requests.timers)) {
        const told = toTold(event)
        // The number went back: reconnect, and find out then whether the service counts anew.
        if (told.to <= place.seq) break
        place = { seq: told.to, timestamp: told.timestamp }
        yield told.item
      }
    } catch (error) {
      if (!isEngramError(error) || failures >= retries || !isPassing(error)) throw error
    }
    failures += 1
    onConnection(false)
    await pause(backoffMs(failures, null, requests.timers), call.signal, requests.timers)
  }
}

/** Position of the newest event. */
async function latest(recent: Recent, call: CallOptions): Promise<Place> {
  const { events, last_seq } = await recent({ limit: 1 }, call)
  return { seq: last_seq, timestamp: events[0]?.timestamp ?? null }
}

/** Whether the event at `place` is gone or is another one: then the service was restarted. */
async function isCountedAnew(recent: Recent, { seq, timestamp }: Place, call: CallOptions): Promise<boolean> {
  if (seq === 0) return false
  const { events, last_seq } = await recent({ since: seq - 1, limit: 1 }, call)
  const [event] = events
  if (event === undefined) return last_seq < seq
  return event.seq === seq && timestamp !== null && event.timestamp !== timestamp
}

/** Opens a stream. A ticket is good for one stream, so each gets a new one. */
async function opened({ api, repeatable, open }: Requests, since: number, call: CallOptions): Promise<Response> {
  const { ticket } = await repeatable(call, (init) => api.POST('/v1/debug/ticket', init))
  const query = new URLSearchParams({ ticket, since: String(since) })
  try {
    return await open(`/v1/debug/stream?${query.toString()}`, {}, { ...call, retries: 0, hasToken: false, isRepeatable: false })
  } catch (error) {
    const isRefused = isEngramError(error) && error.kind === 'unauthorized'
    throw isRefused
      ? new EngramError({ kind: 'unreachable', detail: 'The ticket was not accepted: another node may have answered' })
      : error
  }
}

/** Returns whether the error is transient: the next try may succeed. */
export function isPassing({ kind }: EngramError): boolean {
  return kind === 'unreachable' || kind === 'unavailable' || kind === 'deadline' || kind === 'rate_limited'
}

interface Told {
  readonly item: DebugEvent | DebugGap
  /** Sequence number of its last event. */
  readonly to: number
  readonly timestamp: number | null
}

function toTold({ name, data }: ServerSentEvent): Told {
  const body = objectIn(data, 'An event') as DebugEvent
  if (name !== 'gap') return { item: body, to: body.seq, timestamp: body.timestamp }
  return { item: { kind: 'gap', missed: Number(body['missed']) }, to: Number(body['to_seq']), timestamp: null }
}
