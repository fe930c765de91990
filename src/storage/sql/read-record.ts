/** A whole record of an SQL database, page by page. */
import type { Address } from '../../domain/address.js'
import { DomainError } from '../../domain/errors.js'
import type { Clock, StoredRecord, StoredRow } from '../../ports.js'
import { decodeBody } from '../record-codec.js'
import { decodeRows } from '../row-encoding.js'
import type { EncodedRow, RecordStore, RowPage, Written } from './operations.js'

export function bytesOf({ body }: EncodedRow): number {
  return body.byteLength
}

/**
 * Reads the rows in pages, the next one while one is decoded. No transaction holds them together: a writer that changes a row raises the
 * record's version, through all its lives, so an unmoved version at the end proves that the pages belong together.
 */
export async function readRecord(
  { store, clock }: { readonly store: RecordStore; readonly clock: Clock },
  address: Address,
  { record, token, head }: Written
): Promise<StoredRecord> {
  const rows: StoredRow[] = []
  let page: RowPage | null = await store.rows({ record, after: null })
  while (page !== null) {
    const next = nextPage(store, record, page)
    // It is awaited below; should decoding throw before, nobody is left to hear of it.
    next?.catch(() => undefined)
    await decodeRows(page.rows, {
      decode: ({ collection, id, body }) => rows.push({ collection, id, body: decodeBody(body) }),
      bytesOf,
      clock
    })
    page = await next
  }
  const found = await store.find(address)
  if (found?.version !== token.version) throw new DomainError('fenced', 'The record was written by another while it was read')
  return { token, head: decodeBody(head), rows }
}

/** Null after the last one. */
function nextPage(store: RecordStore, record: number, { rows, isLast }: RowPage): Promise<RowPage> | null {
  const last = rows.at(-1)
  // Its name alone: its body would go all the way as well.
  return isLast || last === undefined ? null : store.rows({ record, after: { collection: last.collection, id: last.id } })
}
