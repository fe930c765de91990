/** Reads server-sent events from a streamed answer. */
import { createParser } from 'eventsource-parser'
import { EngramError } from './engram-error.js'
import { piecesOf, type StreamLimits } from './pieces.js'
import type { Timers } from './timers.js'

export interface ServerSentEvent {
  /** Empty unless the stream names the event. */
  readonly name: string
  readonly data: string
}

/** Maximum characters of one event: the same bound that the service sets for its upstream. */
const EVENT_CHARS_MAX = 4_194_304

/** Yields events until the stream ends. Rejects, and may be left, as `piecesOf` may. */
export async function* serverSentEvents(
  response: Response,
  limits: StreamLimits,
  timers: Timers
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let events: ServerSentEvent[] = []
  const parser = createParser({
    maxBufferSize: EVENT_CHARS_MAX,
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') throw new EngramError({ kind: 'unexpected', detail: 'An event of the stream is too long' })
    },
    onEvent: ({ event: name = '', data }) => void events.push({ name, data })
  })
  const decoder = new TextDecoder()
  for await (const piece of piecesOf(response, limits, timers)) {
    parser.feed(decoder.decode(piece, { stream: true }))
    const told = events
    events = []
    yield* told
  }
}
