/** Lists a subject's records of one kind from storage. No actor is asked, so a listing does not count as a use of any. */
import type { ActorKind } from '../../src/domain/address.js'
import { DomainError } from '../../src/domain/errors.js'
import type { ActorStorage } from '../../src/ports.js'
import { requireKnownFormat } from '../behaviour/record-format.js'
import { headPages, type IdAndHead } from './record-pages.js'

/** Items made concurrently, as some need an actor's answer. */
const ITEMS_AT_ONCE = 16

/** Ids per read when a filter is given, and the upper bound per page: reading them in a row costs some 1 ms per thousand. */
const SCAN_IDS = 1_000
const SCANNED_IDS_MAX = 20_000

/** Ids per page when all records are listed. */
const PAGE_IDS = 200

interface RecordPage<Item> {
  /** Ascending by id, by code unit. */
  readonly items: readonly Item[]
  /** Value of `after` for the next page; null if there is none. */
  readonly next: string | null
}

interface PageQuery {
  readonly limit: number
  readonly after?: string
  /** Filter on ids. A page may then hold fewer than `limit` items and still have a next one. Default: every id. */
  readonly accept?: (id: string) => boolean
}

interface RecordList<Item> {
  /** At most `limit` (from 1) records with ids above `after`. Records that end meanwhile may be left out. */
  page(subject: string, query: PageQuery): Promise<RecordPage<Item>>
  /** All records. For kinds of which a subject has a bounded number. */
  all(subject: string): Promise<Item[]>
}

interface RecordListOptions<Item> {
  readonly storage: Pick<ActorStorage, 'list' | 'heads'>
  readonly kind: ActorKind
  /** Makes the listed item of a record from its head as last committed; null leaves the record out. */
  readonly readItem: (subject: string, id: string, head: unknown) => Item | null | Promise<Item | null>
}

/** Throws what storage or `readItem` throws. */
export function createRecordList<Item>({ storage, kind, readItem }: RecordListOptions<Item>): RecordList<Item> {
  async function itemOf(subject: string, [id, head]: IdAndHead): Promise<Item | null> {
    requireKnownFormat(head)
    return readItem(subject, id, head)
  }
  async function page(subject: string, query: PageQuery): Promise<RecordPage<Item>> {
    const { shown, next } = await idsOf({ storage, kind }, subject, query)
    const items: Item[] = []
    for await (const heads of headPages(storage, { kind, subject, ids: shown })) {
      for (let at = 0; at < heads.length; at += ITEMS_AT_ONCE) {
        const read = await Promise.all(heads.slice(at, at + ITEMS_AT_ONCE).map((head) => itemOf(subject, head)))
        items.push(...read.filter((item) => item !== null))
      }
    }
    return { items, next }
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

interface PageIds {
  readonly shown: readonly string[]
  readonly next: string | null
}

async function idsOf(
  { storage, kind }: Pick<RecordListOptions<unknown>, 'storage' | 'kind'>,
  subject: string,
  { limit, after, accept }: PageQuery
): Promise<PageIds> {
  const scanned = accept === undefined ? limit + 1 : SCAN_IDS
  const found: string[] = []
  let last = after
  for (let read = 0; read < SCANNED_IDS_MAX; read += scanned) {
    const ids = await storage.list({ kind, subject, limit: scanned, ...(last !== undefined && { after: last }) })
    found.push(...ids.filter((id) => accept?.(id) ?? true))
    // One id more than `limit` tells that there is a next page.
    if (found.length > limit) return { shown: found.slice(0, limit), next: found[limit - 1] ?? null }
    if (ids.length < scanned) return { shown: found, next: null }
    last = ids.at(-1)
  }
  return { shown: found, next: last ?? null }
}

/**
 * Throws DomainError `limit_reached` with `message` when the subject has `max` records of the kind. Records that are created concurrently
 * may exceed the limit by their number.
 */
export async function refuseWhenTooMany(
  storage: Pick<ActorStorage, 'list'>,
  { kind, subject, max, message }: { kind: ActorKind; subject: string; max: number; message: string }
): Promise<void> {
  const ids = await storage.list({ kind, subject, limit: max })
  if (ids.length >= max) throw new DomainError('limit_reached', message)
}
