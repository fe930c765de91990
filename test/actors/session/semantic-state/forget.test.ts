/** A deleted memory leaves no trace, and the session continues as if it had never been told of it. */
import fc from 'fast-check'
import t from 'tap'
import { hashText } from '../../../../actors/session/record/hash.js'
import { stateVector } from '../../../../actors/session/semantic-state/folds.js'
import { createSessionRig, differenceOf, embeddingOf, type RigSession } from '../../../support/session-rig.js'
import { TEXTS } from '../random-commands.js'
import { inOneGo } from '../../../../src/domain/pieces.js'

const SECRET = 'My bank password is Wintermute 42'
const ANSWER = 'Noted, the bank password is Wintermute 42.'

t.test('a deleted text is found nowhere', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  await session.run('Hello there, shall we begin?')
  await session.run(SECRET, { userId: 'ann' })
  await session.store(ANSWER)
  await session.run('The weather in Oslo is cold')
  await session.run(SECRET, { userId: 'bob' })
  await session.store('Oslo lies by the sea and is cold.')
  await session.ask({
    type: 'isolation.set',
    level: 'QUARANTINE',
    exclusionEmbeddings: [embeddingOf(SECRET)],
    allowlistEmbeddings: [],
    similarityThreshold: 0.7
  })
  t.equal((await session.run(SECRET)).isolation.action, 'quarantined')
  await session.ask({ type: 'isolation.set', level: 'OPEN', exclusionEmbeddings: [], allowlistEmbeddings: [], similarityThreshold: 0.7 })
  const ids = inOneGo(session.state.corpus.allByHash(hashText(SECRET))).map(({ memory }) => memory.id)
  t.equal(ids.length, 2)
  const vectors = inOneGo(session.state.corpus.allByHash(hashText(SECRET))).map(({ memory }) =>
    Buffer.from(memory.vectors.buffer).toString('base64')
  )

  await session.ask({ type: 'memory.delete', hash: hashText(SECRET) })
  await session.ask({ type: 'memory.delete', hash: hashText(ANSWER) })
  const { state } = session
  const exported = session.exported()
  for (const trace of [SECRET, 'Wintermute', ...ids, ...vectors]) {
    t.notOk(exported.includes(trace), 'export')
    t.notOk(JSON.stringify((await session.record()).rows).includes(trace), 'rows')
    t.notOk(JSON.stringify((await session.record()).head).includes(trace), 'head')
  }
  t.notOk(JSON.stringify(await session.list()).includes('Wintermute'), 'list')
  t.notOk(JSON.stringify(await session.search('bank password Wintermute')).includes('Wintermute'), 'search')
  const words = { type: 'session.search', query: 'wintermute', topK: 10, filter: {}, explain: true } as const
  t.ok(
    (await session.ask(words)).results.every(({ components }) => components?.['lexical'] === 0),
    'word index'
  )
  t.same([...state.held.values()], [], 'hold list')
  t.same(
    state.head.folds.filter(({ memoryId }) => ids.includes(memoryId)),
    [],
    'folds'
  )
  t.same(
    [...state.corpus.ordered()].flatMap(({ memory }) => memory.replyTo).filter((id) => ids.includes(id)),
    [],
    'links'
  )
  t.same(
    state.topics
      .list()
      .flatMap(({ id }) => state.topics.members(id))
      .filter((id) => ids.includes(id)),
    [],
    'segments'
  )
  t.not((await session.ask({ type: 'session.dedupCheck', text: SECRET })).isUpdate, true, 'duplicates')
  t.equal(await session.refusal({ type: 'session.memory', hash: hashText(SECRET) }), 'memory_missing')
  const sums = new Map<number, Float64Array>()
  for (const { memory, stats } of state.corpus.ordered()) {
    const sum = sums.get(stats.segment) ?? new Float64Array(memory.vectors.length)
    sums.set(
      stats.segment,
      sum.map((value, at) => value + (memory.vectors[at] ?? 0))
    )
  }
  for (const { id, sum } of state.topics.list()) t.equal(differenceOf([...sum], [...(sums.get(id) ?? [])], 1e-9), null, 'segment sums')
  const reply = await session.run(SECRET)
  t.equal(reply.shortCircuit, false, 'short circuit')
  t.notMatch(reply.context, 'Wintermute', 'context block')
})

t.test('the only memory leaves a session without any direction when it is deleted', async (t) => {
  const session = await createSessionRig().create()
  await session.run(SECRET)
  await session.ask({ type: 'memory.delete', hash: hashText(SECRET) })
  t.same(
    [stateVector(session.state), session.state.topics.list(), session.state.head.folds, session.state.head.openQuestionId],
    [null, [], [], null]
  )
  t.equal(await session.refusal({ type: 'memory.delete', hash: hashText(SECRET) }), 'memory_missing')
})

t.test('a message that waits for its answer waits on while another one is deleted, and no longer when it is deleted itself', async (t) => {
  const session = await createSessionRig().create()
  const [other, question] = ['Which hotel in Lisbon is quiet?', 'Which soil suits the roses?']
  for (const text of [other, question]) await session.run(text)
  const { openQuestionId } = session.state.head
  await session.ask({ type: 'memory.delete', hash: hashText(other) })
  t.ok(openQuestionId)
  t.equal(session.state.head.openQuestionId, openQuestionId)
  await session.ask({ type: 'memory.delete', hash: hashText(question) })
  t.equal(session.state.head.openQuestionId, null)
})

/** Visible state of a session, without ids and counters. */
async function shown(session: RigSession, message: string) {
  const search = await session.search('roses, the hotel and the server', 50)
  const { items } = await session.ask({ type: 'session.context', topK: 50, fullFirst: false, maxTextChars: 500 })
  const { folds, segment, driftScore, driftPhase, phase, topicSwitches } = session.state.head
  const texts = (id: string) => session.state.corpus.get(id)?.memory.text
  const segments = session.state.topics.list().map(({ id }) => ({ id, members: session.state.topics.members(id).map(texts).sort() }))
  const reply = await session.run(message)
  return {
    search: search.map(({ text, score }) => ({ text, score })),
    context: items.map(({ text, relevance }) => ({ text, relevance })),
    folds: folds.map(({ memoryId, turn: _, ...fold }) => ({ text: texts(memoryId), ...fold })),
    segments: segments.sort((a, b) => a.id - b.id),
    head: { segment, driftScore, driftPhase, phase, topicSwitches },
    // Ids differ between sessions.
    refused: reply.refused === undefined ? null : { ...reply.refused, memoryId: texts(reply.refused.memoryId) },
    reply: { ...reply, refused: null, turn: 0, context: reply.context.split('\n').slice(1) }
  }
}

t.test('exchanges that are deleted leave a session as one that never had them', async () => {
  const exchange = fc.record({ topic: fc.nat(11), isDeleted: fc.integer({ min: 0, max: 3 }).map((n) => n === 0) })
  await fc.assert(
    fc.asyncProperty(fc.array(exchange, { minLength: 12, maxLength: 28 }), fc.boolean(), async (exchanges, useCortex) => {
      const rig = createSessionRig({ updateThreshold: 1 })
      const [told, spared] = [await rig.create('told', { useCortex }), await rig.create('spared', { useCortex })]
      const texts = exchanges.map(
        ({ topic }, at) => [`${TEXTS[topic] ?? ''} n${String(at)}`, `Understood, ${TEXTS[(topic + at) % 12] ?? ''} r${String(at)}`] as const
      )
      for (const [at, { isDeleted }] of exchanges.entries()) {
        rig.advance(30)
        for (const session of isDeleted && at < exchanges.length - 8 ? [told] : [told, spared]) {
          await session.run(texts[at]?.[0] ?? '')
          await session.store(texts[at]?.[1] ?? '')
        }
      }
      for (const [at, { isDeleted }] of exchanges.entries()) {
        if (isDeleted && at < exchanges.length - 8)
          for (const text of texts[at] ?? []) await told.ask({ type: 'memory.delete', hash: hashText(text) })
      }
      const difference = differenceOf(
        await shown(told, 'which roses grow beside the hotel?'),
        await shown(spared, 'which roses grow beside the hotel?')
      )
      if (difference !== null) throw new Error(difference)
    }),
    { numRuns: 40 }
  )
})

t.test('an answer that is left keeps the other question that it answered', async (t) => {
  const session = await createSessionRig().create()
  const [first, second] = ['How do I enable the second factor of my mail account?', 'Where in the settings are the backup codes?']
  for (const question of [first, second]) {
    await session.run(question)
    await session.store(ANSWER)
  }
  const memoryOf = (text: string) => inOneGo(session.state.corpus.allByHash(hashText(text)))[0]?.memory
  const kept = memoryOf(second)?.id
  t.same(memoryOf(ANSWER)?.replyTo, [memoryOf(first)?.id, kept])
  await session.ask({ type: 'memory.delete', hash: hashText(first) })
  t.same(memoryOf(ANSWER)?.replyTo, [kept])
})
