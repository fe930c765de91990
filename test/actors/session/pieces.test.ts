/** Long work on a large session is done in pieces of one memory or a few small ones. */
import t from 'tap'
import { readDocument } from '../../../actors/session/record/document-reader.js'
import { restoreAside } from '../../../actors/session/record/restore.js'
import type { StoredMemory } from '../../../actors/session/record/stored-memory.js'
import { documentWeight } from '../../../actors/session/record/weight.js'
import { probes, verification } from '../../../actors/session/verification.js'
import { inOneGo, type Pieces } from '../../../src/domain/pieces.js'
import { createExactIndexes } from '../../../src/vectors/exact-index.js'
import { createSessionRig, embeddingOf } from '../../support/session-rig.js'
import { UNBOUNDED, unbounded } from '../../support/unbounded.js'

const MEMORIES = 40
const SMALL_A_PIECE = 8

/** Creates a session of many memories, in a rig that counts closed vector indexes. */
async function startLong() {
  const closed: number[] = []
  const createIndex = createExactIndexes()
  const rig = createSessionRig({
    createVectorIndex(dimension) {
      const index = createIndex(dimension)
      const close = index.close.bind(index)
      return Object.assign(index, {
        close() {
          closed.push(index.size)
          close()
        }
      })
    }
  })
  const session = await rig.create()
  await session.ask({
    type: 'memory.ingest',
    memories: Array.from({ length: MEMORIES }, (_, at) => ({
      text: `ship ${String(at)} sails at ${String(at)} o'clock`,
      role: 'user',
      expiresAt: rig.now + 100
    }))
  })
  return { rig, session, closed }
}

function count<Result>(work: Pieces<Result>): { readonly pieces: number; readonly result: Result } {
  for (let pieces = 1; ; pieces++) {
    const next = work.next()
    if (next.done === true) return { pieces, result: next.value }
  }
}

t.test('a session that is read back lets others in between after a few small memories, and after every large one', async (t) => {
  const { rig, session } = await startLong()
  const record = await session.record()
  const { pieces, result } = count(rig.behaviour.restore(session.address, record))
  t.ok(pieces > MEMORIES / SMALL_A_PIECE, 'of small ones')
  t.equal(result.corpus.size, MEMORIES)
  const rows = record.rows.map(({ collection, id, body }) => ({ collection, id, body: withoutWords(body as StoredMemory) }))
  t.ok(count(rig.behaviour.restore(session.address, { ...record, rows })).pieces > MEMORIES, 'each text is read by itself')
})

function withoutWords({ words: _, ...memory }: StoredMemory): Omit<StoredMemory, 'words'> {
  return memory
}

t.test('reading back that is ended before its end leaves nothing to close and nothing to be done by the clock', async (t) => {
  const { rig, session, closed } = await startLong()
  rig.behaviour.dispose?.(session.state)
  closed.length = 0
  const record = await session.record()
  const { pieces, result } = count(rig.behaviour.restore(session.address, record))
  rig.behaviour.dispose?.(result)
  closed.length = 0
  const held = Array.from({ length: pieces }, (_, read) => {
    const reading = rig.behaviour.restore(session.address, record)
    for (let piece = 0; piece <= read; piece++) reading.next()
    reading.return(undefined as never)
    return closed.splice(0)
  })
  t.ok(held.every(({ length }) => length <= 1))
  t.ok(
    held.some(([size = 0]) => size > 0 && size < MEMORIES),
    'half of it was there'
  )
  t.strictSame(rig.behaviour.reminders?.(rig.now + 1_000), [])
})

const TESTED = Array.from({ length: 12 }, (_, at) => embeddingOf(`the ship at ${String(at)} o'clock`))

t.test('an export that is read lets others in between after every memory', async (t) => {
  const { rig, session } = await startLong()
  const { services } = asked(session, rig.now)
  const { pieces, result: document } = count(readDocument(JSON.parse(session.exported()), 100_000))
  t.ok(pieces > 3 * MEMORIES, 'shape, content and order of each are looked at')
  t.ok(count(documentWeight(document)).pieces > MEMORIES, 'its weight is counted memory by memory')
  const { pieces: restoring, result: restored } = count(restoreAside(session.address, document, services))
  t.ok(restoring > MEMORIES)
  t.equal(restored.corpus.size, MEMORIES)
})

t.test('an import takes its place in the session some memories at a time', async (t) => {
  const { rig, session } = await startLong()
  const memories = Array.from({ length: 1_000 }, (_, at) => ({ text: `boat ${String(at)}`, role: 'user' }) as const)
  await session.ask({ type: 'memory.ingest', memories })
  const command = { type: 'session.import', stateDict: JSON.parse(session.exported()) as unknown } as const
  const prepared = await rig.behaviour.prepare(session.state, command, unbounded({ requestId: 'p', now: rig.now }))
  const meta = { address: session.address, now: rig.now, requestId: 'p', isFresh: false, room: UNBOUNDED }
  const { pieces, result } = count(rig.behaviour.step(session.state, command, prepared, meta))
  t.ok(pieces > 1_000 / 256, `${String(pieces)} pieces`)
  t.match(result.reply, { imported: true, totalMemories: 1_000 + MEMORIES })
})

t.test('a verification lets others in between after every probe and every memory', async (t) => {
  const { rig, session } = await startLong()
  const { pieces, result } = count(
    verification(asked(session, rig.now), { type: 'session.verify', testEmbeddings: TESTED, tolerance: 1e-6 }, null)
  )
  t.ok(pieces > 2 * TESTED.length + 4 * MEMORIES)
  t.match(result, { consistent: true, checked: TESTED.length })
})

t.test('the vectors of a long text are written and read back some at a time', async (t) => {
  const { rig, session } = await startLong()
  const verify = () =>
    count(verification(asked(session, rig.now), { type: 'session.verify', testEmbeddings: TESTED, tolerance: 1e-6 }, null))
  const read = () => count(readDocument(JSON.parse(session.exported()), 100_000))
  const before = [verify().pieces, read().pieces]
  const text = Array.from({ length: 30_000 }, (_, at) => `w${String(at)}`).join(' ')
  await session.ask({ type: 'memory.ingest', memories: [{ text, role: 'user' }] })
  const bytes = [...session.state.corpus.ordered()].at(-1)?.memory.vectors.byteLength ?? 0
  t.ok(bytes > 2 * 65_536)
  const { pieces, result } = verify()
  t.match(result, { consistent: true, maxDeviation: 0 })
  // Written twice, once for its checksum, and read once.
  t.ok(pieces - (before[0] ?? 0) > (3 * bytes) / 65_536, `${String(pieces)} pieces`)
  t.ok(read().pieces - (before[1] ?? 0) > bytes / 65_536)
})

t.test('a session that is changed or replaced while it is verified is verified as it was at the beginning', async (t) => {
  const changes = {
    'a run': (session: Session) => session.run("the ship at 3 o'clock sinks"),
    'an import': async (session: Session, empty: unknown) => session.ask({ type: 'session.import', stateDict: empty })
  }
  for (const [name, change] of Object.entries(changes)) {
    const { rig, session } = await startLong()
    const empty: unknown = JSON.parse((await rig.create('empty')).exported())
    const before = inOneGo(probes(asked(session, rig.now), TESTED))
    const probing = probes(asked(session, rig.now), TESTED)
    const verifying = verification(asked(session, rig.now), { type: 'session.verify', testEmbeddings: TESTED, tolerance: 1e-6 }, before)
    for (let at = 0; at < 5; at++) [probing, verifying].forEach((work) => work.next())
    await change(session, empty)
    t.notSame(inOneGo(probes(asked(session, rig.now), TESTED)), before, `${name} changes what is answered`)
    t.same(inOneGo(probing), before, name)
    t.match(inOneGo(verifying), { consistent: true, maxDeviation: 0 }, name)
  }
})

type Session = Awaited<ReturnType<typeof startLong>>['session']

function asked(session: Session, now: number) {
  const { state, services, room } = session.work()
  return { state, now, services, room }
}
