/** The last events that one subject may see, numbered per subject, and the readers that follow them. */
import { totalOf, weightOf } from '../domain/fairness/weight.js'
import type { Cancel, DebugEvent } from '../ports.js'

export interface RecordedEvent {
  /** Counts up from 1 over the events that the subject may see, so it reveals nothing about others. */
  readonly seq: number
  /** Epoch seconds. */
  readonly timestamp: number
  readonly event: DebugEvent
}

/** An event in the ring, and its bytes there. */
type Kept = RecordedEvent & { readonly bytes: number }

/** Maximum bytes of one replay, and of one read of a stream, which then return fewer events: some events contain long lists. */
const READ_BYTES_MAX = 4 * 1024 * 1024
const TAKEN_BYTES_MAX = 256 * 1024

/** Events that a reader has missed. */
export interface Gap {
  readonly missed: number
  readonly fromSeq: number
  readonly toSeq: number
}

/** The next items of a reader: first the gap, if any, then events by their seq. */
export interface Reading {
  readonly gap: Gap | null
  readonly events: readonly RecordedEvent[]
}

export interface Follower {
  /** Returns at most `max` events, which is 1 or more; fewer when they are large, none when there is nothing new. */
  take(max: number): Reading
  /** Idempotent. */
  close: Cancel
}

export interface EventLog {
  readonly isFollowed: boolean
  add(event: DebugEvent, timestamp: number): void
  /**
   * Returns at most `limit` events after `since`, oldest first, and fewer when they are large. Without `since` it returns the latest ones.
   * `lastSeq` is the `since` of the next call.
   */
  read(query: { since?: number; limit: number }): { readonly events: readonly RecordedEvent[]; readonly lastSeq: number }
  follow(options: { since?: number; woken: () => void }): Follower
  /** Empties the ring. Numbering continues, and readers that had not come so far learn of a gap. */
  forget(): void
}

interface EventLogOptions {
  /** Maximum number of events, from 1. */
  readonly ringMax: number
  /** Maximum bytes of all events. Default: unlimited. */
  readonly bytesMax?: number
}

/** A ring buffer. A reader is a position in it and has no queue of its own. */
export function createEventLog({ ringMax, bytesMax = Infinity }: EventLogOptions): EventLog {
  let ring: (Kept | undefined)[] = []
  let lastSeq = 0
  let firstSeq = 1
  let bytes = 0
  const listeners = new Set<() => void>()

  function dropFirst(): void {
    const place = (firstSeq - 1) % ringMax
    bytes -= ring[place]?.bytes ?? 0
    ring[place] = undefined
    firstSeq += 1
  }
  function after(seq: number, limit: number, most: number): RecordedEvent[] {
    const found: RecordedEvent[] = []
    let taken = 0
    for (let at = Math.max(seq + 1, firstSeq); at <= lastSeq && found.length < limit; at++) {
      const kept = ring[(at - 1) % ringMax]
      if (kept === undefined) continue
      taken += kept.bytes
      if (taken > most && found.length > 0) break
      found.push({ seq: kept.seq, timestamp: kept.timestamp, event: kept.event })
    }
    return found
  }
  /** Position after these events; the end if there are none. */
  const next = (events: readonly RecordedEvent[]): number => events.at(-1)?.seq ?? lastSeq
  /** Seq of the oldest of the latest `limit` events. */
  function latest(limit: number): number {
    let from = lastSeq + 1
    let count = 0
    let taken = 0
    while (from > firstSeq && count < limit) {
      taken += ring[(from - 2) % ringMax]?.bytes ?? 0
      if (taken > READ_BYTES_MAX && count > 0) break
      from -= 1
      count += 1
    }
    return from
  }

  return {
    get isFollowed() {
      return listeners.size > 0
    },
    add(event, timestamp) {
      if (lastSeq - firstSeq + 1 === ringMax) dropFirst()
      lastSeq += 1
      const own = totalOf(weightOf(event))
      ring[(lastSeq - 1) % ringMax] = { seq: lastSeq, timestamp, event, bytes: own }
      bytes += own
      while (bytes > bytesMax) dropFirst()
      for (const woken of listeners) woken()
    },
    read({ since, limit }) {
      if (since === undefined) return { events: after(latest(limit) - 1, limit, Infinity), lastSeq }
      const events = after(since, limit, READ_BYTES_MAX)
      return { events, lastSeq: next(events) }
    },
    follow({ since, woken }) {
      // A `since` beyond the end, from an earlier process, continues at the end.
      let place = Math.min(since ?? lastSeq, lastSeq)
      // A function of its own, so that following twice with the same `woken` makes two listeners.
      const listener = (): void => woken()
      listeners.add(listener)
      return {
        take(max) {
          const gap = gapBetween(place, firstSeq)
          const events = after(place, max, TAKEN_BYTES_MAX)
          place = next(events)
          return { gap, events }
        },
        close: () => void listeners.delete(listener)
      }
    },
    forget() {
      ring = []
      bytes = 0
      firstSeq = lastSeq + 1
    }
  }
}

function gapBetween(seq: number, firstSeq: number): Gap | null {
  const missed = firstSeq - 1 - seq
  return missed <= 0 ? null : { missed, fromSeq: seq + 1, toSeq: firstSeq - 1 }
}
