import t from 'tap'
import { createExactIndexes } from '../../../../src/vectors/exact-index.js'
import { calledOf } from '../../../support/called.js'
import { createSessionRig, embeddingOf } from '../../../support/session-rig.js'

const QUESTION = 'How do I reset the admin password of the billing portal?'
const PARAPHRASE = 'How do I reset the admin password of the billing portal'
const ANSWER = 'Open the settings page of the portal and choose reset under accounts.'

t.test('a response given with the next message answers the message before it', async (t) => {
  const session = await createSessionRig().create()
  await session.run(QUESTION)
  await session.run('Which port does the staging database listen on?', { response: ANSWER })
  const [question, answer, next] = await session.list()
  t.same([question?.text, answer?.text, next?.role], [QUESTION, ANSWER, 'user'])
  t.same(session.state.corpus.get(answer?.memoryId ?? '')?.memory.replyTo, [question?.memoryId])
  t.equal(session.state.head.openQuestionId, next?.memoryId)
})

t.test('a message, repeated, short-circuits once it is answered and not before', async (t) => {
  const session = await createSessionRig().create()
  t.equal((await session.run(QUESTION)).shortCircuit, false, 'new')
  t.equal((await session.run(QUESTION)).shortCircuit, false, 'not answered')
  await session.store(ANSWER)
  t.equal((await session.run(QUESTION)).shortCircuit, true, 'word for word')
  t.equal((await session.run(QUESTION, { shortCircuitThreshold: 1 })).shortCircuit, true, 'word for word, at the highest threshold')
  t.equal((await session.run(PARAPHRASE)).shortCircuit, true, 'another wording')
  t.equal((await session.run(PARAPHRASE.toUpperCase(), { shortCircuitThreshold: 0.8 })).shortCircuit, true, 'another case')
  t.equal((await session.metrics()).shortCircuits, 4)
})

for (const other of [
  'How do I reset the admin password of the shipping portal?',
  'How do I not reset the admin password of the billing portal?',
  'How do I delete the admin password of the billing portal?'
]) {
  t.test(`"${other}" instead of an answered question does not short-circuit`, async (t) => {
    const session = await createSessionRig().create()
    await session.run(QUESTION)
    await session.store(ANSWER)
    t.equal((await session.run(other, { shortCircuitThreshold: 0.5 })).shortCircuit, false)
  })
}

t.test('an update keeps the id, raises the importance and is read by its newest hash', async (t) => {
  const session = await createSessionRig().create()
  await session.run('My deployment window is on Thursday evening')
  const [before] = await session.list()
  await session.run('my deployment window is on thursday evening.')
  const memories = await session.list()
  t.equal(memories.length, 1)
  const [after] = memories
  t.equal(after?.memoryId, before?.memoryId)
  t.ok((after?.importance ?? 0) > (before?.importance ?? 1))
  t.not(after?.memoryHash, before?.memoryHash)
  t.equal(
    (await session.ask({ type: 'session.memory', hash: after?.memoryHash ?? '' })).text,
    'my deployment window is on thursday evening.'
  )
  t.equal(await session.refusal({ type: 'session.memory', hash: before?.memoryHash ?? '' }), 'memory_missing')
})

t.test("a message of another data subject never updates the first one's memory", async (t) => {
  const session = await createSessionRig().create()
  await session.run('My locker is number 14', { userId: 'ann' })
  await session.run('My locker is number 14', { userId: 'bob' })
  t.same(
    (await session.list()).map(({ userId }) => userId),
    ['ann', 'bob']
  )
})

t.test('reset_context wipes the memories before the turn and keeps the controls', async (t) => {
  const rig = createSessionRig()
  await rig.cluster('c')
  const session = await rig.create()
  await rig.join('c', session)
  await session.ask({ type: 'anchor.set', text: 'gardening' })
  await session.ask({ type: 'entity.put', key: 'k', kind: 'constant', value: 'v', importance: 1 })
  await session.ask({ type: 'trigger.set', keyword: 'fern', threshold: 0.75 })
  for (const text of ['Roses need pruning', 'Tulips bloom in spring', 'Ferns like shade']) await session.run(text)
  const isolation = { level: 'QUARANTINE', exclusionEmbeddings: [], allowlistEmbeddings: [], similarityThreshold: 0.7 } as const
  await session.ask({ type: 'isolation.set', ...isolation })
  await session.run('A violin concerto in D minor')
  await session.ask({ type: 'isolation.set', ...isolation, similarityThreshold: -1 })
  const reply = await session.run('What did I say about roses?', { resetContext: true })
  t.equal(reply.turn, 1)
  t.equal(reply.driftScore, 0)
  t.match(reply.context, /Turn 1 \| 0 memories\]$/)
  t.same(
    (await session.list()).map(({ text }) => text),
    ['What did I say about roses?']
  )
  const metrics = await session.metrics()
  t.same([metrics.interactionCount, metrics.anchorCount, metrics.triggerCount, metrics.entityCount], [1, 1, 1, 1])
  t.same(metrics.isolation, { level: 'QUARANTINE', similarityThreshold: -1, quarantinedCount: 1 })
  t.same([(await session.ask({ type: 'session.days' })).days[0]?.turns, session.state.ties.memberships.length], [4, 1])
  t.equal((await session.record()).rows.filter(({ collection }) => collection === 'memory').length, 1)
})

t.test('what the context block shows is counted as accessed, and nothing else', async (t) => {
  const session = await createSessionRig().create()
  const texts = [
    'The backup server is called Atlas',
    'Lunch was rather salty',
    'What is the name of the backup server?',
    'Is the lunch served at noon?'
  ]
  const shown = new Map(texts.map((text) => [text, 0]))
  for (const message of texts) {
    const { context } = await session.run(message)
    for (const text of texts) if (context.includes(text)) shown.set(text, (shown.get(text) ?? 0) + 1)
  }
  t.ok([...shown.values()].some((count) => count > 1))
  t.same(
    (await session.list()).map(({ text, accessCount }) => [text, accessCount]),
    [...shown]
  )
})

t.test('an index that faults costs the context block and never the turn', async (t) => {
  let isBroken = false
  const createVectorIndex = createExactIndexes()
  const rig = createSessionRig({
    createVectorIndex: (dimension) => {
      const index = createVectorIndex(dimension)
      return {
        add: (label, vector) => index.add(label, vector),
        remove: (label) => index.remove(label),
        close: () => index.close(),
        get size() {
          return index.size
        },
        nearness: (query) => index.nearness(query),
        search(query, limit, accept) {
          if (isBroken) throw new Error('the index is broken')
          return index.search(query, limit, accept)
        }
      }
    }
  })
  const session = await rig.create()
  await session.run(QUESTION)
  await session.store(ANSWER)
  isBroken = true
  const reply = await session.run(PARAPHRASE)
  t.equal(reply.retrievalError, true)
  t.equal(reply.context, '')
  t.equal(reply.turn, 2)
  t.equal(reply.shortCircuit, true, 'the exact scan stands in')
  t.equal((await session.list()).length, 2, 'and finds the duplicate')
  isBroken = false
  t.equal((await session.run(PARAPHRASE)).retrievalError, false)
})

t.test('a run that would not fit is refused before anything changes, a reset included', async (t) => {
  const session = await createSessionRig({ memoriesMax: 1 }).create()
  await session.run('The only thing there is room for')
  const before = session.exported()
  for (const resetContext of [false, true]) {
    const command = { type: 'session.run', message: 'Something else entirely', response: 'An answer to that', resetContext } as const
    t.equal(await session.refusal(command), 'memory_full')
    t.equal(session.exported(), before)
  }
  t.equal((await session.run('Something else entirely', { resetContext: true })).turn, 1)
})

t.test('an answer that rewords what the message would have updated never fills a session beyond its limit', async (t) => {
  const session = await createSessionRig({ memoriesMax: 2, updateThreshold: 0.6 }).create()
  const texts = ['alpha beta gamma delta epsilon', 'alpha beta gamma zeta eta', 'delta epsilon theta beta gamma alpha']
  await session.run(texts[0] as string)
  await session.run('Something that has nothing to do with it')
  await session.refusal({ type: 'session.run', message: texts[2] as string, response: texts[1] as string, resetContext: false })
  t.ok(session.state.corpus.size <= 2)
})

t.test('a template counts as the direction of a session until its own turns outweigh it', async (t) => {
  const session = await createSessionRig().create('s', { templateEmbedding: embeddingOf('sailing boats') })
  await session.ask({ type: 'anchor.set', text: 'sailing boats' })
  const before = (await session.metrics()).anchorScore ?? 0
  await session.run('Tax forms are due in May')
  const after = (await session.metrics()).anchorScore ?? 1
  t.ok(before > 0.99)
  t.ok(after < before)
})

t.test('a run announces its search by vector before it searches by words, and searches by words once', async (t) => {
  const session = await createSessionRig().create()
  await session.run(QUESTION)
  await session.store(ANSWER)
  const called = calledOf(session.state.corpus, ['prepare', 'matching', 'nearest'])
  const { context } = await session.run(PARAPHRASE)
  t.ok(context.includes(ANSWER))
  t.same(called.slice(0, 3), ['prepare', 'matching', 'nearest'])
  t.equal(called.filter((name) => name === 'matching').length, 1)
})

t.test('a search by words that faults before the message is judged costs the context block alone', async (t) => {
  const session = await createSessionRig().create()
  await session.run(QUESTION)
  await session.store(ANSWER)
  let faults = 0
  session.state.corpus.matching = () => {
    faults += 1
    throw new Error('the words are broken')
  }
  const reply = await session.run(PARAPHRASE)
  t.match(reply, { retrievalError: true, context: '', shortCircuit: true })
  t.equal(faults, 2)
})
