/** Debug events as they are sent: one shape for the stream and for the replay. */
import type { Gap, Reading, RecordedEvent } from '../../debug/event-log.js'
import type { Pieces } from '../../domain/pieces.js'
import { toSnakeCase } from '../../domain/wire-names.js'

/** Some tenths of a millisecond. */
const EVENTS_A_PIECE = 64

/** `{seq, timestamp, kind, session_id?, …}`. Fields, Debugger. */
export function toEventBody({ seq, timestamp, event }: RecordedEvent): Record<string, unknown> {
  const { kind, sessionId, data } = event
  const common = { seq, timestamp, kind, ...(sessionId !== undefined && { session_id: sessionId }) }
  // First for the reader, and again so that nothing takes their place.
  return { ...common, ...(inSnakeCase(data) as object), ...common }
}

/** The same of many events, in pieces. */
export function* toEventBodies(events: readonly RecordedEvent[]): Pieces<Record<string, unknown>[]> {
  const bodies: Record<string, unknown>[] = []
  for (const event of events) {
    bodies.push(toEventBody(event))
    if (bodies.length % EVENTS_A_PIECE === 0) yield
  }
  return bodies
}

/** Frames of server-sent events; empty when there is nothing. A gap comes before what follows it. */
export function toFrames({ gap, events }: Reading): string {
  const frames = events.map((recorded) => frame(recorded.event.kind, recorded.seq, toEventBody(recorded)))
  return [...(gap === null ? [] : [gapFrame(gap)]), ...frames].join('')
}

function gapFrame({ missed, fromSeq, toSeq }: Gap): string {
  return frame('gap', toSeq, { missed, from_seq: fromSeq, to_seq: toSeq })
}

// JSON has no line break outside of strings, and writes those inside as escapes: one data line is enough.
function frame(kind: string, seq: number, body: object): string {
  return `id: ${String(seq)}\nevent: ${kind}\ndata: ${JSON.stringify(body)}\n\n`
}

/** Names of fields only: what they hold stays as it is. */
function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [toSnakeCase(name), inSnakeCase(field)]))
}
