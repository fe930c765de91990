/** Pages of a record's rows: bounded by what they hold, whatever the rows before them held. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { EncodedRow, RowName } from '../../../src/storage/sql/operations.js'
import { createPlan } from '../../../src/storage/sql/plan.js'
import { createRecordStore } from '../../../src/storage/sql/record-store.js'
import { openSqlite } from '../../../src/storage/sql/sqlite-database.js'
import { at } from '../contract-cases.js'

const PAGE_BYTES = 512 * 1024
const PAGE_ROWS = 512

const named = (collection: string, number: number, bytes: number): EncodedRow => ({
  collection,
  id: String(number).padStart(6, '0'),
  body: new Uint8Array(bytes).fill(number)
})

t.test('small rows before large ones: no page holds more than half a megabyte, but for a single row', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-'))
  const store = createRecordStore(openSqlite(join(folder, 'records.db')), createPlan('sqlite'))
  await store.migrate()
  t.teardown(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  const put = [
    ...Array.from({ length: PAGE_ROWS + 1 }, (_, number) => named('a', number, 10)),
    ...Array.from({ length: 20 }, (_, number) => named('b', number, 100_000)),
    ...Array.from({ length: 3 }, (_, number) => named('c', number, 2 * PAGE_BYTES))
  ]
  const changes = { head: Uint8Array.of(1), put, remove: [], clear: false, audit: [], wakes: false, bytes: 1 }
  const [written] = await store.write([{ action: 'create', address: at('a'), changes }])
  if (written?.outcome !== 'written') throw new Error('The record was not written')
  const { record } = written

  const read: EncodedRow[] = []
  let after: RowName | null = null
  for (let isLast = false; !isLast;) {
    const page = await store.rows({ record, after })
    const bytes = page.rows.reduce((sum, { body }) => sum + body.byteLength, 0)
    t.ok(page.rows.length === 1 || (page.rows.length > 0 && page.rows.length <= PAGE_ROWS && bytes <= PAGE_BYTES), `${bytes} bytes`)
    read.push(...page.rows)
    after = page.rows.at(-1) ?? null
    isLast = page.isLast
  }
  t.strictSame(
    read.map(({ collection, id, body }) => [collection, id, body.byteLength, body[0]]),
    put.map(({ collection, id, body }) => [collection, id, body.byteLength, body[0]])
  )
  t.strictSame(await store.rows({ record: record + 1, after: null }), { rows: [], isLast: true }, 'of a record without rows')
})
