/**
 * Lists a subject's sessions from what storage last took in. No session is asked for it: a stored one would have to be
 * activated, at the cost of an active one, and an active one would count as used, so that a listing would change
 * which session is evicted next and which is the most recently used.
 */
import type { Catalog } from './catalog.js'
import type { Ask } from './ask.js'
import { readSummary, type StoredSummary } from './session/stored-head.js'
import type { SessionPage, SessionSummary } from '../src/domain/session-list.js'
import { isDomainError } from '../src/domain/errors.js'
import type { ActorStorage, Clock } from '../src/ports.js'

/** Point reads at the same time: more would only wait for each other in the storage's pool. */
const READS_MAX = 16

/** Sessions of one page when all are read. */
const PAGE_SESSIONS = 200

/** For the rare session that has to be asked; the caller's own deadline is longer. */
const METRICS_MS_MAX = 10_000

export interface SessionListOptions {
  readonly storage: Pick<ActorStorage, 'list' | 'peek'>
  readonly catalog: Pick<Catalog, 'activeIds'>
  readonly ask: Ask
  readonly clock: Pick<Clock, 'now'>
}

/** One page: at most `limit` (1..1000) sessions with ids above `after`. Sessions that end meanwhile may be left out. */
export type ListSessions = (subject: string, query: { limit: number; after?: string }) => Promise<SessionPage>

export function createSessionList(options: SessionListOptions): ListSessions {
  return async (subject, { limit, after }) => {
    const range = after === undefined ? {} : { after }
    // One more than asked for tells whether there is a next page.
    const ids = await options.storage.list({ kind: 'session', subject, limit: limit + 1, ...range })
    const page = ids.slice(0, limit)
    const active = new Set(options.catalog.activeIds(subject))
    const sessions: SessionSummary[] = []
    for (let at = 0; at < page.length; at += READS_MAX) {
      const reads = page.slice(at, at + READS_MAX).map(async (id) => {
        const summary = await summaryOf(options, subject, id)
        return summary === null ? [] : [{ sessionId: id, state: active.has(id) ? ('active' as const) : ('stored' as const), ...summary }]
      })
      sessions.push(...(await Promise.all(reads)).flat())
    }
    return { sessions, next: ids.length > limit ? (page.at(-1) ?? null) : null }
  }
}

/** Id of the subject's session with the latest activity, as stored; null when it has none. Reads them all: for a node that has just started. */
export async function lastStoredSession(listSessions: ListSessions, subject: string): Promise<string | null> {
  let last: SessionSummary | null = null
  for (let after: string | null | undefined; after !== null; ) {
    const page: SessionPage = await listSessions(subject, { limit: PAGE_SESSIONS, ...(after !== undefined && { after }) })
    for (const session of page.sessions) if (last === null || session.lastActiveAt > last.lastActiveAt) last = session
    after = page.next
  }
  return last?.sessionId ?? null
}

type Summary = Omit<SessionSummary, 'sessionId' | 'state'>

async function summaryOf(options: SessionListOptions, subject: string, id: string): Promise<Summary | null> {
  const record = await options.storage.peek({ kind: 'session', subject, id })
  if (record === null) return null
  const stored = readSummary(record.head)
  return isDue(stored, options.clock.now()) ? countedSummary(options, subject, id) : stored
}

/** Whether memories have expired since: only their owner can tell how many are left. */
function isDue({ expiresNext }: StoredSummary, now: number): boolean {
  return expiresNext !== null && expiresNext <= now
}

async function countedSummary({ ask }: SessionListOptions, subject: string, id: string): Promise<Summary | null> {
  try {
    const address = { kind: 'session', subject, id } as const
    const { modelName, totalMemories, lastActiveAt } = await ask(address, { type: 'session.metrics' }, { deadlineMs: METRICS_MS_MAX })
    return { modelName, totalMemories, lastActiveAt }
  } catch (error) {
    if (isDomainError(error) && error.code === 'session_missing') return null
    throw error
  }
}
