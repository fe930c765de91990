/**
 * Sums of a subject's activity by day, read from stored records: a session writes its sums with every turn, so no session is asked, and
 * none counts as used.
 */
import { addedUp, type DaySum, dayOf } from '../../src/domain/day-counts.js'
import type { ActorStorage, Clock } from '../../src/ports.js'
import { readDaySums } from '../session/record/stored-head.js'
import { createRecordList } from './record-list.js'

interface SubjectDays {
  /** Oldest first, without days on which no session had a turn. */
  readonly days: readonly DaySum[]
  /** Number of sessions read. */
  readonly sessions: number
  /** Id of the last session read, if more come after it; else null. */
  readonly next: string | null
}

/** Sums over at most `limit` (1..1000) sessions with ids above `after`. Linear in their number. */
export type SumDays = (subject: string, query: { limit: number; after?: string }) => Promise<SubjectDays>

interface DaySumsOptions {
  readonly storage: Pick<ActorStorage, 'list' | 'heads'>
  readonly clock: Pick<Clock, 'now'>
}

export function createDaySums({ storage, clock }: DaySumsOptions): SumDays {
  const heads = createRecordList({ storage, kind: 'session', readItem: (_subject, _id, head) => readDaySums(head) })
  return async (subject, query) => {
    const { items, next } = await heads.page(subject, query)
    return { days: addedUp(items.flat(), dayOf(clock.now())), sessions: items.length, next }
  }
}
