/** Memories that are added, listed, deleted and expire outside of any turn. */
import t from 'tap'
import type { IngestedMemory } from '../../../../src/domain/commands/control-commands.js'
import { createSessionRig, embeddingOf } from '../../../support/session-rig.js'

const BATCH: IngestedMemory[] = [
  { text: 'The lease ends in June', role: 'user', timestamp: 1_600_000_000 },
  { text: 'The lease ends in June', role: 'user', timestamp: 1_600_000_000 },
  { text: 'The lease ends in June', role: 'user', userId: 'ann', timestamp: 1_600_000_000 },
  { text: 'The lease ends in June', role: 'assistant', timestamp: 1_600_000_000 },
  { text: 'The landlord is Mr Weber', role: 'synthetic', importance: 2 }
]

const injection = { type: 'memory.inject', tier: 'short_term', importance: 1, accessCount: 0 } as const

t.test('the same batch twice leaves the same state, its own duplicates once', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  const first = await session.ask({ type: 'memory.ingest', memories: BATCH })
  t.same([first.stored, first.updated, first.memories.length], [4, 1, 5])
  t.equal(first.memories[0]?.memoryId, first.memories[1]?.memoryId)
  const before = session.exported()
  const again = await session.ask({ type: 'memory.ingest', memories: BATCH })
  t.same([again.stored, again.updated], [0, 5])
  t.same(again.memories, first.memories)
  t.equal(session.exported(), before)
})

t.test('a batch that would not fit is refused as a whole', async (t) => {
  const session = await createSessionRig({ memoriesMax: 3 }).create()
  const before = session.exported()
  t.equal(await session.refusal({ type: 'memory.ingest', memories: BATCH }), 'memory_full')
  t.equal(session.exported(), before)
  t.equal((await session.ask({ type: 'memory.ingest', memories: BATCH.slice(0, 4) })).stored, 3)
})

t.test('an injected memory is found by its own embedding and replaced by the same text', async (t) => {
  const session = await createSessionRig().create()
  const first = await session.ask({
    ...injection,
    text: 'alpha',
    embedding: embeddingOf('sailing boats'),
    tier: 'long_term',
    importance: 2,
    accessCount: 5
  })
  t.match(first, { tier: 'long_term', totalMemories: 1 })
  const search = await session.ask({ type: 'session.search', embedding: embeddingOf('sailing boats'), topK: 1, filter: {}, explain: false })
  t.match(search.results, [{ memoryId: first.memoryId, accessCount: 5, importance: 2, role: 'synthetic' }])
  const second = await session.ask({ ...injection, text: 'alpha' })
  t.match(second, { memoryId: first.memoryId, totalMemories: 1 })
  t.equal((await session.search('sailing boats')).length, 0, 'it has the embedding of its own text again')
  t.equal(await session.refusal({ ...injection, text: 'beta', embedding: [1] }), 'invalid_input')
})

t.test('given memories shape retrieval but not the state, drift or turns of a session', async (t) => {
  const session = await createSessionRig().create()
  await session.ask({ type: 'memory.ingest', memories: BATCH })
  const metrics = await session.metrics()
  t.match(metrics, { interactionCount: 0, driftScore: 0, totalMemories: 4, phase: 'initialization' })
  t.same([session.state.head.folds, session.state.topics.list()], [[], []])
  t.match((await session.run('When does the lease end?')).context, 'June')
})

t.test('a memory that a turn brought in is neither made to expire nor re-embedded by an injection', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  await session.ask({ ...injection, text: 'The key is under the mat' })
  await session.run('The key is under the mat')
  await session.ask({ ...injection, text: 'The key is under the mat', embedding: embeddingOf('sailing'), expiresAt: rig.now + 10 })
  rig.advance(20)
  t.equal((await session.search('key under the mat')).length, 1)
})

t.test('pages together are every memory once, oldest first, whatever is added meanwhile', async (t) => {
  const session = await createSessionRig().create()
  const texts = Array.from({ length: 23 }, (_, at) => `note ${String(at)}`)
  await session.ask({ type: 'memory.ingest', memories: texts.map((text) => ({ text, role: 'user' as const })) })
  const seen: string[] = []
  for (let after: string | null = null, page = 0; page < 20; page++) {
    const { memories, next }: { memories: readonly { text: string }[]; next: string | null } = await session.ask({
      type: 'memory.list',
      limit: 5,
      filter: {},
      ...(after !== null && { after })
    })
    seen.push(...memories.map(({ text }) => text))
    if (page === 0) await session.ask({ type: 'memory.ingest', memories: [{ text: 'added late', role: 'user' }] })
    if (next === null) break
    after = next
  }
  t.same(seen, [...texts, 'added late'])
})

t.test('the last page that is exactly full has no next', async (t) => {
  const session = await createSessionRig().create()
  await session.ask({ type: 'memory.ingest', memories: BATCH })
  t.equal((await session.ask({ type: 'memory.list', limit: 4, filter: {} })).next, null)
  t.equal((await session.ask({ type: 'memory.list', limit: 1, filter: { role: 'synthetic' } })).next, null)
})

t.test('a memory past its time is nowhere, counts nowhere, and leaves storage with the next write', async (t) => {
  const rig = createSessionRig({ memoriesMax: 2 })
  const session = await rig.create()
  const { memoryHash } = await session.ask({ ...injection, text: 'The alarm code is 4711', expiresAt: rig.now + 60 })
  const stored = async () =>
    (await session.record()).rows.filter(({ collection }) => collection === 'memory' || collection === 'stats').length
  t.equal((await session.metrics()).totalMemories, 1)
  rig.advance(60)
  t.equal((await session.metrics()).totalMemories, 0)
  t.same(await session.list(), [])
  t.same(await session.search('alarm code'), [])
  t.same((await session.ask({ type: 'session.context', topK: 5, fullFirst: false, maxTextChars: 500 })).items, [])
  t.equal(await session.refusal({ type: 'session.memory', hash: memoryHash }), 'memory_missing')
  t.equal((await session.ask({ type: 'session.dedupCheck', text: 'The alarm code is 4711' })).maxSim, 0)
  const { document } = await session.ask({ type: 'session.export' })
  t.notMatch(JSON.stringify(document), '4711')
  t.equal(await stored(), 2, 'reads write nothing')
  await session.run('What is the alarm code?', { response: 'I do not know it.' })
  t.equal(await stored(), 4, 'two new memories fit, and the old one is gone')
  t.equal(session.state.corpus.size, 2)
})

t.test('a memory that has expired on arrival is never stored, however often it is given', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  const memories: IngestedMemory[] = [
    { text: 'too late', role: 'user', expiresAt: rig.now },
    { text: 'too late', role: 'user', expiresAt: rig.now }
  ]
  for (let at = 0; at < 2; at++) {
    await session.ask({ type: 'memory.ingest', memories })
    t.same([session.state.corpus.size, session.state.expiring.size, await session.list()], [0, 0, []])
    t.equal((await session.record()).rows.length, 0)
  }
})
