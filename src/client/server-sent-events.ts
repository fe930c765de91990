/** Events of a stream, as they come. */
import { createParser } from 'eventsource-parser'
import { EngramError } from './engram-error.js'
import { toLost } from './refusals.js'
import type { Timers } from './timers.js'

export interface ServerSentEvent {
  /** Empty unless the stream names it. */
  readonly name: string
  readonly data: string
}

/** Characters of one event: what the service itself takes from others. */
const EVENT_CHARS_MAX = 4_194_304

export interface StreamLimits {
  /** Milliseconds without a byte after which the stream counts as lost. */
  readonly silentMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Ends with the stream. Rejects with an EngramError when it breaks off, falls silent, or is ended by `signal`. Leaving it cancels the
 * stream.
 */
export async function* serverSentEvents(
  { body }: Response,
  { silentMs, signal }: StreamLimits,
  timers: Timers
): AsyncGenerator<ServerSentEvent, void, undefined> {
  if (body === null) return
  let events: ServerSentEvent[] = []
  const parser = createParser({
    maxBufferSize: EVENT_CHARS_MAX,
    onEvent: ({ event: name = '', data }) => void events.push({ name, data })
  })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const part = await within(reader, { silentMs, signal }, timers)
      if (part.done) return
      parser.feed(decoder.decode(part.value as Uint8Array, { stream: true }))
      const told = events
      events = []
      yield* told
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

type Reader = ReadableStreamDefaultReader<unknown>

async function within(reader: Reader, { silentMs, signal }: StreamLimits, timers: Timers): ReturnType<Reader['read']> {
  const ending: { error?: EngramError } = {}
  const end = (error: EngramError) => {
    ending.error ??= error
    void reader.cancel().catch(() => undefined)
  }
  const onAbort = () => end(new EngramError({ kind: 'aborted', detail: 'The stream was ended by its reader' }))
  const cancel = timers.after(silentMs, () => end(new EngramError({ kind: 'unreachable', detail: 'The stream fell silent' })))
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted === true) onAbort()
  try {
    const part = await reader.read()
    if (ending.error !== undefined) throw ending.error
    return part
  } catch (error) {
    throw ending.error ?? toLost(error, undefined)
  } finally {
    cancel()
    signal?.removeEventListener('abort', onAbort)
  }
}
