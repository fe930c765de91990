/** What the service does, as it does it. There only where its debugger is. */
import { backoffMs, pause } from './attempts.js'
import { EngramError, isEngramError } from './engram-error.js'
import type { DebugEvent } from './optional-surfaces.js'
import { objectIn } from './refusals.js'
import type { CallOptions, Requests } from './requests.js'
import { type ServerSentEvent, serverSentEvents } from './server-sent-events.js'

/** Events that are missing: more came than are kept, or the service began to count anew. */
export interface DebugGap {
  readonly kind: 'gap'
  /** Null when nobody knows. */
  readonly missed: number | null
}

export interface EventOptions {
  /** The seq after which it begins, from 0, which is all that is kept. Default: from now on. */
  readonly since?: number | undefined
  /** Milliseconds for each connection to begin. Default as for other calls. */
  readonly deadlineMs?: number | undefined
  /** Tries in a row that may fail before it does. Default 10, within half a minute. */
  readonly retries?: number | undefined
  /** Called with true when a connection has begun, and with false when it is lost. */
  readonly onConnection?: ((isOpen: boolean) => void) | undefined
  /** Ends it: the iteration rejects with an EngramError of the kind `aborted`. */
  readonly signal?: AbortSignal | undefined
}

/** Milliseconds: the service gives a sign of life every 15 s. */
const SILENT_MS_MAX = 45_000

const RETRIES = 10

/** The last event that was given, or where it begins. */
interface Place {
  readonly seq: number
  /** Null where it is not known. */
  readonly timestamp: number | null
}

export function createDebug(requests: Requests) {
  const { api, repeatable } = requests
  const recent = (query: { since?: number | undefined; limit?: number | undefined } = {}, options?: CallOptions) =>
    repeatable(options, (init) => api.GET('/v1/debug/recent', { params: { query }, ...init }))
  return {
    /**
     * Every event after `since`, once and in order, until the loop is left or `signal` ends it. A connection that breaks is made anew
     * with a new ticket, and goes on where it was. Behind a balancer it has to stay with one node, as each one counts its own events.
     */
    events: (options: EventOptions = {}) => followed(requests, recent, options),
    /** Events that are kept, oldest first. `last_seq` is the `since` of the next call. */
    recent,
    /** The parts of the service, and how they belong together. */
    topology: (options?: CallOptions) => repeatable(options, (init) => api.GET('/v1/debug/topology', init)),
    /** The state charts of the service. */
    machines: (options?: CallOptions) => repeatable(options, (init) => api.GET('/v1/debug/machines', init)),
    /** Where the state charts of an active actor are. */
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
        // The next connection finds out what has become of the count.
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

/** The last event there is. */
async function latest(recent: Recent, call: CallOptions): Promise<Place> {
  const { events, last_seq } = await recent({ limit: 1 }, call)
  return { seq: last_seq, timestamp: events[0]?.timestamp ?? null }
}

/** Whether the event at `place` is not there any more, or is another one: then the service was started anew. */
async function isCountedAnew(recent: Recent, { seq, timestamp }: Place, call: CallOptions): Promise<boolean> {
  if (seq === 0) return false
  const { events, last_seq } = await recent({ since: seq - 1, limit: 1 }, call)
  const [event] = events
  if (event === undefined) return last_seq < seq
  return event.seq === seq && timestamp !== null && event.timestamp !== timestamp
}

/** A stream, with a ticket of its own: each is good for one. */
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

/** Whether it may go well the next time. */
export function isPassing({ kind }: EngramError): boolean {
  return kind === 'unreachable' || kind === 'unavailable' || kind === 'deadline' || kind === 'rate_limited'
}

interface Told {
  readonly item: DebugEvent | DebugGap
  /** The seq that it ends at. */
  readonly to: number
  readonly timestamp: number | null
}

function toTold({ name, data }: ServerSentEvent): Told {
  const body = objectIn(data, 'An event') as DebugEvent
  if (name !== 'gap') return { item: body, to: body.seq, timestamp: body.timestamp }
  return { item: { kind: 'gap', missed: Number(body['missed']) }, to: Number(body['to_seq']), timestamp: null }
}
