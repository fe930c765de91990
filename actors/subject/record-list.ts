/** Lists a subject's records of one kind from what storage last took in. No actor is asked for it, so a listing is no use of any. */
import type { ActorKind } from '../../src/domain/address.js'
import { DomainError } from '../../src/domain/errors.js'
import type { ActorStorage } from '../../src/ports.js'

/** Point reads at the same time: more would only wait for each other in the storage's pool. */
const READS_MAX = 16

/** Ids read at a time when all are listed. */
const PAGE_IDS = 200

export interface RecordPage<Item> {
  /** Ascending by id, by code unit. */
  readonly items: readonly Item[]
  /** Where the next page begins: the last id of this one; null when there is no more. */
  readonly next: string | null
}

export interface RecordList<Item> {
  /** At most `limit` (from 1) records with ids above `after`. Those that end meanwhile may be left out. */
  page(subject: string, query: { readonly limit: number; readonly after?: string }): Promise<RecordPage<Item>>
  /** Every one. For kinds that a subject has a bounded number of. */
  all(subject: string): Promise<Item[]>
}

export interface RecordListOptions<Item> {
  readonly storage: Pick<ActorStorage, 'list' | 'peek'>
  readonly kind: ActorKind
  /** What a listing shows of a record, by its head as last committed; null leaves it out. */
  readonly readItem: (subject: string, id: string, head: unknown) => Item | null | Promise<Item | null>
}

/** Throws what storage or `readItem` throws. */
export function createRecordList<Item>({ storage, kind, readItem }: RecordListOptions<Item>): RecordList<Item> {
  async function read(subject: string, id: string): Promise<Item[]> {
    const record = await storage.peek({ kind, subject, id })
    const item = record === null ? null : await readItem(subject, id, record.head)
    return item === null ? [] : [item]
  }
  async function page(subject: string, { limit, after }: { limit: number; after?: string }): Promise<RecordPage<Item>> {
    // One more than asked for tells whether there is a next page.
    const ids = await storage.list({ kind, subject, limit: limit + 1, ...(after !== undefined && { after }) })
    const shown = ids.slice(0, limit)
    const items: Item[] = []
    for (let at = 0; at < shown.length; at += READS_MAX) {
      const reads = await Promise.all(shown.slice(at, at + READS_MAX).map((id) => read(subject, id)))
      items.push(...reads.flat())
    }
    return { items, next: ids.length > limit ? (shown.at(-1) ?? null) : null }
  }
  return {
    page,
    async all(subject) {
      const items: Item[] = []
      for (let after: string | null | undefined; after !== null;) {
        const one: RecordPage<Item> = await page(subject, { limit: PAGE_IDS, ...(after !== undefined && { after }) })
        items.push(...one.items)
        after = one.next
      }
      return items
    }
  }
}

/**
 * Throws DomainError `limit_reached` with `message` when the subject has `max` records of the kind. Those that are made at the same
 * time may pass it by as many.
 */
export async function refuseWhenFull(
  storage: Pick<ActorStorage, 'list'>,
  { kind, subject, max, message }: { kind: ActorKind; subject: string; max: number; message: string }
): Promise<void> {
  const ids = await storage.list({ kind, subject, limit: max })
  if (ids.length >= max) throw new DomainError('limit_reached', message)
}
