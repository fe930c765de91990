/** Memories of a long session are stored in packs; a change of one memory rewrites its pack. */
import fc from 'fast-check'
import t from 'tap'
import { putEntry, putStats, removeEntry } from '../../../../actors/session/record/entries.js'
import { hashText } from '../../../../actors/session/record/hash.js'
import { MEMORY, PACKED, STATS } from '../../../../actors/session/record/head.js'
import { createJournal } from '../../../../actors/session/record/journal.js'
import type { PackedMemories } from '../../../../actors/session/record/packed-memories.js'
import { writePacks } from '../../../../actors/session/record/packing.js'
import type { SessionState } from '../../../../actors/session/record/state.js'
import { toStoredHead } from '../../../../actors/session/record/stored-head.js'
import { weighRow } from '../../../../actors/session/record/weight.js'
import { Ledger } from '../../../../actors/weight/ledger.js'
import { inOneGo } from '../../../../src/domain/pieces.js'
import type { StoredRecord, StoredRow } from '../../../../src/ports.js'
import { encodeBody } from '../../../../src/storage/record-codec.js'
import { createSessionRig, type RigSession } from '../../../support/session-rig.js'

const PACK = 4

const rowsOf = ({ rows }: StoredRecord, collection: string): readonly StoredRow[] => rows.filter((row) => row.collection === collection)
const packsOf = (record: StoredRecord) => rowsOf(record, PACKED).map(({ body }) => body as PackedMemories)
const rowOf = (record: StoredRecord, text: string) =>
  rowsOf(record, PACKED).find(({ body }) => (body as PackedMemories).texts.includes(text))
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
  const ledger = new Ledger(weighRow)
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

t.test('packs: none is made while a node is there that would not find what is in it, and from then on as ever', async (t) => {
  let arePacksRead = false
  const session = await createSessionRig({ packedMax: PACK, arePacksRead: () => arePacksRead }).create()
  await ingest(session, 0, 5 * PACK)
  const before = await session.record()
  t.same([formatOf(before), packsOf(before).length, rowsOf(before, MEMORY).length], [1, 0, 5 * PACK])
  arePacksRead = true
  await ingest(session, 100, 1)
  const after = await session.record()
  t.same([formatOf(after), packsOf(after).length, rowsOf(after, MEMORY).length], [2, 4, PACK + 1])
  arePacksRead = false
  await ingest(session, 200, PACK)
  t.equal(packsOf(await session.record()).length, 5, 'what has packs is out of its reach already')
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

t.test('packs: one whose first memory is gone has the same row after it was read back', async (t) => {
  const session = await sessionOf(3 * PACK)
  await session.ask({ type: 'memory.delete', hash: hashText(textAt(0)) })
  const row = rowOf(await session.record(), textAt(2))
  const read = await session.restored()
  const work = session.work(read)
  removeEntry(work, inOneGo(read.corpus.allByHash(hashText(textAt(2))))[0]?.memory.id ?? '')
  inOneGo(writePacks(work))
  const { put, remove } = work.journal.changes(toStoredHead(read))
  t.same(
    put.map(({ collection, id }) => [collection, id]),
    [[PACKED, row?.id]]
  )
  t.same(
    remove.map(({ collection }) => collection),
    [STATS]
  )
})

t.test('packs: one that grows too large for a row becomes several', async (t) => {
  const session = await sessionOf(3 * PACK)
  const first = rowOf(await session.record(), textAt(0))
  const read = await session.restored()
  const work = session.work(read)
  const entries = [...read.corpus.ordered()]
  for (const { memory, stats } of entries.slice(1, 3)) putEntry(work, { memory: { ...memory, text: 'heavy '.repeat(30_000) }, stats })
  inOneGo(writePacks(work))
  const { put, remove } = work.journal.changes(toStoredHead(read))
  const packs = put.filter(({ collection }) => collection === PACKED)
  t.same(
    packs.map(({ id, body }) => [id, [...(body as PackedMemories).seqs]]),
    [
      [first?.id, [1, 2]],
      ['3', [3, 4]]
    ]
  )
  t.same(remove, [])

  for (const { memory } of entries.slice(2, 4)) removeEntry(work, memory.id)
  inOneGo(writePacks(work))
  t.same(work.journal.changes(toStoredHead(read)).remove.at(-1), { collection: PACKED, id: '3' })
  t.same(read.packs.list.map(({ from, to }) => [from, to]).slice(0, 2), [
    [1, 2],
    [5, 8]
  ])
})

t.test('packs: whatever becomes of memories between two readings, what is read is what was left', async () => {
  const change = fc.record({
    kind: fc.constantFrom('remove', 'reword', 'touch'),
    at: fc.nat(4 * PACK),
    isReadAgain: fc.boolean(),
    length: fc.constantFrom(1, 20_000)
  })
  const rig = createSessionRig({ packedMax: PACK })
  const session = await rig.create()
  await ingest(session, 0, 4 * PACK)
  const stored = await session.record()
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      const rows = new Map(stored.rows.map((row) => [`${row.collection}/${row.id}`, row]))
      let { head } = stored
      const read = () => inOneGo(rig.behaviour.restore(session.address, { ...stored, head, rows: [...rows.values()] }))
      let state = read()
      for (const { kind, at, isReadAgain, length } of changes) {
        const entry = [...state.corpus.ordered()][at]
        if (entry === undefined) continue
        const work = session.work(state)
        const { memory, stats } = entry
        if (kind === 'remove') removeEntry(work, memory.id)
        else if (kind === 'touch') putStats(work, { memory, stats: { ...stats, accessCount: stats.accessCount + 1 } })
        else putEntry(work, { memory: { ...memory, text: `anew ${String(at)} `.repeat(length) }, stats })
        inOneGo(writePacks(work))
        const told = work.journal.changes(toStoredHead(state))
        for (const { collection, id } of told.remove) rows.delete(`${collection}/${id}`)
        for (const row of told.put) rows.set(`${row.collection}/${row.id}`, row)
        head = told.head
        const again = read()
        const left = ({ corpus }: SessionState) => [...corpus.ordered()].map(({ memory, stats: own }) => [memory.text, own.accessCount])
        if (JSON.stringify(left(again)) !== JSON.stringify(left(state))) return false
        if (isReadAgain) state = again
      }
      return true
    }),
    { numRuns: 30 }
  )
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
