/** Rows of removed records go a page at a time, and never into a record that lives again. */
import t, { type Test } from 'tap'
import type {
  EncodedChanges,
  EncodedRow,
  RecordStore,
  RemovedRecord,
  WriteOperation,
  Written
} from '../../../src/storage/sql/operations.js'
import { createRowClearing } from '../../../src/storage/sql/removed-rows.js'
import { rowsIn } from '../../../src/storage/sql/row-page.js'
import { openRecordStore } from '../../support/record-store.js'
import { at } from '../contract-cases.js'

const PAGE_ROWS = 512
const ROWS = 3 * PAGE_ROWS - 1
const TOMBSTONE = { rows: Uint8Array.of(0), buriedAt: 100 }

const changes = (put: readonly EncodedRow[]): EncodedChanges => ({
  head: Uint8Array.of(1),
  put,
  remove: [],
  clear: false,
  audit: [],
  wakes: false,
  bytes: 1
})
const rows = Array.from({ length: ROWS }, (_, n) => ({ collection: 'a', id: String(n).padStart(5, '0'), body: Uint8Array.of(1) }))

async function write(store: RecordStore, operation: WriteOperation): Promise<Written> {
  const [written] = await store.write([operation])
  if (written?.outcome !== 'written') throw new Error('It was not written')
  return written
}

/** A record with three pages of rows that was just removed. */
async function removed(t: Test): Promise<{ readonly store: RecordStore; readonly gone: RemovedRecord; left(): Promise<string[]> }> {
  const store = await openRecordStore(t)
  const { record, token } = await write(store, { action: 'create', address: at('a'), changes: changes(rows) })
  const { hasRest } = await write(store, { action: 'remove', address: at('a'), token, tombstone: TOMBSTONE })
  t.equal(hasRest, true)
  const left = async () => {
    const ids: string[] = []
    for (let page = await store.rows({ record, after: null }); ;) {
      const own = Array.from(rowsIn(page))
      ids.push(...own.map(({ id }) => id))
      const last = own.at(-1)
      if (last === undefined || page.isLast) return ids
      page = await store.rows({ record, after: last })
    }
  }
  return { store, gone: { record, epoch: token.epoch }, left }
}

t.test('a removal deletes one page of rows, and each clearing another one', async (t) => {
  const { store, gone, left } = await removed(t)
  const names = rows.map(({ id }) => id)
  t.same(await left(), names.slice(PAGE_ROWS))
  t.equal(await store.clearRemoved(gone), true)
  t.same(await left(), names.slice(2 * PAGE_ROWS))
  t.equal(await store.clearRemoved(gone), false)
  t.same(await left(), [])
  t.equal(await store.clearRemoved(gone), false, 'nothing is left to do')
})

t.test('a removal that leaves no row says so: nothing is looked for afterwards', async (t) => {
  const store = await openRecordStore(t)
  const { token } = await write(store, { action: 'create', address: at('a'), changes: changes(rows.slice(0, PAGE_ROWS)) })
  t.equal((await write(store, { action: 'remove', address: at('a'), token, tombstone: TOMBSTONE })).hasRest, false)
})

t.test('a record that lives again has no row of before, and loses none to the clearing', async (t) => {
  const { store, gone, left } = await removed(t)
  const own = { collection: 'a', id: '99999', body: Uint8Array.of(2) }
  const { record } = await write(store, { action: 'create', address: at('a'), changes: changes([own]) })
  t.equal(record, gone.record)
  t.same(await left(), ['99999'])
  t.equal(await store.clearRemoved(gone), false)
  t.same(await left(), ['99999'])
})

t.test('a tombstone goes only after the rows that a process has left, and these a page at a time', async (t) => {
  const { store, left } = await removed(t)
  const due = { before: TOMBSTONE.buriedAt + 1, limit: 10 }
  t.equal(await store.clearTombstones(due), true)
  t.equal((await left()).length, ROWS - 2 * PAGE_ROWS)
  t.ok(await store.tombstone(at('a')))
  t.equal(await store.clearTombstones(due), false)
  t.same(await left(), [])
  t.equal(await store.tombstone(at('a')), null)
})

/** Clears as many pages of each record as its number tells, and notes whose. */
function pages(failing = 0) {
  const cleared: number[] = []
  return {
    cleared,
    async clearRemoved({ record }: RemovedRecord) {
      cleared.push(record)
      if (record === failing) throw new Error('The database is not there')
      return cleared.filter((other) => other === record).length < record
    }
  }
}

t.test('of each subject one page is cleared at a time, and none waits for those of another', async (t) => {
  const store = pages()
  const clearing = createRowClearing(store)
  clearing.add(at('large', 'one'), { record: 4, epoch: 1 })
  clearing.add(at('next', 'one'), { record: 1, epoch: 1 })
  clearing.add(at('other', 'two'), { record: 2, epoch: 1 })
  await clearing.rest(at('other', 'two'))
  t.ok(store.cleared.length < 7, 'before the larger one')
  t.equal(clearing.rest(at('never removed', 'one')), undefined)
  await clearing.rest(at('next', 'one'))
  t.same(store.cleared, [4, 2, 4, 2, 4, 4, 1], 'in turns')
})

t.test('a clearing that fails keeps nobody waiting', async (t) => {
  const store = pages(3)
  const clearing = createRowClearing(store)
  clearing.add(at('fails'), { record: 3, epoch: 1 })
  clearing.add(at('next'), { record: 2, epoch: 1 })
  await clearing.idle()
  t.same(store.cleared, [3, 2, 2])
})
