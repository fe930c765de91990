/** A whole record of an SQL database, page by page. */
import type { Address } from '../../domain/address.js'
import { DomainError } from '../../domain/errors.js'
import type { Clock, StoredRecord, StoredRow } from '../../ports.js'
import { decodeBody } from '../record-codec.js'
import { decodeRows } from '../row-encoding.js'
import type { EncodedRow, RecordStore, Written } from './operations.js'

/** Rows of the first page, and the most of one; pages after the first are sized to hold about `PAGE_BYTES`. */
const PAGE_ROWS = 64
const PAGE_ROWS_MAX = 512
const PAGE_BYTES = 512 * 1024

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
  let limit = PAGE_ROWS
  let page = await store.rows({ record, after: null, limit })
  for (let isLast = page.length < limit; ; isLast = page.length < limit) {
    const last = page.at(-1)
    limit = pageLimit(page)
    const next = isLast || last === undefined ? null : store.rows({ record, after: { collection: last.collection, id: last.id }, limit })
    // It is awaited below; should decoding throw before, nobody is left to hear of it.
    next?.catch(() => undefined)
    await decodeRows(page, { decode: ({ collection, id, body }) => rows.push({ collection, id, body: decodeBody(body) }), bytesOf, clock })
    if (next === null) break
    page = await next
  }
  const found = await store.find(address)
  if (found?.version !== token.version) throw new DomainError('fenced', 'The record was written by another while it was read')
  return { token, head: decodeBody(head), rows }
}

function pageLimit(page: readonly EncodedRow[]): number {
  const bytes = page.reduce((sum, { body }) => sum + body.byteLength, 1)
  return Math.max(1, Math.min(PAGE_ROWS_MAX, Math.floor((page.length * PAGE_BYTES) / bytes)))
}
