/** What goes between a thread and that of an SQLite file: large rows with their buffers, so that the caller's copies none of them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { encodeBody } from '../../../src/storage/record-codec.js'
import { rowsIn } from '../../../src/storage/sql/row-page.js'
import { createSqliteThread } from '../../../src/storage/sql/sqlite-thread.js'
import { at } from '../contract-cases.js'

const logger = { debug() {}, info() {}, warn() {}, error() {} }
const NOTHING = { head: encodeBody({}), put: [], remove: [], clear: false, audit: [], wakes: false, bytes: 1 }

/** Opens the thread of a new file, until the test ends. */
async function openStore(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-'))
  const store = createSqliteThread({ path: join(folder, 'records.db'), fileBytesMax: undefined, logger })
  await store.migrate()
  t.teardown(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  return store
}

t.test('rows of a write: a large one is handed over, a small one is copied, and both are stored as they were', async (t) => {
  const store = await openStore(t)
  const bodies = { large: encodeBody({ vector: new Float32Array(16_384).fill(0.5) }), small: encodeBody({ text: 'small' }) }
  const sent = { large: Buffer.from(bodies.large), small: Buffer.from(bodies.small) }
  const put = Object.entries(bodies).map(([id, body]) => ({ collection: 'memory', id, body }))
  const [written] = await store.write([{ action: 'create', address: at('a'), changes: { ...NOTHING, put } }])
  if (written?.outcome !== 'written') throw new Error('The record was not written')

  t.equal(bodies.large.byteLength, 0, 'it is the thread’s now')
  t.strictSame(bodies.small, sent.small)
  const page = await store.rows({ record: written.record, after: null })
  t.strictSame(
    Array.from(rowsIn(page), ({ id, start, end }) => [id, Buffer.from(page.bodies.subarray(start, end))]),
    [
      ['large', sent.large],
      ['small', sent.small]
    ]
  )
})

t.test('a write of more rows than one message takes is one transaction', async (t) => {
  const store = await openStore(t)
  const put = Array.from({ length: 2_500 }, (_, row) => ({ collection: 'stats', id: String(row), body: encodeBody(row) }))
  const [written] = await store.write([{ action: 'create', address: at('a'), changes: { ...NOTHING, put } }])
  if (written?.outcome !== 'written') throw new Error('The record was not written')
  const remove = put.slice(1).map(({ collection, id }) => ({ collection, id }))
  const [removed] = await store.write([{ action: 'commit', address: at('a'), token: written.token, changes: { ...NOTHING, remove } }])
  t.match(removed, { outcome: 'written', token: { version: 2 } })
  t.strictSame(
    Array.from(rowsIn(await store.rows({ record: written.record, after: null })), ({ id }) => id),
    ['0']
  )
})
