/** The drift events that a region remembers: enough to be listed, and to know one that is told again. */
import type { DriftEvent } from '../../src/domain/commands/region-commands.js'
import { LOG_ENTRIES_MAX } from '../../src/domain/limits.js'

/** As it is stored. */
export interface LoggedEvent extends DriftEvent {
  /** Order of arrival, from 1. */
  readonly seq: number
}

/** At most LOG_ENTRIES_MAX events. */
export interface DriftLog {
  has(eventId: string): boolean
  /** Takes an event in. The oldest one leaves a full log, and is returned: it may be the one that came. */
  add(event: LoggedEvent): LoggedEvent | null
  /** At most `limit`, newest first; of the same time, the last to arrive first. */
  newest(limit: number): DriftEvent[]
}

/** `events` may come in any order; at most LOG_ENTRIES_MAX. */
export function createDriftLog(events: Iterable<LoggedEvent> = []): DriftLog {
  const newestFirst = [...events].sort((a, b) => (isNewer(a, b) ? -1 : 1))
  const ids = new Set(newestFirst.map(({ eventId }) => eventId))
  return {
    has: (eventId) => ids.has(eventId),
    add(event) {
      // Most come in their order, and so belong to the front.
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
  // Stryker disable next-line EqualityOperator: no two have one number, and times are compared that differ
  return a.timestamp === b.timestamp ? a.seq > b.seq : a.timestamp > b.timestamp
}
