/**
 * Keeps the last debug events in a ring, and tells those who follow them. Readers have a place in the ring and no queue of their
 * own: an event costs the same however slow they are, and one that the ring overtakes loses events and is told how many.
 */
import type { Cancel, Clock, DebugEvent, Tracer } from '../ports.js'
import { isShowable, isVisible } from './visibility.js'

export interface RecordedEvent {
  /** From 1, one more for each event of the process, whosever it is. */
  readonly seq: number
  /** Epoch seconds. */
  readonly timestamp: number
  readonly event: DebugEvent
}

/** Events that a reader has missed. */
export interface Gap {
  /** Exact for a reader that was too slow; for one that began after the ring's start, those of everybody. */
  readonly missed: number
  readonly fromSeq: number
  readonly toSeq: number
}

/** What comes next: first what is missing, then events by their seq. */
export interface Reading {
  readonly gap: Gap | null
  readonly events: readonly RecordedEvent[]
}

export interface Follower {
  /** At most `max` events, from 1; none when there is nothing new. */
  take(max: number): Reading
  /** Twice is fine. */
  close: Cancel
}

export interface Recorder {
  readonly tracer: Tracer
  /** A subject's events after `since`, oldest first, at most `limit`. Without `since` the latest ones. `lastSeq` is where to go on. */
  read(subject: string, query: { since?: number; limit: number }): { readonly events: readonly RecordedEvent[]; readonly lastSeq: number }
  /** Follows a subject's events after `since`, or from now on. `woken` is called for each new one: it must be cheap, and never throw. */
  follow(subject: string, options: { since?: number; woken: () => void }): Follower
  /** Empties the ring: after an erasure nothing may be left, not even hashes. Numbers go on. */
  forget(): void
}

interface Place {
  readonly subject: string
  readonly woken: () => void
  /** Seq of the last event that was taken or lost. */
  seq: number
  gap: Gap | null
}

/** A recorder of `ringMax` events, from 1. With `isTracing` off it keeps nothing, and its tracer says so. */
export function createRecorder({ clock, ringMax, isTracing }: { clock: Clock; ringMax: number; isTracing: boolean }): Recorder {
  let ring: (RecordedEvent | undefined)[] = []
  let lastSeq = 0
  const places = new Set<Place>()
  const slotOf = (seq: number): number => (seq - 1) % ringMax
  const firstSeq = (): number => Math.max(1, lastSeq - ringMax + 1)
  // A number of the future is one of an earlier process: its reader has seen nothing of this one.
  const startOf = (since: number): number => (since > lastSeq ? 0 : since)

  function emit(event: DebugEvent): void {
    if (!isTracing || !isShowable(event)) return
    lastSeq += 1
    const slot = slotOf(lastSeq)
    const overwritten = ring[slot]
    ring[slot] = { seq: lastSeq, timestamp: clock.now(), event }
    for (const place of places) {
      if (overwritten !== undefined && overwritten.seq > place.seq) lose(place, overwritten)
      if (isVisible(event, place.subject)) place.woken()
    }
  }

  function* visibleAfter(seq: number, subject: string): Generator<RecordedEvent> {
    for (let at = Math.max(seq + 1, firstSeq()); at <= lastSeq; at++) {
      const recorded = ring[slotOf(at)]
      if (recorded !== undefined && isVisible(recorded.event, subject)) yield recorded
    }
  }

  function take(place: Place, max: number): Reading {
    const { gap } = place
    place.gap = null
    const events: RecordedEvent[] = []
    for (const recorded of visibleAfter(place.seq, place.subject)) {
      if (events.length === max) return { gap, events }
      events.push(recorded)
      place.seq = recorded.seq
    }
    place.seq = lastSeq
    return { gap, events }
  }

  return {
    tracer: { isEnabled: isTracing, emit },
    read(subject, { since, limit }) {
      const found = [...visibleAfter(startOf(since ?? 0), subject)]
      if (since === undefined) return { events: found.slice(-limit), lastSeq }
      const events = found.slice(0, limit)
      return { events, lastSeq: events.length < found.length ? (events.at(-1)?.seq ?? lastSeq) : lastSeq }
    },
    follow(subject, { since, woken }) {
      const seq = since === undefined ? lastSeq : startOf(since)
      const place: Place = { subject, woken, seq, gap: gapBetween(seq, firstSeq()) }
      places.add(place)
      return { take: (max) => take(place, max), close: () => void places.delete(place) }
    },
    forget() {
      ring = []
    },
  }
}

/** The event leaves the ring before the reader came to it. */
function lose(place: Place, { seq, event }: RecordedEvent): void {
  place.seq = seq
  if (!isVisible(event, place.subject)) return
  const { gap } = place
  place.gap = gap === null ? { missed: 1, fromSeq: seq, toSeq: seq } : { ...gap, missed: gap.missed + 1, toSeq: seq }
}

function gapBetween(seq: number, firstSeq: number): Gap | null {
  const missed = firstSeq - 1 - seq
  return missed <= 0 ? null : { missed, fromSeq: seq + 1, toSeq: firstSeq - 1 }
}
