/** Reads the ids or heads of a subject's records page by page. */
import type { Siblings } from '../../src/domain/address.js'
import { HEADS_MAX } from '../../src/domain/limits.js'
import type { ActorStorage } from '../../src/ports.js'

type IdQuery = Omit<Siblings, 'ids'> & { readonly limit: number }

/** Yields the ids of all records of a kind, ascending by code unit, `limit` (from 1) per page. Throws what storage throws. */
export async function* idPages(storage: Pick<ActorStorage, 'list'>, query: IdQuery): AsyncGenerator<readonly string[]> {
  let ids: readonly string[] = []
  do {
    const after = ids.at(-1)
    ids = await storage.list({ ...query, ...(after !== undefined && { after }) })
    yield ids
  } while (ids.length === query.limit)
}

/** A record's id and its head as last committed. */
export type IdAndHead = readonly [id: string, head: unknown]

/** Yields the heads of those `ids` that exist, in the given order, at most HEADS_MAX per page. Throws what storage throws. */
export async function* headPages(storage: Pick<ActorStorage, 'heads'>, { ids, ...of }: Siblings): AsyncGenerator<IdAndHead[]> {
  for (let at = 0; at < ids.length; at += HEADS_MAX) {
    const page = ids.slice(at, at + HEADS_MAX)
    const heads = await storage.heads({ ...of, ids: page })
    yield page.filter((id) => heads.has(id)).map((id) => [id, heads.get(id)] as const)
  }
}
