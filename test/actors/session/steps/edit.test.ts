/** Memories edited and pinned by hand. */
import { createHash } from 'node:crypto'
import t from 'tap'
import { hashText } from '../../../../actors/session/record/hash.js'
import type { RecordChanges } from '../../../../src/ports.js'
import { PINNED_BYTES_MAX, PINNED_MEMORIES_MAX } from '../../../../src/domain/limits.js'
import { createSessionRig, type RigSession } from '../../../support/session-rig.js'
import { inOneGo } from '../../../../src/domain/pieces.js'

const ALLERGY = 'Anna is allergic to penicillin'
const HOUSEHOLD = ['The bins go out on Monday', 'The lease ends in June', 'The landlord is Mr Weber', 'The gas meter reads 4711']

/** The memory of the allergy as the first line of a context block. */
const FIRST = /\n {2}1\. \[0\.\d\d\] Anna is allergic to penicillin\n/

const injection = { type: 'memory.inject', tier: 'short_term', importance: 1, accessCount: 0 } as const
const pin = (text: string) => ({ type: 'memory.edit', hash: hashText(text), pinned: true }) as const
const unpin = (text: string) => ({ ...pin(text), pinned: false }) as const

async function give(session: RigSession, texts: readonly string[]): Promise<void> {
  await session.ask({ type: 'memory.ingest', memories: texts.map((text) => ({ text, role: 'user' as const })) })
}

async function textsOf(session: RigSession): Promise<string[]> {
  return (await session.list()).map(({ text }) => text)
}

/** Collections of the rows that were put, sorted. */
function putOf(changes: RecordChanges | null): string[] {
  return (changes?.put ?? []).map(({ collection }) => collection).sort()
}

t.test('an edit changes what was given and nothing else, writes the stats alone, and repeated writes nothing', async (t) => {
  const session = await createSessionRig().create()
  await give(session, [ALLERGY, ...HOUSEHOLD])
  const before = await session.ask({ type: 'session.memory', hash: hashText(ALLERGY) })
  const edit = { type: 'memory.edit', hash: hashText(ALLERGY), importance: 3, pinned: true } as const
  t.same(putOf(await session.changes(edit)), ['stats'])
  t.same(await session.ask({ type: 'session.memory', hash: hashText(ALLERGY) }), {
    ...before,
    importance: 3,
    pinned: true
  })
  t.equal(await session.changes(edit), null)
  t.match(await session.ask({ type: 'memory.edit', hash: hashText(ALLERGY), importance: 0 }), { importance: 0, pinned: true })
  t.match(await session.ask(unpin(ALLERGY)), { importance: 0, pinned: false })
  t.equal(session.state.pinned.size, 0)
  t.equal(await session.refusal(pin('never said')), 'memory_missing')
})

t.test('an edit reaches every memory of the text', async (t) => {
  const session = await createSessionRig().create()
  await session.ask({
    type: 'memory.ingest',
    memories: [
      { text: ALLERGY, role: 'user', userId: 'ann' },
      { text: ALLERGY, role: 'assistant', userId: 'bob' }
    ]
  })
  await session.ask({ ...pin(ALLERGY), importance: 2 })
  const { memories } = await session.ask({ type: 'memory.list', limit: 10, filter: {} })
  t.match(memories, [
    { pinned: true, importance: 2 },
    { pinned: true, importance: 2 }
  ])
})

t.test('a pinned memory is the first line of a context block that is about something else', async (t) => {
  const session = await createSessionRig({ contextTokensMax: 120 }).create()
  await give(session, [ALLERGY, ...HOUSEHOLD])
  t.notMatch((await session.run('When does the lease end?')).context, FIRST)
  await session.ask(pin(ALLERGY))
  const { context } = await session.run('Who is the landlord?')
  t.match(context, FIRST)
  t.match(context, 'The landlord is Mr Weber')
  t.equal(context.split('penicillin').length, 2, 'said once')
  t.equal((await session.run('What is Anna allergic to?')).context.split(ALLERGY).length, 2, 'said once where it is found as well')
  await session.ask(unpin(ALLERGY))
  t.notMatch((await session.run('Is the meter at 4711?')).context, FIRST)
})

t.test('pinned memories leave half of the block to what was asked for', async (t) => {
  const session = await createSessionRig({ contextTokensMax: 100 }).create()
  const rules = Array.from(
    { length: 12 },
    (_, at) => `House rule ${String(at)} of the flat is that nobody ever smokes on balcony ${String(at)}`
  )
  await give(session, [...rules, ...HOUSEHOLD])
  for (const rule of rules) await session.ask(pin(rule))
  const { context } = await session.run('Who is the landlord?')
  t.match(context, 'House rule')
  t.match(context, 'The landlord is Mr Weber')
})

t.test('a pinned memory loses its expiry for good, and is not given a new one', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  await session.ask({ ...injection, text: ALLERGY, expiresAt: rig.now + 60 })
  t.same(putOf(await session.changes(pin(ALLERGY))), ['memory', 'stats'])
  rig.advance(61)
  t.equal((await session.metrics()).totalMemories, 1)
  await session.ask({ ...injection, text: ALLERGY, expiresAt: rig.now + 60 })
  t.same(await textsOf(session), [ALLERGY])
  await session.ask(unpin(ALLERGY))
  rig.advance(61)
  t.equal((await session.metrics()).totalMemories, 1)
  await session.ask({ ...injection, text: ALLERGY, expiresAt: rig.now + 60 })
  rig.advance(61)
  t.equal((await session.metrics()).totalMemories, 0, 'what is not pinned expires when it is told to')
})

t.test('the words of a pinned memory stand: a paraphrase is a memory of its own, the same text is its update', async (t) => {
  const said = 'My flight to Lisbon leaves at noon'
  const again = 'my flight to Lisbon leaves at noon!'
  const loose = await createSessionRig().create()
  await loose.run(said)
  await loose.run(again)
  t.equal(loose.state.corpus.size, 1, 'unpinned, the newest wording stands')
  const session = await createSessionRig().create()
  await session.run(said)
  await session.ask(pin(said))
  await session.run(again)
  t.same(await textsOf(session), [said, again])
  await session.run(said)
  t.same(await textsOf(session), [said, again])
  t.match(await session.ask({ type: 'session.memory', hash: hashText(said) }), { pinned: true })
})

t.test('as many may be pinned as the limits say, and a batch beyond them is refused as a whole', async (t) => {
  const session = await createSessionRig().create()
  const notes = Array.from({ length: PINNED_MEMORIES_MAX + 1 }, (_, at) => `note ${String(at)}`)
  await give(session, notes)
  for (const note of notes.slice(0, PINNED_MEMORIES_MAX)) await session.ask(pin(note))
  const before = session.exported()
  t.equal(await session.refusal({ ...pin(notes.at(-1) ?? ''), importance: 3 }), 'limit_reached')
  t.equal(session.exported(), before)
  await session.ask(pin('note 0'))
  await session.ask(unpin('note 0'))
  await session.ask(pin(notes.at(-1) ?? ''))

  const heavy = await createSessionRig().create()
  const half = (letter: string) => letter.repeat(PINNED_BYTES_MAX / 2)
  await give(heavy, [half('a'), half('b'), 'c'])
  await heavy.ask(pin(half('a')))
  await heavy.ask(pin(half('b')))
  t.equal(await heavy.refusal(pin('c')), 'limit_reached')
})

t.test('a pin survives storage, export and import; a reset and an erasure take it away', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  await session.ask({ type: 'memory.ingest', memories: [{ text: ALLERGY, role: 'user', userId: 'ann' }] })
  t.match(session.exported(), '"version":1')
  await session.ask(pin(ALLERGY))
  t.same((await session.record()).rows.find(({ collection }) => collection === 'stats')?.body, {
    ...inOneGo(session.state.corpus.allByHash(hashText(ALLERGY)))[0]?.stats,
    isPinned: true
  })
  const exported = session.exported()
  t.match(exported, '"version":2', 'who does not know of pins refuses it, rather than losing them')
  const other = await rig.create('other')
  await other.ask({ type: 'session.import', stateDict: JSON.parse(exported) as unknown })
  t.equal(other.exported(), exported)
  t.equal(other.state.pinned.size, 1)
  await other.run('Something else', { resetContext: true })
  t.equal(other.state.pinned.size, 0)
  await session.ask({ type: 'user.erase', userId: 'ann' })
  t.equal(session.state.pinned.size, 0)
  t.notMatch((await session.run('What is Anna allergic to?')).context, 'penicillin')
})

t.test('edits and deletions of memories of a data subject are audited, without the text', async (t) => {
  const session = await createSessionRig({ audits: true }).create()
  await session.ask({
    type: 'memory.ingest',
    memories: [
      { text: ALLERGY, role: 'user', userId: 'ann' },
      { text: ALLERGY, role: 'assistant' }
    ]
  })
  const digest = createHash('sha256')
    .update(`{"importance":3,"memory_hash":"${hashText(ALLERGY)}","pinned":true}`)
    .digest('hex')
  const edit = { ...pin(ALLERGY), importance: 3 }
  t.match((await session.changes(edit))?.audit, [{ action: 'edit', userId: 'ann', size: 1, digest }])
  t.equal(await session.changes(edit), null)
  t.match((await session.changes({ type: 'memory.delete', hash: hashText(ALLERGY) }))?.audit, [{ action: 'erase', userId: 'ann', size: 1 }])
})
