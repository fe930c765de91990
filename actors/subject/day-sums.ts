/**
 * Adds up what a subject's sessions did by day, from what storage last took in: a session writes its sums with its turn, so nobody is asked
 * and none is used.
 */
import { addedUp, type DaySum, dayOf } from '../../src/domain/day-counts.js'
import type { ActorStorage, Clock } from '../../src/ports.js'
import { readDaySums } from '../session/record/stored-head.js'
import { createRecordList } from './record-list.js'

export interface SubjectDays {
  /** Oldest first; days on which no session had a turn are left out. */
  readonly days: readonly DaySum[]
  /** Sessions that were looked at. */
  readonly sessions: number
  /** The last of these sessions, where more come after it; else null. */
  readonly next: string | null
}

/** The sums over at most `limit` (1..1000) sessions with ids above `after`. Linear in them. */
export type SumDays = (subject: string, query: { limit: number; after?: string }) => Promise<SubjectDays>

export interface DaySumsOptions {
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
