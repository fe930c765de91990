/** Stored pairs of a message and its response count for what a session is about: later runs are compared with them. */
import t from 'tap'
import { stateVector } from '../../../../actors/session/semantic-state/folds.js'
import { refold } from '../../../../actors/session/semantic-state/refold.js'
import type { Exchange } from '../../../../src/domain/commands/coordination-commands.js'
import { FOLD_LOG_MAX } from '../../../../src/domain/limits.js'
import { similarity } from '../../../../src/domain/similarity/vector.js'
import { createSessionRig, differenceOf, embeddingOf, type RigSession } from '../../../support/session-rig.js'

const PARTS = [
  'handlebar',
  'saddle',
  'front brake',
  'rear brake',
  'gear lever',
  'chain',
  'left pedal',
  'right pedal',
  'wheel rim',
  'tyre',
  'bell',
  'lamp'
]
const ON = 'How do I adjust the brake lever of my bicycle?'
const OFF = 'Which documents does the embassy want for a student visa?'

const pairs = (userId: string | null = null): Exchange[] =>
  PARTS.map((part) => ({
    question: `How do I adjust the ${part} of my bicycle?`,
    answer: `Loosen the bolt of the ${part}, set the ${part} of the bicycle, tighten it again.`,
    userId
  }))

const learn = (session: RigSession, exchanges: readonly Exchange[]) =>
  session.ask({ type: 'exchange.learn', exchanges, backing: 'cluster' })

async function seeded(rig = createSessionRig(), exchanges = pairs()): Promise<RigSession> {
  const session = await rig.cluster('c')
  await learn(session, exchanges)
  return session
}

t.test('stored pairs are the baseline of the first run: off their subject it drifts, on it not, as in a session of turns', async (t) => {
  for (const isByPair of [false, true]) {
    const told = async () => {
      const session = await createSessionRig().cluster('c')
      if (isByPair) for (const pair of pairs()) await learn(session, [pair])
      else await learn(session, pairs())
      return session
    }
    const off = await (await told()).run(OFF)
    const on = await (await told()).run(ON)
    t.ok(off.driftScore >= 0.5 && off.driftDetected, String(off.driftScore))
    t.ok(on.driftScore < 0.3, String(on.driftScore))
    const plain = await createSessionRig().create()
    for (const { question, answer } of pairs()) {
      await plain.run(question ?? '')
      await plain.store(answer)
    }
    t.ok(Math.abs((await plain.run(ON)).driftScore - on.driftScore) < 1e-6)
  }
})

t.test('a stored question asked again has the similarity that it has in a session of turns', async (t) => {
  const shared = await seeded()
  const plain = await createSessionRig().create()
  for (const { question, answer } of pairs()) {
    await plain.run(question ?? '')
    await plain.store(answer)
  }
  const asked = 'How can I adjust the lamp of my bicycle?'
  const [here, there] = [await shared.run(asked), await plain.run(asked)]
  t.equal(here.shortCircuit, true)
  t.ok(here.topSimilarity > 0.7)
  t.ok(Math.abs(here.topSimilarity - there.topSimilarity) < 1e-6)
})

t.test('stored pairs are no turns: count, drift, topic and phase of the session stay', async (t) => {
  const shared = await seeded()
  t.match(await shared.metrics(), { interactionCount: 0, driftScore: 0, driftPhase: 'stable', phase: 'initialization', topicSwitches: 0 })
  await shared.run(OFF)
  const { driftScore, driftPhase, interactionCount } = await shared.metrics()
  await learn(shared, [{ question: 'Where do ferries to the islands leave?', answer: 'From the old harbour.', userId: null }])
  t.match(await shared.metrics(), { driftScore, driftPhase, interactionCount })
})

t.test("pairs told again change nothing; a copy of a member's counts once it is told as well", async (t) => {
  const shared = await seeded()
  const before = shared.exported()
  await learn(shared, pairs())
  t.equal(shared.exported(), before)
  const rig = createSessionRig()
  const cluster = await rig.cluster('c')
  const member = await rig.create('a')
  await rig.join('c', member)
  const [pair] = pairs() as [Exchange]
  await member.run(pair.question ?? '')
  await member.store(pair.answer)
  await rig.deliver()
  t.equal(stateVector(cluster.state), null, 'what a member learned counts there')
  await learn(cluster, [pair])
  t.equal(cluster.state.corpus.size, 2)
  t.equal(cluster.state.head.folds.length, 2)
})

t.test("an erased user's pairs are no part of what the session is about", async (t) => {
  const rig = createSessionRig()
  const shared = await seeded(rig, [
    ...pairs('ann'),
    { question: 'Where do ferries leave?', answer: 'From the old harbour.', userId: 'bob' }
  ])
  await shared.ask({ type: 'user.erase', userId: 'ann' })
  t.equal(shared.state.head.folds.length, 2)
  const vector = stateVector(shared.state) ?? new Float32Array()
  t.ok(Math.abs(similarity(vector, Float32Array.from(embeddingOf(pairs()[0]?.question ?? '')))) < 0.15)
})

t.test('more pairs than the log holds are kept to its end; storage, an export and a new reckoning give the same', async (t) => {
  const rig = createSessionRig()
  const many = Array.from({ length: 150 }, (_, at): Exchange => ({
    question: `Question ${String(at)} about the ${PARTS[at % 12] ?? ''}?`,
    answer: `Answer ${String(at)}.`,
    userId: null
  }))
  const shared = await seeded(rig, many)
  t.equal(shared.state.head.folds.length, FOLD_LOG_MAX)
  await shared.run(ON)
  await learn(shared, pairs())
  const restored = await shared.restored()
  t.same(differenceOf(restored.head, shared.state.head, 0), null)
  t.same(differenceOf(stateVector(restored), stateVector(shared.state)), null)
  const few = await seeded()
  await few.run(ON)
  await learn(few, [{ question: 'Where do ferries leave?', answer: 'From the old harbour.', userId: null }])
  await few.run(OFF)
  const again = await few.restored()
  refold(few.work(again), [again.head.folds[0]!.memoryId])
  t.same(differenceOf(again.head, few.state.head), null)
})
