/**
 * Lists a subject's sessions from storage. No session is asked: a stored one would have to be activated at the expense of an active one,
 * and an active one would count as used, so that a listing would change which session is evicted next and which was used last.
 */
import type { SessionPage, SessionSummary } from '../../src/domain/session-list.js'
import type { ActorStorage, Clock } from '../../src/ports.js'
import { unlessRefused } from '../asking/answers.js'
import type { Ask } from '../asking/ask.js'
import { readSummary, type StoredSummary } from '../session/record/stored-head.js'
import type { LiveSessions } from './live-sessions.js'
import { createRecordList } from './record-list.js'

/** Sessions per page when all are read. */
const PAGE_SESSIONS = 200

/** Deadline in milliseconds for the rare session that has to be asked; the caller's own deadline is longer. */
const METRICS_MS_MAX = 10_000

interface SessionListOptions {
  readonly storage: Pick<ActorStorage, 'list' | 'heads'>
  readonly live: Pick<LiveSessions, 'activeIds'>
  readonly ask: Ask
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Returns one page: at most `limit` (1..1000) sessions with ids above `after`. Sessions that end meanwhile may be left out. `contains`:
 * only sessions whose id contains it, case-insensitive; a page may then be short or empty and still have a next one.
 */
type ListSessions = (subject: string, query: { limit: number; after?: string; contains?: string }) => Promise<SessionPage>

export function createSessionList(options: SessionListOptions): ListSessions {
  const records = createRecordList({
    storage: options.storage,
    kind: 'session',
    async readItem(subject, id, head) {
      const summary = await summaryOf(options, { subject, id, head })
      return summary === null ? null : { sessionId: id, ...summary }
    }
  })
  return async (subject, { contains, ...query }) => {
    const wanted = contains?.toLowerCase()
    const accept = wanted === undefined ? {} : { accept: (id: string) => id.toLowerCase().includes(wanted) }
    const { items, next } = await records.page(subject, { ...query, ...accept })
    const active = new Set(await options.live.activeIds(subject))
    return { sessions: items.map((item) => ({ ...item, state: active.has(item.sessionId) ? 'active' : 'stored' })), next }
  }
}

/**
 * Returns the id of the subject's used session with the latest stored activity; null if there is none. Reads all sessions: for a freshly
 * started node.
 */
export async function lastStoredSession(listSessions: ListSessions, subject: string): Promise<string | null> {
  let last: SessionSummary | null = null
  for (let after: string | null | undefined; after !== null;) {
    const page: SessionPage = await listSessions(subject, { limit: PAGE_SESSIONS, ...(after !== undefined && { after }) })
    for (const session of page.sessions) if (session.isUsed && (last === null || session.lastActiveAt > last.lastActiveAt)) last = session
    after = page.next
  }
  return last?.sessionId ?? null
}

type Summary = Omit<SessionSummary, 'sessionId' | 'state'>

async function summaryOf(
  options: SessionListOptions,
  { subject, id, head }: { subject: string; id: string; head: unknown }
): Promise<Summary | null> {
  const stored = readSummary(head)
  if (isDue(stored, options.clock.now())) return countedSummary(options, subject, id)
  const { modelName, totalMemories, lastActiveAt, isUsed } = stored
  return { modelName, totalMemories, lastActiveAt, isUsed }
}

/** Whether memories have expired since the head was written: only the session itself can tell how many are left. */
function isDue({ expiresNext }: StoredSummary, now: number): boolean {
  return expiresNext !== null && expiresNext <= now
}

async function countedSummary({ ask }: SessionListOptions, subject: string, id: string): Promise<Summary | null> {
  const asked = ask({ kind: 'session', subject, id }, { type: 'session.metrics' }, { deadlineMs: METRICS_MS_MAX })
  const metrics = await unlessRefused(asked, ['session_missing'])
  if (metrics === null) return null
  const { modelName, totalMemories, lastActiveAt } = metrics
  return { modelName, totalMemories, lastActiveAt, isUsed: true }
}
