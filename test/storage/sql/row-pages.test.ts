/** Pages of a record's rows: bounded by what they hold, whatever the rows before them held. */
import t from 'tap'
import type { EncodedRow } from '../../../src/storage/sql/operations.js'
import { lastOf, pageOf, type RowName, type RowPage, rowsIn } from '../../../src/storage/sql/row-page.js'
import { openRecordStore } from '../../support/record-store.js'
import { at } from '../contract-cases.js'

const PAGE_BYTES = 2 * 1024 * 1024
const PAGE_ROWS = 512

const encodedRows = (page: RowPage): EncodedRow[] =>
  Array.from(rowsIn(page), ({ collection, id, start, end }) => ({ collection, id, body: page.bodies.subarray(start, end) }))

const named = (collection: string, number: number, bytes: number): EncodedRow => ({
  collection,
  id: String(number).padStart(6, '0'),
  body: new Uint8Array(bytes).fill(number)
})

t.test('small rows before large ones: no page holds more than two megabytes, but for a single row', async (t) => {
  const store = await openRecordStore(t)
  const put = [
    ...Array.from({ length: PAGE_ROWS + 1 }, (_, number) => named('a', number, 10)),
    ...Array.from({ length: 50 }, (_, number) => named('b', number, 100_000)),
    ...Array.from({ length: 3 }, (_, number) => named('c', number, 2 * PAGE_BYTES))
  ]
  const changes = { head: Uint8Array.of(1), put, remove: [], clear: false, audit: [], wakes: false, bytes: 1 }
  const [written] = await store.write([{ action: 'create', address: at('a'), changes }])
  if (written?.outcome !== 'written') throw new Error('The record was not written')
  const { record } = written

  const read: EncodedRow[] = []
  let after: RowName | null = null
  let ahead: RowPage['ahead'] | undefined
  for (let isLast = false; !isLast;) {
    const page: RowPage = await store.rows({ record, after, ahead })
    const rows = encodedRows(page)
    const bytes = rows.reduce((sum, { body }) => sum + body.byteLength, 0)
    t.ok(rows.length === 1 || (rows.length > 0 && rows.length <= PAGE_ROWS && bytes <= PAGE_BYTES), `${bytes} bytes`)
    read.push(...rows)
    after = lastOf(page)
    ahead = page.ahead
    isLast = page.isLast
  }
  t.strictSame(
    read.map(({ collection, id, body }) => [collection, id, body.byteLength, body[0]]),
    put.map(({ collection, id, body }) => [collection, id, body.byteLength, body[0]])
  )
  const none = await store.rows({ record: record + 1, after: null })
  t.strictSame([encodedRows(none), lastOf(none), none.isLast], [[], null, true], 'of a record without rows')
})

t.test('names and bodies of any bytes come back as they were', async (t) => {
  const store = await openRecordStore(t)
  const every = Uint8Array.from({ length: 512 }, (_, at) => at % 256)
  const put: EncodedRow[] = [
    { collection: '', id: '\u0000', body: new Uint8Array(0) },
    { collection: '', id: 'a', body: Uint8Array.of(0) },
    { collection: '\u0000,', id: ',\u0000', body: Uint8Array.of(0, 0, 0) },
    { collection: 'a', id: '\ud800', body: every },
    { collection: 'a\u00e9', id: '\ud83d\ude00', body: every.toReversed() },
    { collection: 'b', id: '\uffff', body: Uint8Array.of(255, 254, 0) }
  ]
  const changes = { head: Uint8Array.of(1), put, remove: [], clear: false, audit: [], wakes: false, bytes: 1 }
  const [written] = await store.write([{ action: 'create', address: at('a'), changes }])
  if (written?.outcome !== 'written') throw new Error('The record was not written')
  const page = await store.rows({ record: written.record, after: null })
  t.strictSame(
    encodedRows(page).map(({ collection, id, body }) => [collection, id, [...body]]),
    put.map(({ collection, id, body }) => [collection, id, [...body]])
  )
})

t.test('columns that do not fit together are no page', (t) => {
  const joined = {
    collection_sizes: '1,1',
    row_id_sizes: '1,1',
    body_sizes: '2,1',
    collections: Uint8Array.of(97, 98),
    row_ids: Uint8Array.of(97, 98),
    bodies: Uint8Array.of(1, 2, 3)
  }
  const ahead = { sizes: new Uint32Array(0), isEnd: true }
  t.equal([...rowsIn(pageOf(joined, ahead))].length, 2)
  t.throws(() => pageOf({ ...joined, bodies: Uint8Array.of(1, 2) }, ahead))
  t.throws(() => pageOf({ ...joined, body_sizes: '3' }, ahead))
  t.end()
})
