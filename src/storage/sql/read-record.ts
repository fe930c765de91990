/** Reads a whole record from an SQL database, page by page. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Address } from '../../domain/address.js'
import { DomainError } from '../../domain/errors.js'
import type { Clock, StoredRecord, StoredRow } from '../../ports.js'
import { decodeBody } from '../record-codec.js'
import { decodeRows } from '../row-encoding.js'
import type { RecordStore, Written } from './operations.js'
import { lastOf, type RowPage, rowsIn } from './row-page.js'

/**
 * Reads the rows in pages, and fetches the next page while one is decoded. No transaction holds the pages together. A writer that changes a
 * row raises the record's version, which never restarts, so an unchanged version at the end proves that the pages belong together.
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
    // Awaited below. If decoding throws before that, its rejection must not count as unhandled.
    next?.catch(() => undefined)
    const { bodies } = page
    await decodeRows(rowsIn(page), {
      decode: ({ collection, id, start, end }) => rows.push({ collection, id, body: decodeBody(bodies.subarray(start, end)) }),
      bytesOf: ({ start, end }) => end - start,
      clock
    })
    // A thread's answers are taken in one iteration of the event loop for as long as the next one is there: all pages might be.
    await yieldToEventLoop()
    page = await next
  }
  const found = await store.find(address)
  if (found?.version !== token.version) throw new DomainError('fenced', 'The record was written by another while it was read')
  return { token, head: decodeBody(head), rows }
}

/** Returns null after the last page. */
function nextPage(store: RecordStore, record: number, page: RowPage): Promise<RowPage> | null {
  if (page.isLast) return null
  const last = lastOf(page)
  return last === null ? null : store.rows({ record, after: last, ahead: page.ahead })
}
