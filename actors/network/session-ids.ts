/** The sessions of a subject, by what is stored of them. None is asked or activated. */
import type { ActorStorage } from '../../src/ports.js'

/** Ids read at a time. */
const PAGE_IDS = 1_000

/** Ids of all sessions of the subject, ascending by code unit. */
export async function listSessionIds(storage: Pick<ActorStorage, 'list'>, subject: string): Promise<string[]> {
  const all: string[] = []
  for (let ids: string[] | null = null; ids === null || ids.length === PAGE_IDS;) {
    const after = all.at(-1)
    ids = await storage.list({ kind: 'session', subject, limit: PAGE_IDS, ...(after !== undefined && { after }) })
    all.push(...ids)
  }
  return all
}
