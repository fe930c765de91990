/** Log of a region's last drift events, for listings and to recognise repeated events. */
import type { DriftEvent } from '../../src/domain/commands/region-commands.js'
import { LOG_ENTRIES_MAX } from '../../src/domain/limits.js'

/** Drift event as stored. */
export interface LoggedEvent extends DriftEvent {
  /** Order of arrival, from 1. */
  readonly seq: number
}

/** At most LOG_ENTRIES_MAX events. */
export interface DriftLog {
  has(eventId: string): boolean
  /** Adds an event. Returns the oldest event, which a full log drops, and which may be the added one; else null. */
  add(event: LoggedEvent): LoggedEvent | null
  /** Returns at most `limit` events, newest first; among equal times, the last to arrive first. */
  newest(limit: number): DriftEvent[]
}

/** Creates a log of at most LOG_ENTRIES_MAX `events`, given in any order. */
export function createDriftLog(events: Iterable<LoggedEvent> = []): DriftLog {
  const newestFirst = [...events].sort((a, b) => (isNewer(a, b) ? -1 : 1))
  const ids = new Set(newestFirst.map(({ eventId }) => eventId))
  return {
    has: (eventId) => ids.has(eventId),
    add(event) {
      // Most events arrive in order, and belong at the front.
      const at = newestFirst.findIndex((other) => isNewer(event, other))
      newestFirst.splice(at === -1 ? newestFirst.length : at, 0, event)
      ids.add(event.eventId)
      const dropped = newestFirst.length > LOG_ENTRIES_MAX ? newestFirst.pop() : undefined
      if (dropped === undefined) return null
      ids.delete(dropped.eventId)
      return dropped
    },
    newest: (limit) => newestFirst.slice(0, limit).map(({ seq: _, ...event }) => event)
  }
}

function isNewer(a: LoggedEvent, b: LoggedEvent): boolean {
  // Stryker disable next-line EqualityOperator: all numbers differ, and only different times are compared
  return a.timestamp === b.timestamp ? a.seq > b.seq : a.timestamp > b.timestamp
}
