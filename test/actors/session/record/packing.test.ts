/** Memories of a long session lie together in rows; what becomes of one of them becomes of the row. */
import t from 'tap'
import { hashText } from '../../../../actors/session/record/hash.js'
import { MEMORY, PACKED, STATS } from '../../../../actors/session/record/head.js'
import { createJournal } from '../../../../actors/session/record/journal.js'
import type { PackedMemories } from '../../../../actors/session/record/packed-memories.js'
import { writePacks } from '../../../../actors/session/record/packing.js'
import type { SessionState } from '../../../../actors/session/record/state.js'
import { toStoredHead } from '../../../../actors/session/record/stored-head.js'
import { weighRow } from '../../../../actors/session/record/weight.js'
import { createLedger } from '../../../../actors/weight/ledger.js'
import { inOneGo } from '../../../../src/domain/pieces.js'
import type { StoredRecord, StoredRow } from '../../../../src/ports.js'
import { encodeBody } from '../../../../src/storage/record-codec.js'
import { createSessionRig, type RigSession } from '../../../support/session-rig.js'

const PACK = 4

const rowsOf = ({ rows }: StoredRecord, collection: string): readonly StoredRow[] => rows.filter((row) => row.collection === collection)
const packsOf = (record: StoredRecord) => rowsOf(record, PACKED).map(({ body }) => body as PackedMemories)
const formatOf = ({ head }: StoredRecord) => (head as { session: { format: number } }).session.format
const textsOf = (state: SessionState) => [...state.corpus.ordered()].map(({ memory }) => memory.text)
const textAt = (at: number) => `The parcel number ${String(at)} lies in room ${String(7 * at)}`

function ingest(session: RigSession, from: number, count: number) {
  const memories = Array.from({ length: count }, (_, at) => ({ text: textAt(from + at), role: 'user' as const, userId: 'ann' }))
  return session.ask({ type: 'memory.ingest', memories })
}

async function sessionOf(count: number, packedMax = PACK): Promise<RigSession> {
  const session = await createSessionRig({ packedMax }).create()
  await ingest(session, 0, count)
  return session
}

function weightOf(record: StoredRecord) {
  const ledger = createLedger(weighRow)
  inOneGo(ledger.fill({ ...record, head: null }))
  return ledger.weight()
}

t.test('packs: the first memories go together once two packs lie alone, the last ones stay', async (t) => {
  const session = await sessionOf(2 * PACK - 1)
  t.equal(rowsOf(await session.record(), PACKED).length, 0)
  t.equal(formatOf(await session.record()), 1, 'an earlier version may read it')
  await ingest(session, 100, 1)
  const record = await session.record()
  t.equal(formatOf(record), 2, 'an earlier version may not')
  t.same(
    packsOf(record).map(({ texts }) => texts),
    [[0, 1, 2, 3].map(textAt)]
  )
  t.equal(rowsOf(record, MEMORY).length, PACK)
  t.equal(rowsOf(record, STATS).length, PACK)
})

t.test('packs: a batch goes into them at once, and no row of its own is written for what is packed', async (t) => {
  const session = await createSessionRig({ packedMax: PACK }).create()
  const memories = Array.from({ length: 5 * PACK }, (_, at) => ({ text: textAt(at), role: 'user' as const }))
  const changes = await session.changes({ type: 'memory.ingest', memories })
  const count = (collection: string) => changes?.put.filter((row) => row.collection === collection).length
  t.same([count(PACKED), count(MEMORY), count(STATS)], [4, PACK, PACK])
  t.same(changes?.remove, [])
})

t.test('packs: a session weighs what it would if each memory had a row', async (t) => {
  const [packed, loose] = [await (await sessionOf(21)).record(), await (await sessionOf(21, 0)).record()]
  t.equal(packsOf(loose).length, 0)
  t.equal(packsOf(packed).length, 4)
  t.same(weightOf(packed), weightOf(loose))
})

t.test('packs: a memory that is removed is nowhere in its row, nor in the memory of the others', async (t) => {
  const session = await sessionOf(3 * PACK)
  const read = await session.restored()
  const gone = [...read.corpus.ordered()][1]?.memory
  if (gone === undefined) throw new Error('there are no memories')
  t.equal(gone.vectors.buffer.byteLength, PACK * gone.vectors.byteLength, 'they share a buffer')
  const vector = Buffer.from(gone.vectors.slice().buffer)

  const command = { type: 'memory.delete', hash: hashText(textAt(1)) } as const
  await session.askOther(read, command)
  const left = [...read.corpus.ordered()].map(({ memory }) => memory)
  t.same(
    left.map(({ text }) => text),
    [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(textAt)
  )
  for (const { vectors } of left) t.notOk(Buffer.from(vectors.buffer).includes(vector))

  await session.ask(command)
  const record = await session.record()
  t.equal(rowsOf(record, PACKED).length, 2)
  for (const { body } of record.rows) {
    const bytes = encodeBody(body)
    for (const trace of [textAt(1), gone.id, gone.hash, vector]) t.notOk(bytes.includes(trace))
  }
  t.same(textsOf(await session.restored()), textsOf(session.state))
})

t.test('packs: without any memory left there is no row, and an earlier version may read the record again', async (t) => {
  const session = await sessionOf(3 * PACK)
  await session.ask({ type: 'user.erase', userId: 'ann' })
  const record = await session.record()
  t.same(
    [MEMORY, STATS, PACKED].map((collection) => rowsOf(record, collection).length),
    [0, 0, 0]
  )
  t.equal(formatOf(record), 1)
})

t.test('packs: memories of a session that was stored without any go into them, some with each commit', async (t) => {
  const session = await sessionOf(12 * PACK, 0)
  const read = await session.restored()
  const own = session.work(read)
  const services = { ...own.services, packedMax: PACK }
  const made: number[] = []
  for (let commit = 0; commit < 4; commit++) {
    const work = { ...own, services, journal: createJournal() }
    inOneGo(writePacks(work))
    const { put, remove } = work.journal.changes(toStoredHead(read))
    t.equal(remove.length, 2 * PACK * put.length, 'rows of memories and of their stats')
    made.push(put.length)
  }
  t.same(made, [4, 4, 3, 0])
})

t.test('packs: stats that have a row of their own are the later ones', async (t) => {
  const session = await sessionOf(3 * PACK)
  await session.run(textAt(2))
  const touched = [...session.state.corpus.ordered()].filter(({ stats }) => stats.accessCount > 0)
  t.ok(touched.some(({ memory }) => memory.seq <= PACK))
  const read = await session.restored()
  for (const { memory, stats } of touched) t.same(read.corpus.get(memory.id)?.stats, stats)
})
