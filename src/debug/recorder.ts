/**
 * Keeps the last debug events of each subject, and tells those who follow them. Rings and numbers are a subject's own: what others do
 * neither shows in them nor pushes anything out.
 */
import type { Clock, Tracer } from '../ports.js'
import { createEventLog, type EventLog, type Follower, type RecordedEvent } from './event-log.js'
import { isShowable } from './visibility.js'

/**
 * Subjects whose events are kept at once. Of those that nobody follows the one longest without an event or a reader goes; where all are
 * followed, that one keeps nothing, and its readers learn of a gap.
 */
export const LOGS_MAX = 64

export interface Recorder {
  readonly tracer: Tracer
  /** A subject's events after `since`, oldest first, at most `limit`. Without `since` the latest ones. `lastSeq` is where to go on. */
  read(subject: string, query: { since?: number; limit: number }): { readonly events: readonly RecordedEvent[]; readonly lastSeq: number }
  /** Follows a subject's events after `since`, or from now on. `woken` is called for each new one: it must be cheap, and never throw. */
  follow(subject: string, options: { since?: number; woken: () => void }): Follower
  /** Empties the subject's ring, or all: after an erasure nothing may be left, not even hashes. Numbers go on. */
  forget(subject?: string): void
}

export interface RecorderOptions {
  readonly clock: Clock
  /** Events of a subject, from 1. */
  readonly ringMax: number
  /** Bytes of all events; each subject has the same share, so that nobody's ring tells of others. Default: any. */
  readonly bytesMax?: number
  /** False: it keeps nothing, and its tracer says so. */
  readonly isTracing: boolean
}

export function createRecorder({ clock, ringMax, bytesMax = Infinity, isTracing }: RecorderOptions): Recorder {
  // One more for what nobody owns.
  const ring = { ringMax, bytesMax: bytesMax / (LOGS_MAX + 1) }
  // In the order of their last use.
  const logs = new Map<string, EventLog>()
  const unowned = createEventLog(ring)

  function logOf(subject: string): EventLog {
    const log = logs.get(subject) ?? begin()
    logs.delete(subject)
    logs.set(subject, log)
    trim(subject)
    return log
  }

  /** Gives back what logs beyond the cap hold, but for that of the subject that is served: it may not be followed yet. */
  function trim(served: string | null): void {
    if (logs.size <= LOGS_MAX) return
    const idle = [...logs].find(([name, { isFollowed }]) => name !== served && !isFollowed)
    if (idle !== undefined) logs.delete(idle[0])
    let excess = logs.size - LOGS_MAX
    for (const log of logs.values()) if (excess-- > 0) log.forget()
  }

  /** With what nobody owns and everybody may see. */
  function begin(): EventLog {
    const log = createEventLog(ring)
    for (const { event, timestamp } of unowned.read({ limit: ringMax }).events) log.add(event, timestamp)
    return log
  }

  return {
    tracer: {
      isEnabled: isTracing,
      emit(event) {
        if (!isTracing || !isShowable(event)) return
        const now = clock.now()
        if (event.subject !== null) logOf(event.subject).add(event, now)
        else {
          for (const log of [unowned, ...logs.values()]) log.add(event, now)
          trim(null)
        }
      }
    },
    read: (subject, query) => logOf(subject).read(query),
    follow: (subject, options) => logOf(subject).follow(options),
    forget(subject) {
      const emptied = subject === undefined ? [unowned, ...logs.values()] : [logs.get(subject)]
      for (const log of emptied) log?.forget()
    }
  }
}
