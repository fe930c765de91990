/** Debug events on the wire: the same shape in the stream and in the replay. */
import type { Gap, Reading, RecordedEvent } from '../../debug/event-log.js'
import type { Pieces } from '../../domain/pieces.js'
import { toSnakeCase } from '../../domain/wire-names.js'

/** Takes some tenths of a millisecond. */
const EVENTS_A_PIECE = 64

/** `{seq, timestamp, kind, session_id?, …}`. Fields, Debugger. */
export function toEventBody({ seq, timestamp, event }: RecordedEvent): Record<string, unknown> {
  const { kind, sessionId, data } = event
  const common = { seq, timestamp, kind, ...(sessionId !== undefined && { session_id: sessionId }) }
  // First for readability, and again so that nothing in `data` overrides these fields.
  return { ...common, ...(inSnakeCase(data) as object), ...common }
}

/** Converts many events, in pieces. */
export function* toEventBodies(events: readonly RecordedEvent[]): Pieces<Record<string, unknown>[]> {
  const bodies: Record<string, unknown>[] = []
  for (const event of events) {
    bodies.push(toEventBody(event))
    if (bodies.length % EVENTS_A_PIECE === 0) yield
  }
  return bodies
}

/** Formats a reading as server-sent events; empty when there is nothing. A gap precedes the events after it. */
export function toFrames({ gap, events }: Reading): string {
  const frames = events.map((recorded) => frame(recorded.event.kind, recorded.seq, toEventBody(recorded)))
  return [...(gap === null ? [] : [gapFrame(gap)]), ...frames].join('')
}

function gapFrame({ missed, fromSeq, toSeq }: Gap): string {
  return frame('gap', toSeq, { missed, from_seq: fromSeq, to_seq: toSeq })
}

// JSON has no line breaks outside of strings and escapes those inside, so one data line is enough.
function frame(kind: string, seq: number, body: object): string {
  return `id: ${String(seq)}\nevent: ${kind}\ndata: ${JSON.stringify(body)}\n\n`
}

/** Converts only names of fields; values are unchanged. */
function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [toSnakeCase(name), inSnakeCase(field)]))
}
