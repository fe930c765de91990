/** Lists the sessions of a subject from storage. None is asked or activated. */
import type { ActorStorage } from '../../src/ports.js'
import { idPages } from '../subject/record-pages.js'

/** Ids per page. */
const PAGE_IDS = 1_000

/** Returns the ids of all sessions of the subject, ascending by code unit. */
export async function listSessionIds(storage: Pick<ActorStorage, 'list'>, subject: string): Promise<string[]> {
  const all: string[] = []
  for await (const ids of idPages(storage, { kind: 'session', subject, limit: PAGE_IDS })) all.push(...ids)
  return all
}
