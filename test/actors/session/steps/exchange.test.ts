/** What sessions of a cluster tell each other, and what they retract. */
import t from 'tap'
import { hashText } from '../../../../actors/session/record/hash.js'
import { REPLY_TO_MAX } from '../../../../src/domain/limits.js'
import { createSessionRig, embeddingOf } from '../../../support/session-rig.js'
import { ANSWER, exchange, match, QUESTION, team, texts } from '../../../support/session-team.js'

t.test('an answer that a member stores is found by the very next run of another one and ends it early', async (t) => {
  const rig = createSessionRig()
  const { shared, a, b } = await team(rig)
  await a.run(QUESTION, { userId: 'ann' })
  await a.store(ANSWER, { userId: 'bob' })
  t.ok(
    rig.messages.every(({ isAwaited }) => isAwaited),
    'the reply waits for them'
  )
  t.notMatch(JSON.stringify(rig.messages), 'sign-in', 'an outbox message holds no text')
  t.same(await rig.deliver(), [])
  t.same(
    (await shared.list()).map(({ role, text, userId }) => ({ role, text, userId })),
    [
      { role: 'user', text: QUESTION, userId: 'ann' },
      { role: 'assistant', text: ANSWER, userId: 'bob' }
    ]
  )
  t.equal((await shared.metrics()).interactionCount, 0, 'no turn of the shared session')
  t.equal((await shared.ask({ type: 'state.read' })).state, null)

  const reply = await b.run('How can I enable two-factor sign-in?')
  t.ok(reply.shortCircuit)
  t.match(reply.context, `Q: ${QUESTION} A: ${ANSWER}`)
  t.equal((await b.metrics()).shortCircuits, 1)
  t.same(await texts(b), ['How can I enable two-factor sign-in?'], 'what is shared is read, not copied')
  t.ok(
    (await shared.list()).every(({ accessCount }) => accessCount === 0),
    'and reading touches nothing'
  )
})

t.test('an answer that comes with the next message is shared as well', async (t) => {
  const rig = createSessionRig()
  const { a, b } = await team(rig)
  await a.run(QUESTION)
  await a.run('And how do I disable it?', { response: ANSWER })
  await rig.deliver()
  t.ok((await b.run(QUESTION)).shortCircuit)
})

t.test('a near miss with another fact does not end a run early, and is shown what is near', async (t) => {
  const rig = createSessionRig()
  const { a, b } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  await rig.deliver()
  const reply = await b.run('How do I disable two-factor sign-in?')
  t.notOk(reply.shortCircuit)
  t.match(reply.context, ANSWER)
  t.notOk((await b.run('How do I enable two-factor sign-in for 3 accounts?')).shortCircuit)
})

t.test('a message that is held back asks nobody', async (t) => {
  const rig = createSessionRig({ isTraced: true })
  const { a, b } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  await rig.deliver()
  await b.ask({
    type: 'isolation.set',
    level: 'QUARANTINE',
    exclusionEmbeddings: [embeddingOf(QUESTION)],
    allowlistEmbeddings: [],
    similarityThreshold: 0.7
  })
  const reply = await b.run(QUESTION)
  t.same([reply.isolation.action, reply.shortCircuit, reply.context], ['quarantined', false, ''])
  t.notOk(rig.events.some(({ kind, sessionId }) => kind === 'retrieval.shared' && sessionId === 'b'))
})

t.test('a shared session that isolates itself finds nothing for what it would hold back', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  await rig.deliver()
  await shared.ask({ type: 'isolation.set', level: 'LOCKDOWN', exclusionEmbeddings: [], allowlistEmbeddings: [], similarityThreshold: 0.7 })
  t.same(await shared.ask(match(QUESTION)), { isAnswered: false, hits: [] })
})

t.test('what a member holds itself is shown once, as its own', async (t) => {
  const rig = createSessionRig({ isTraced: true })
  const { a } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  await rig.deliver()
  const { context } = await a.run(QUESTION)
  t.equal(context.split(ANSWER).length, 2)
  t.ok((await a.list()).find(({ text }) => text === ANSWER)?.accessCount, 'and counts as used')
})

t.test('a question that a member has asked without an answer is shown with the answer of the cluster only', async (t) => {
  const rig = createSessionRig()
  const { a, b } = await team(rig)
  await b.run(QUESTION)
  await a.run(QUESTION)
  await a.store(ANSWER)
  await rig.deliver()
  const { context, shortCircuit } = await b.run(QUESTION)
  t.ok(shortCircuit)
  t.equal(context.split('\n').filter((line) => line.includes(QUESTION)).length, 1, context)
})

t.test('shared hits take their place by score within the budget and are traced with their cluster', async (t) => {
  const rig = createSessionRig({ isTraced: true, contextTokensMax: 120 })
  const { shared, b } = await team(rig)
  await shared.ask({
    type: 'exchange.learn',
    exchanges: Array.from({ length: 30 }, (_, n) => exchange({ question: `${QUESTION} (${n})`, answer: `${ANSWER} Step ${n}.` }))
  })
  await b.run('I like two-factor sign-in')
  const { context } = await b.run(QUESTION)
  const scores = [...context.matchAll(/^ {2}\d+\. \[(\d\.\d\d)\]/gm)].map((found) => Number(found[1]))
  t.ok(scores.length > 0)
  t.same(
    scores,
    [...scores].sort((x, y) => y - x)
  )
  t.ok(rig.embedder.countTokens(context) <= 120)
  const traced = rig.events.filter(({ kind }) => kind === 'retrieval.shared').at(-1)
  t.match(traced?.data, { clusterId: 'c' })
  t.equal((traced?.data['hits'] as unknown[]).length, 12)
  t.notMatch(JSON.stringify(traced), 'Security', 'scores and hashes, no text')
})

t.test('a cluster that fails costs a run its hits and nothing else', async (t) => {
  const rig = createSessionRig({ isTraced: true })
  const a = await rig.create('a')
  rig.clusters.set('lost', new Set())
  await rig.join('lost', a)
  const reply = await a.run(QUESTION)
  t.same([reply.retrievalError, reply.shortCircuit], [false, false])
  t.ok(rig.events.some(({ kind }) => kind === 'retrieve.cluster_failed'))
})

t.test('a session that backs no cluster is none to those who look for one', async (t) => {
  const rig = createSessionRig()
  const plain = await rig.create('plain')
  await plain.run(QUESTION)
  await plain.store(ANSWER)
  const unlearn = { type: 'exchange.unlearn', hashes: [hashText(ANSWER)] } as const
  const collect = { type: 'exchange.collect', fromSessionId: 'x', findings: [] } as const
  const learn = { type: 'exchange.learn', exchanges: [exchange()], backing: 'cluster' } as const
  const run = { type: 'session.run', message: 'hello', resetContext: true, backing: 'cluster' } as const
  const before = plain.exported()
  for (const command of [match(QUESTION), unlearn, collect, learn, run]) {
    t.equal(await plain.refusal(command), 'cluster_missing', command.type)
    await t.rejects(rig.open('nobody', command), { code: 'cluster_missing' })
  }
  t.equal(plain.exported(), before)
})

t.test('one answer to many questions keeps the links it has room for', async (t) => {
  const rig = createSessionRig()
  const shared = await rig.cluster('c')
  await shared.ask({
    type: 'exchange.learn',
    exchanges: Array.from({ length: REPLY_TO_MAX + 5 }, (_, n) => exchange({ question: `${QUESTION} ${n}` }))
  })
  const answers = (await shared.list()).filter(({ role }) => role === 'assistant')
  t.equal(answers.length, 1)
  t.equal(shared.state.corpus.get(answers[0]?.memoryId ?? '')?.memory.replyTo.length, REPLY_TO_MAX)
})

t.test('exchanges that would not fit are refused as a whole', async (t) => {
  const rig = createSessionRig({ memoriesMax: 3 })
  const shared = await rig.cluster('c')
  const exchanges = [exchange(), exchange({ question: 'What is the weather?', answer: 'Rain.' })]
  t.equal(await shared.refusal({ type: 'exchange.learn', exchanges }), 'memory_full')
  t.same(await texts(shared), [])
  t.same(await shared.ask({ type: 'exchange.learn', exchanges: [exchange(), exchange()] }), { stored: 2 })
  t.equal((await texts(shared)).length, 2)
})

t.test('an answer to nothing in particular is shared alone', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  await a.store(ANSWER)
  await rig.deliver()
  t.same(await texts(shared), [ANSWER])
})
