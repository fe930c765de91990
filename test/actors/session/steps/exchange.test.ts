/** What sessions of a cluster tell each other, and what they take back. */
import t from 'tap'
import { hashText } from '../../../../actors/session/hash.js'
import { REPLY_TO_MAX } from '../../../../src/domain/limits.js'
import type { Exchange } from '../../../../src/domain/coordination-commands.js'
import { createSessionRig, embeddingOf, RIG_DIMENSION, RIG_START, type RigSession, type SessionRig } from '../../../support/session-rig.js'

const QUESTION = 'How do I enable two-factor sign-in?'
const ANSWER = 'Open Settings, choose Security and turn on two-factor sign-in.'

const exchange = (own: Partial<Exchange> = {}): Exchange => ({ question: QUESTION, answer: ANSWER, userId: null, timestamp: RIG_START, ...own })
const match = (message: string) => ({ type: 'exchange.match', message, shortCircuitThreshold: 0.85 }) as const

/** A cluster `c` with the members `a` and `b`. */
async function team(rig: SessionRig): Promise<{ shared: RigSession; a: RigSession; b: RigSession }> {
  const shared = await rig.cluster('c')
  const [a, b] = [await rig.create('a'), await rig.create('b')]
  await rig.join('c', a, b)
  return { shared, a, b }
}

const texts = async (session: RigSession) => (await session.list()).map(({ text }) => text)

t.test('an answer that a member stores, is found by the very next run of another one and ends it early', async (t) => {
  const rig = createSessionRig()
  const { shared, a, b } = await team(rig)
  await a.run(QUESTION, { userId: 'ann' })
  await a.store(ANSWER, { userId: 'bob' })
  t.ok(rig.letters.every(({ isAwaited }) => isAwaited), 'the reply waits for them')
  t.notMatch(JSON.stringify(rig.letters), 'sign-in', 'a letter holds no text')
  t.same(await rig.deliver(), [])
  t.same((await shared.list()).map(({ role, text, userId }) => ({ role, text, userId })), [
    { role: 'user', text: QUESTION, userId: 'ann' },
    { role: 'assistant', text: ANSWER, userId: 'bob' }
  ])
  t.equal((await shared.metrics()).interactionCount, 0, 'no turn of the shared session')
  t.equal((await shared.ask({ type: 'state.read' })).state, null)

  const reply = await b.run('How can I enable two-factor sign-in?')
  t.ok(reply.shortCircuit)
  t.match(reply.context, `Q: ${QUESTION} A: ${ANSWER}`)
  t.equal((await b.metrics()).shortCircuits, 1)
  t.same(await texts(b), ['How can I enable two-factor sign-in?'], 'what is shared is read, not copied')
  t.ok((await shared.list()).every(({ accessCount }) => accessCount === 0), 'and reading touches nothing')
})

t.test('an answer that comes with the next message, is shared as well', async (t) => {
  const rig = createSessionRig()
  const { a, b } = await team(rig)
  await a.run(QUESTION)
  await a.run('And how do I disable it?', { response: ANSWER })
  await rig.deliver()
  t.ok((await b.run(QUESTION)).shortCircuit)
})

t.test('a near miss with another fact, does not end a run early, and is shown what is near', async (t) => {
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

t.test('a message that is held back, asks nobody', async (t) => {
  const rig = createSessionRig({ isTraced: true })
  const { a, b } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  await rig.deliver()
  await b.ask({ type: 'isolation.set', level: 'QUARANTINE', exclusionEmbeddings: [embeddingOf(QUESTION)], allowlistEmbeddings: [], similarityThreshold: 0.7 })
  const reply = await b.run(QUESTION)
  t.same([reply.isolation.action, reply.shortCircuit, reply.context], ['quarantined', false, ''])
  t.notOk(rig.events.some(({ kind, sessionId }) => kind === 'retrieval.shared' && sessionId === 'b'))
})

t.test('a shared session that isolates itself, finds nothing for what it would hold back', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  await rig.deliver()
  await shared.ask({ type: 'isolation.set', level: 'LOCKDOWN', exclusionEmbeddings: [], allowlistEmbeddings: [], similarityThreshold: 0.7 })
  t.same(await shared.ask(match(QUESTION)), { isAnswered: false, hits: [] })
})

t.test('what a member holds itself, is shown once, as its own', async (t) => {
  const rig = createSessionRig({ isTraced: true })
  const { a } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  await rig.deliver()
  const { context } = await a.run(QUESTION)
  t.equal(context.split(ANSWER).length, 2)
  t.ok((await a.list()).find(({ text }) => text === ANSWER)?.accessCount, 'and counts as used')
})

t.test('a question that a member has asked without an answer, is shown with the answer of the cluster only', async (t) => {
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

t.test('shared hits, take their place by score within the budget and are traced with their cluster', async (t) => {
  const rig = createSessionRig({ isTraced: true, contextTokensMax: 120 })
  const { shared, b } = await team(rig)
  await shared.ask({ type: 'exchange.learn', exchanges: Array.from({ length: 30 }, (_, n) => exchange({ question: `${QUESTION} (${n})`, answer: `${ANSWER} Step ${n}.` })) })
  await b.run('I like two-factor sign-in')
  const { context } = await b.run(QUESTION)
  const scores = [...context.matchAll(/^ {2}\d+\. \[(\d\.\d\d)\]/gm)].map((found) => Number(found[1]))
  t.ok(scores.length > 0)
  t.same(scores, [...scores].sort((x, y) => y - x))
  t.ok(rig.embedder.countTokens(context) <= 120)
  const traced = rig.events.filter(({ kind }) => kind === 'retrieval.shared').at(-1)
  t.match(traced?.data, { clusterId: 'c' })
  t.equal((traced?.data['hits'] as unknown[]).length, 12)
  t.notMatch(JSON.stringify(traced), 'Security', 'scores and hashes, no text')
})

t.test('a cluster that fails, costs a run its hits and nothing else', async (t) => {
  const rig = createSessionRig({ isTraced: true })
  const a = await rig.create('a')
  rig.clusters.set('lost', new Set())
  await rig.join('lost', a)
  const reply = await a.run(QUESTION)
  t.same([reply.retrievalError, reply.shortCircuit], [false, false])
  t.ok(rig.events.some(({ kind }) => kind === 'retrieve.cluster_failed'))
})

t.test('the same letter again, and the same exchanges again, leave the same state', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  const letters = [...rig.letters]
  await rig.deliver()
  const before = shared.exported()
  await rig.deliver(letters)
  t.equal(shared.exported(), before)
  t.same(await shared.ask({ type: 'exchange.learn', exchanges: [exchange()] }), { stored: 1 })
  t.equal(shared.exported(), before)
  t.equal(await shared.changes({ type: 'exchange.learn', exchanges: [exchange()] }), null)
})

t.test('a letter that comes again, does not bring back what its shared session has removed since', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  const letters = [...rig.letters]
  await rig.deliver()
  await shared.ask({ type: 'memory.delete', hash: hashText(ANSWER) })
  await rig.deliver(letters)
  t.same(await texts(shared), [QUESTION])
})

t.test('a memory that its member deletes, is gone from the cluster, links and short circuit included', async (t) => {
  const rig = createSessionRig()
  const { shared, a, b } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  await rig.deliver()
  await a.ask({ type: 'memory.delete', hash: hashText(ANSWER) })
  await rig.deliver()
  t.same(await texts(shared), [QUESTION])
  t.notOk((await b.run(QUESTION)).shortCircuit)
})

t.test('a memory that is deleted before its letter arrives, is never shared', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  await a.ask({ type: 'memory.delete', hash: hashText(ANSWER) })
  const [learned, unlearned] = [rig.letters.slice(0, 1), rig.letters.slice(1)]
  await rig.deliver(unlearned)
  await rig.deliver(learned)
  t.same(await texts(shared), [])
})

t.test('what the shared session was told in turns of its own, stays when a member deletes its copy', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  await shared.run(QUESTION)
  await shared.store(ANSWER)
  await a.run(QUESTION)
  await a.store(ANSWER)
  await rig.deliver()
  await a.ask({ type: 'memory.delete', hash: hashText(ANSWER) })
  await rig.deliver()
  t.same(await texts(shared), [QUESTION, ANSWER])
})

t.test('a reworded memory, is shared in its new words only', async (t) => {
  const rig = createSessionRig({ updateThreshold: 0.6 })
  const { shared, a } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  await rig.deliver()
  const again = `${ANSWER} Done.`
  await a.run('How do I enable two-factor sign-in, please?')
  t.ok((await a.store(again)).dedupSignal.isUpdate)
  await rig.deliver()
  t.same((await texts(a)).sort(), (await texts(shared)).sort())
  t.ok((await texts(shared)).includes(again))
  t.ok((await shared.ask(match('How do I enable two-factor sign-in, please?'))).isAnswered)
})

t.test('an erased data subject, leaves nothing in the shared session, whatever is on its way', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  await a.run(QUESTION, { userId: 'ann' })
  await a.store(ANSWER)
  const held = [...rig.letters]
  await rig.deliver()
  await shared.ask({ type: 'user.erase', userId: 'ann' })
  t.same(await texts(shared), [ANSWER])
  await a.ask({ type: 'user.erase', userId: 'ann' })
  await rig.deliver(held)
  t.same(await texts(shared), [ANSWER])
  t.notMatch(JSON.stringify((await shared.record()).rows), QUESTION)
})

t.test('findings that were read before an erasure, are refused after it, and read again', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  await a.run(QUESTION, { userId: 'ann' })
  await a.store(ANSWER, { userId: 'ann' })
  const [letter] = rig.letters
  if (letter?.command.type !== 'exchange.collect') throw new Error('no letter')
  const collecting = shared.ask(letter.command, letter.id)
  shared.state.removals += 1
  await t.rejects(collecting, { code: 'busy' })
  t.same(await texts(shared), [])
  await shared.ask(letter.command, letter.id)
  t.same(await texts(shared), [QUESTION, ANSWER])
})

t.test('findings of a session that is not a member, are refused, and its membership is taken back once it cannot be under way', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  rig.clusters.get('c')?.delete('a')
  await a.run(QUESTION)
  await a.store(ANSWER)
  t.same(await rig.deliver(), ['member_missing'])
  t.same(a.state.ties.memberships.map(({ clusterId }) => clusterId), ['c'], 'it may be being added right now')
  rig.advance(120)
  await a.run('How do I enable it for guests?')
  await a.store('Guests turn it on in the same place.')
  t.same(await rig.deliver(), ['member_missing'])
  t.same(a.state.ties.memberships, [])
  t.same(await texts(shared), [])
})

t.test('a member of a cluster that is gone, forgets it at a later run', async (t) => {
  const rig = createSessionRig()
  const plain = await rig.create('c')
  rig.clusters.set('c', new Set())
  const a = await rig.create('a')
  await rig.join('c', a)
  t.equal(plain.state.ties.backing, null)
  await a.run(QUESTION)
  t.equal(a.state.ties.memberships.length, 1)
  rig.advance(120)
  await a.run(QUESTION)
  t.same(a.state.ties.memberships, [])
  t.same((await a.restored()).ties.memberships, [])
})

t.test('a session that backs no cluster, is none to those who look for one', async (t) => {
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

t.test('one answer to many questions, keeps the links it has room for', async (t) => {
  const rig = createSessionRig()
  const shared = await rig.cluster('c')
  await shared.ask({ type: 'exchange.learn', exchanges: Array.from({ length: REPLY_TO_MAX + 5 }, (_, n) => exchange({ question: `${QUESTION} ${n}` })) })
  const answers = (await shared.list()).filter(({ role }) => role === 'assistant')
  t.equal(answers.length, 1)
  t.equal(shared.state.corpus.get(answers[0]?.memoryId ?? '')?.memory.replyTo.length, REPLY_TO_MAX)
})

t.test('exchanges that would not fit, are refused as a whole', async (t) => {
  const rig = createSessionRig({ memoriesMax: 3 })
  const shared = await rig.cluster('c')
  const exchanges = [exchange(), exchange({ question: 'What is the weather?', answer: 'Rain.' })]
  t.equal(await shared.refusal({ type: 'exchange.learn', exchanges }), 'memory_full')
  t.same(await texts(shared), [])
  t.same(await shared.ask({ type: 'exchange.learn', exchanges: [exchange(), exchange()] }), { stored: 2 })
  t.equal((await texts(shared)).length, 2)
})

t.test('an answer to nothing in particular, is shared alone', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  await a.store(ANSWER)
  await rig.deliver()
  t.same(await texts(shared), [ANSWER])
})

t.test('memories that were given outside of turns, are not shared', async (t) => {
  const rig = createSessionRig()
  const { a } = await team(rig)
  await a.ask({ type: 'memory.inject', text: ANSWER, tier: 'long_term', importance: 1, accessCount: 0 })
  await a.ask({ type: 'memory.ingest', memories: [{ text: ANSWER, role: 'assistant' }] })
  await a.run(QUESTION)
  t.same(rig.letters, [])
})

t.test('a session with dimension and model of the cluster, may belong to sixteen of them', async (t) => {
  const rig = createSessionRig()
  const a = await rig.create('a')
  const add = (clusterId: string, own: object = {}) => a.refusal({ type: 'membership.add', clusterId, dimension: RIG_DIMENSION, modelName: rig.embedder.modelName, ...own })
  t.equal(await add('c', { dimension: 8 }), 'invalid_input')
  t.equal(await add('c', { modelName: 'another' }), 'invalid_input')
  t.equal(await add('a'), 'invalid_input', 'its own')
  for (let n = 0; n < 16; n++) t.equal(await add(`c${n}`), 'accepted')
  t.equal(await add('c16'), 'limit_reached')
  t.equal(await add('c3'), 'accepted', 'again')
  await a.ask({ type: 'membership.remove', clusterId: 'c3' })
  await a.ask({ type: 'membership.remove', clusterId: 'unknown' })
  t.equal(await add('c16'), 'accepted')
  t.same((await a.restored()).ties, a.state.ties)
  t.notMatch(a.exported(), 'c16', 'an export tells nothing of it')
})

t.test('a run of the shared session that drifts, tells its cluster, and one of another session nobody', async (t) => {
  const rig = createSessionRig()
  const { shared } = await team(rig)
  const plain = await rig.create('plain')
  for (const session of [shared, plain]) {
    for (let n = 0; n < 6; n++) await session.run(`prune the roses in March, said gardener ${n}`)
  }
  t.same(rig.letters, [])
  const reply = await plain.run('quarterly earnings of Belgian banks')
  t.ok(reply.driftDetected)
  t.same(rig.letters, [])
  const { driftScore, driftPhase } = await shared.run('quarterly earnings of Belgian banks')
  const [letter, ...rest] = rig.letters
  t.same(rest, [])
  t.match(letter, { to: { kind: 'cluster', subject: 'tester', id: 'c' }, isAwaited: true, command: { type: 'cluster.noteDrift', driftScore, driftPhase, timestamp: rig.now } })
  t.equal(letter?.command.type === 'cluster.noteDrift' && letter.command.eventId, letter?.id)
})
