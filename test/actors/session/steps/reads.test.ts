/** Read-only commands: what they return, and that they change nothing. */
import t from 'tap'
import { isRead } from '../../../../src/domain/commands/commands.js'
import type { SessionCommand } from '../../../../src/domain/commands/session-commands.js'
import { createSessionRig, embeddingOf } from '../../../support/session-rig.js'

async function talked() {
  const rig = createSessionRig()
  const session = await rig.create()
  for (const [message, answer] of [
    ['My bicycle has a flat tyre', 'Patch the inner tube.'],
    ['Which glue holds on rubber?', 'Vulcanising cement does.'],
    ['The rear light is broken as well', 'Check its cable first.']
  ] as const) {
    await session.run(message)
    await session.store(answer)
    rig.advance(60)
  }
  return { rig, session }
}

t.test('every read changes neither state nor storage', async (t) => {
  const { session } = await talked()
  const [memory] = await session.list()
  const reads: SessionCommand[] = [
    { type: 'session.dedupCheck', text: 'My bicycle has a flat tyre' },
    { type: 'session.metrics' },
    { type: 'session.context', topK: 50, fullFirst: false, maxTextChars: 500 },
    { type: 'session.memory', hash: memory?.memoryHash ?? '' },
    { type: 'session.search', query: 'bicycle', topK: 10, filter: {}, explain: true },
    { type: 'session.search', embedding: embeddingOf('bicycle'), topK: 10, filter: {}, explain: false },
    { type: 'session.export' },
    { type: 'session.verify', testEmbeddings: [embeddingOf('bicycle')], tolerance: 1e-3 },
    { type: 'session.probe', testEmbeddings: [embeddingOf('bicycle')] },
    { type: 'anchor.score' },
    { type: 'memory.list', limit: 2, filter: {} },
    { type: 'entity.list', query: '', maxResults: 20 },
    { type: 'isolation.screen', texts: ['My bicycle has a flat tyre'] },
    { type: 'state.read' },
    { type: 'exchange.read', findings: [{ questionId: null, answerId: memory?.memoryId ?? '' }] }
  ]
  const before = session.exported()
  const { head } = session.state
  for (const command of reads) {
    t.equal(await session.changes(command), null, command.type)
    t.ok(isRead(command), `${command.type} is known as one`)
    t.equal(session.state.head, head)
    t.equal(session.exported(), before)
  }
})

t.test('a dedup check says update exactly from its threshold on', async (t) => {
  const { session } = await talked()
  for (const text of [
    'My bicycle has a flat tyre',
    'my bicycle has a flat tyre!',
    'My bicycle has 2 flat tyres',
    'Rubber and glue',
    'Nothing of the sort',
    '???'
  ]) {
    for (const dedupThreshold of [-1, 0, 0.3, 0.7, 0.85, 1]) {
      const signal = await session.ask({ type: 'session.dedupCheck', text, dedupThreshold })
      t.equal(signal.isUpdate, signal.maxSim >= dedupThreshold, `${text} at ${dedupThreshold}`)
      t.equal(signal.matchedId !== null, signal.isUpdate)
    }
  }
  t.equal((await session.ask({ type: 'session.dedupCheck', text: 'My bicycle has a flat tyre', dedupThreshold: 1 })).maxSim, 1)
})

t.test('a dedup check of a session that holds nothing is never an update', async (t) => {
  const session = await createSessionRig().create()
  for (const dedupThreshold of [-1, 0, 1]) {
    t.same(await session.ask({ type: 'session.dedupCheck', text: 'x', dedupThreshold }), { isUpdate: false, maxSim: 0, matchedId: null })
  }
})

t.test('a dedup check of a text without features finds it word for word', async (t) => {
  const session = await createSessionRig().create()
  await session.run('???')
  t.match(await session.ask({ type: 'session.dedupCheck', text: '???' }), { isUpdate: true, maxSim: 1 })
  t.match(await session.ask({ type: 'session.dedupCheck', text: '!!!' }), { isUpdate: false, maxSim: 0 })
})

t.test('the metrics count what there is', async (t) => {
  const { session } = await talked()
  await session.ask({ type: 'anchor.set', text: 'bicycle repair' })
  await session.ask({ type: 'trigger.set', keyword: 'urgent', threshold: 0.75 })
  await session.ask({ type: 'entity.put', key: 'k', kind: 'path', value: '/x', importance: 1 })
  await session.ask({
    type: 'isolation.set',
    level: 'QUARANTINE',
    exclusionEmbeddings: [],
    allowlistEmbeddings: [],
    similarityThreshold: 0.9
  })
  await session.run('Sonnets have fourteen lines')
  const metrics = await session.metrics()
  t.match(metrics, {
    interactionCount: 3,
    totalMemories: 6,
    anchorCount: 1,
    triggerCount: 1,
    entityCount: 1,
    isolation: { level: 'QUARANTINE', similarityThreshold: 0.9, quarantinedCount: 1 }
  })
  const { shortTerm, mediumTerm, longTerm } = metrics.tiers
  t.equal(shortTerm + mediumTerm + longTerm, 6)
})

t.test('the context is ranked by the semantic state, cut where asked and never inside a character', async (t) => {
  const { session } = await talked()
  const read = async (topK: number, maxTextChars: number, fullFirst = false) =>
    (await session.ask({ type: 'session.context', topK, fullFirst, maxTextChars })).items
  const items = await read(50, 500)
  t.equal(items.length, 6)
  t.same(
    items.map(({ relevance }) => relevance),
    items.map(({ relevance }) => relevance).sort((a, b) => b - a)
  )
  const [first, second] = await read(2, 3, true)
  t.same([first?.truncated, second?.truncated, second?.text.length], [false, true, 3])
  await session.run('🙂🙂🙂🙂')
  for (const { text } of await read(50, 3)) t.ok([...text].length <= 3 && !/[\ud800-\udbff]$/.test(text))
})

t.test('the context of a session without a direction is its newest memories', async (t) => {
  const session = await createSessionRig().create()
  t.same((await session.ask({ type: 'session.context', topK: 5, fullFirst: false, maxTextChars: 500 })).items, [])
  await session.ask({ type: 'memory.ingest', memories: ['one', 'two', 'three'].map((text) => ({ text, role: 'user' as const })) })
  const { items } = await session.ask({ type: 'session.context', topK: 2, fullFirst: false, maxTextChars: 500 })
  t.same(
    items.map(({ text }) => text),
    ['three', 'two']
  )
})

t.test('an unknown memory is refused as missing', async (t) => {
  const { session } = await talked()
  t.equal(await session.refusal({ type: 'session.memory', hash: '0'.repeat(32) }), 'memory_missing')
  t.equal(await session.refusal({ type: 'memory.delete', hash: '0'.repeat(32) }), 'memory_missing')
  t.equal(await session.refusal({ type: 'memory.list', limit: 1, after: 'nobody', filter: {} }), 'memory_missing')
})

t.test('a search keeps to its filter', async (t) => {
  const { rig, session } = await talked()
  const search = async (filter: object) =>
    (await session.ask({ type: 'session.search', query: 'bicycle tyre glue light', topK: 10, filter, explain: false })).results
  t.ok((await search({ role: 'assistant' })).every(({ role }) => role === 'assistant'))
  t.same(await search({ userId: 'ann' }), [])
  t.ok((await search({ since: rig.now - 60 })).every(({ timestamp }) => timestamp >= rig.now - 60))
  t.ok((await search({ until: rig.now - 60 })).every(({ timestamp }) => timestamp < rig.now - 60))
})

t.test('an embedding of another length is refused at its field', async (t) => {
  const { session } = await talked()
  const before = session.exported()
  const short = [1, 0]
  const commands: SessionCommand[] = [
    { type: 'session.search', embedding: short, topK: 1, filter: {}, explain: false },
    { type: 'anchor.set', embedding: short },
    { type: 'trigger.set', embedding: short, threshold: 0.5 },
    { type: 'memory.inject', text: 'x', embedding: short, tier: 'short_term', importance: 1, accessCount: 0 },
    { type: 'isolation.set', level: 'OPEN', exclusionEmbeddings: [], allowlistEmbeddings: [short], similarityThreshold: 0.7 },
    { type: 'session.verify', testEmbeddings: [short], tolerance: 1 }
  ]
  for (const command of commands) t.equal(await session.refusal(command), 'invalid_input', command.type)
  t.equal(session.exported(), before)
})
