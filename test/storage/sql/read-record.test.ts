/** A record is read in several requests: what is written between them makes it a record that never was. */
import t, { type Test } from 'tap'
import type { EncodedChanges, RecordStore, RowPageQuery, WriteOperation, Written } from '../../../src/storage/sql/operations.js'
import { encodeBody } from '../../../src/storage/record-codec.js'
import { readRecord } from '../../../src/storage/sql/read-record.js'
import { createManualClock } from '../../support/manual-clock.js'
import { openRecordStore } from '../../support/record-store.js'
import { at, codeOf, row } from '../contract-cases.js'

/** Three pages. */
const MANY = 1_300

const clock = createManualClock()

const id = (n: number) => String(n).padStart(6, '0')

function changes(n: number): EncodedChanges {
  const put = Array.from({ length: MANY }, (_, at) => ({ collection: 'memories', id: id(at), body: encodeBody(n) }))
  return { head: encodeBody(n), put, remove: [], clear: false, audit: [], wakes: false, bytes: 1 }
}

async function write(store: RecordStore, operation: WriteOperation): Promise<Written> {
  const [result] = await store.write([operation])
  if (result?.outcome !== 'written') throw new Error('It was not written')
  return result
}

/** A store with one record. */
async function open(t: Test): Promise<RecordStore> {
  const store = await openRecordStore(t)
  await write(store, { action: 'create', address: at('a'), changes: changes(0) })
  return store
}

type Meanwhile = (store: RecordStore) => Promise<unknown>

/** Reads the record, while something happens before that page, and tells which pages were asked for. */
async function read(store: RecordStore, meanwhile: Meanwhile, page: number) {
  const taken = await write(store, { action: 'activate', address: at('a') })
  const asked: RowPageQuery[] = []
  const watched: RecordStore = {
    ...store,
    async rows(query) {
      asked.push(query)
      if (asked.length === page) await meanwhile(store)
      return store.rows(query)
    }
  }
  return { record: await readRecord({ store: watched, clock }, at('a'), taken), taken, asked }
}

const takenOver: Meanwhile = (store) => write(store, { action: 'activate', address: at('a') })
const changed: Meanwhile = async (store) => {
  const { token } = await write(store, { action: 'activate', address: at('a') })
  await write(store, { action: 'commit', address: at('a'), token, changes: changes(1) })
}
const removed: Meanwhile = async (store) => {
  const { token } = await write(store, { action: 'activate', address: at('a') })
  await write(store, { action: 'remove', address: at('a'), token, tombstone: { rows: new Uint8Array(0), buriedAt: 0 } })
}
const madeAnew: Meanwhile = async (store) => {
  await removed(store)
  await write(store, { action: 'create', address: at('a'), changes: changes(1) })
}

for (const [what, meanwhile] of Object.entries({ 'written to': changed, removed, 'made anew': madeAnew })) {
  t.test(`sql: a record that is ${what} before the first or a later page of its rows is read is fenced`, async (t) => {
    for (const page of [1, 2, 3]) t.equal(await codeOf(read(await open(t), meanwhile, page)), 'fenced')
  })
}

t.test('sql: a record that somebody else takes over while its rows are read is whole, each page asked for once', async (t) => {
  const { record, taken, asked } = await read(await open(t), takenOver, 2)
  t.same(
    record,
    { token: taken.token, head: 0, rows: Array.from({ length: MANY }, (_, n) => row(id(n), 0)) },
    'in the order of their names'
  )
  t.same(
    asked.map(({ record: number, after }) => [number, after?.id ?? null]),
    [null, id(511), id(1_023)].map((after) => [taken.record, after])
  )
})

t.test('sql: a page that is there at once waits for the next iteration of the event loop', async (t) => {
  const store = await open(t)
  let iteration = 0
  setImmediate(function count() {
    iteration += 1
    if (iteration < 100) setImmediate(count)
  })
  const askedIn: number[] = []
  const noted: RecordStore = { ...store, rows: (query) => (askedIn.push(iteration), store.rows(query)) }
  await read(noted, () => Promise.resolve(), 1)
  const [first = NaN] = askedIn
  t.same(askedIn, [first, first, first + 1], 'the second is asked for while the first is decoded')
})

t.test('sql: a record whose later page cannot be read is not there in part', async (t) => {
  const lost: Meanwhile = () => Promise.reject(new Error('connection lost'))
  for (const page of [1, 2, 3]) await t.rejects(read(await open(t), lost, page), { message: 'connection lost' })
})
