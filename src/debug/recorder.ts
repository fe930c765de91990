/**
 * Keeps the last debug events of each subject and notifies those who follow them. Each subject has its own ring and numbering, so that the
 * activity of others neither shows nor evicts anything.
 */
import { TRACED_SUBJECTS_MAX } from '../domain/fairness/allowances.js'
import type { Clock, Tracer } from '../ports.js'
import { createEventLog, type EventLog, type Follower, type RecordedEvent } from './event-log.js'
import { isShowable } from './visibility.js'

export interface Recorder {
  readonly tracer: Tracer
  /**
   * Returns at most `limit` events of a subject after `since`, oldest first; without `since` the latest ones. `lastSeq` is the `since` of
   * the next call.
   */
  read(subject: string, query: { since?: number; limit: number }): { readonly events: readonly RecordedEvent[]; readonly lastSeq: number }
  /**
   * Follows a subject's events after `since`, or from now on. `woken` is called for each new event: it has to be cheap and must not throw.
   */
  follow(subject: string, options: { since?: number; woken: () => void }): Follower
  /** Empties the ring of the subject, or of all: after an erasure nothing may remain, not even hashes. Numbering continues. */
  forget(subject?: string): void
}

interface RecorderOptions {
  readonly clock: Clock
  /** Maximum events per subject, from 1. */
  readonly ringMax: number
  /**
   * Maximum bytes of all events, shared equally by the subjects, so that nobody's ring reveals anything about others. Default: unlimited.
   */
  readonly bytesMax?: number
  /** False: nothing is kept, and the tracer reports that. */
  readonly isTracing: boolean
}

export function createRecorder({ clock, ringMax, bytesMax = Infinity, isTracing }: RecorderOptions): Recorder {
  // One more share, for events that belong to nobody.
  const ring = { ringMax, bytesMax: bytesMax / (TRACED_SUBJECTS_MAX + 1) }
  // In order of their last use.
  const logs = new Map<string, EventLog>()
  const unowned = createEventLog(ring)

  function logOf(subject: string): EventLog {
    const log = logs.get(subject) ?? begin()
    logs.delete(subject)
    logs.set(subject, log)
    trim(subject)
    return log
  }

  /** Evicts a log above the maximum, but not that of the subject being served, which may not be followed yet. */
  function trim(served: string | null): void {
    if (logs.size <= TRACED_SUBJECTS_MAX) return
    const idle = [...logs].find(([name, { isFollowed }]) => name !== served && !isFollowed)
    if (idle !== undefined) logs.delete(idle[0])
    let excess = logs.size - TRACED_SUBJECTS_MAX
    for (const log of logs.values()) if (excess-- > 0) log.forget()
  }

  /** Creates a log that starts with the events that belong to nobody, which everybody may see. */
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
