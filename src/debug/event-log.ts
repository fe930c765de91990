/** The last events that one subject may see, numbered for it alone, and those who follow them. */
import type { Cancel, DebugEvent } from '../ports.js'

export interface RecordedEvent {
  /** From 1, one more for each event that the subject may see: it says nothing of what others do. */
  readonly seq: number
  /** Epoch seconds. */
  readonly timestamp: number
  readonly event: DebugEvent
}

/** Events that a reader has missed. */
export interface Gap {
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

export interface EventLog {
  readonly isFollowed: boolean
  add(event: DebugEvent, timestamp: number): void
  /** Events after `since`, oldest first, at most `limit`; without `since` the latest ones. `lastSeq` is where to go on. */
  read(query: { since?: number; limit: number }): { readonly events: readonly RecordedEvent[]; readonly lastSeq: number }
  follow(options: { since?: number; woken: () => void }): Follower
  /** Empties the ring; numbers go on. */
  forget(): void
}

/** A ring of `ringMax` events, from 1. Readers have a place in it and no queue of their own. */
export function createEventLog(ringMax: number): EventLog {
  let ring: (RecordedEvent | undefined)[] = []
  let lastSeq = 0
  const listeners = new Set<() => void>()
  const firstSeq = (): number => Math.max(1, lastSeq - ringMax + 1)

  function after(seq: number, limit: number): RecordedEvent[] {
    const found: RecordedEvent[] = []
    for (let at = Math.max(seq + 1, firstSeq()); at <= lastSeq && found.length < limit; at++) {
      const recorded = ring[(at - 1) % ringMax]
      if (recorded !== undefined) found.push(recorded)
    }
    return found
  }

  return {
    get isFollowed() {
      return listeners.size > 0
    },
    add(event, timestamp) {
      lastSeq += 1
      ring[(lastSeq - 1) % ringMax] = { seq: lastSeq, timestamp, event }
      for (const woken of listeners) woken()
    },
    read({ since, limit }) {
      if (since === undefined) return { events: after(Math.max(0, lastSeq - limit), limit), lastSeq }
      const events = after(since, limit)
      return { events, lastSeq: events.length < limit ? lastSeq : (events.at(-1)?.seq ?? lastSeq) }
    },
    follow({ since, woken }) {
      // Beyond the end there is nothing yet, whatever an earlier process had.
      let place = Math.min(since ?? lastSeq, lastSeq)
      // Its own, also where two are followed with one function.
      const listener = (): void => woken()
      listeners.add(listener)
      return {
        take(max) {
          const gap = gapBetween(place, firstSeq())
          const events = after(place, max)
          place = events.length < max ? lastSeq : (events.at(-1)?.seq ?? lastSeq)
          return { gap, events }
        },
        close: () => void listeners.delete(listener),
      }
    },
    forget() {
      ring = []
    },
  }
}

function gapBetween(seq: number, firstSeq: number): Gap | null {
  const missed = firstSeq - 1 - seq
  return missed <= 0 ? null : { missed, fromSeq: seq + 1, toSeq: firstSeq - 1 }
}
