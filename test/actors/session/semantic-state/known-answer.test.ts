import t from 'tap'
import { refold } from '../../../../actors/session/semantic-state/refold.js'
import { createSessionRig, type RigSession } from '../../../support/session-rig.js'

const QUESTION = 'How often do I have to water the tomatoes on the balcony in summer?'
const REPEATED = 'How often do I have to water the tomatoes on the balcony in summer'
const ANSWER = 'Every evening, and in great heat in the morning as well; two litres for each plant.'
const NEXT = 'How many litres does the rain barrel hold?'

/** Creates a session with an answered question, two exchanges on something else, and the question again. */
async function repeated(): Promise<RigSession> {
  const session = await createSessionRig().create()
  await session.run(QUESTION)
  await session.run('Can I deduct my study from the tax?', { response: ANSWER })
  await session.run('Until when do I have to file the tax return?', { response: 'Yes, up to 1,260 euros a year.' })
  t.equal((await session.run(REPEATED, { response: 'Until the end of July.' })).shortCircuit, true)
  return session
}

const foldsOf = ({ state }: RigSession) =>
  state.head.folds.map(({ memoryId, role, turn, weight, segment }) => ({
    text: state.corpus.get(memoryId)?.memory.text,
    role,
    turn,
    weight,
    segment
  }))

t.test('an answer that a short circuit repeats is what was said last', async (t) => {
  const session = await repeated()
  t.match(foldsOf(session).at(-1), { text: ANSWER, role: 'assistant', turn: 4, weight: 0.5 })
  t.equal((await session.list()).filter(({ text }) => text === ANSWER).length, 1)
})

t.test('drift behind a short circuit is the same whether its answer is sent again or not', async (t) => {
  const [silent, sent] = [await repeated(), await repeated()]
  const score = (await silent.run(NEXT)).driftScore
  t.ok(score > 0)
  t.equal((await sent.run(NEXT, { response: ANSWER })).driftScore, score)
  t.same(foldsOf(silent), foldsOf(sent))
})

t.test('another answer to what was short-circuited takes the place of the known one, and of no other', async (t) => {
  const session = await repeated()
  const before = foldsOf(session)
  await session.store('Twice a day while it is hot, once a day from September on.', { question: 'Can I deduct my study from the tax?' })
  t.same(foldsOf(session).slice(0, -1), before, 'an answer to another question')
  await session.store('By the look of the soil: never let it dry out.')
  t.same(
    foldsOf(session)
      .slice(-3)
      .map(({ text }) => text),
    [before.at(-2)?.text, 'Twice a day while it is hot, once a day from September on.', 'By the look of the soil: never let it dry out.']
  )
})

t.test('an erasure takes a repeated answer out of all turns in which it was said', async (t) => {
  const session = await repeated()
  const [, answer] = await session.list()
  await session.ask({ type: 'memory.delete', hash: answer?.memoryHash ?? '' })
  t.notOk(foldsOf(session).some(({ role, turn }) => role === 'assistant' && (turn === 1 || turn === 4)))
})

t.test('who repeats a question of somebody else leaves nothing of the answer behind when they are erased', async (t) => {
  const session = await createSessionRig().create()
  await session.run(QUESTION, { userId: 'bob' })
  await session.run('Can I deduct my study from the tax?', { response: ANSWER, userId: 'bob' })
  const before = foldsOf(session)
  t.equal((await session.run(REPEATED, { userId: 'ann' })).shortCircuit, true)
  t.equal(foldsOf(session).length, before.length + 2)
  await session.ask({ type: 'user.erase', userId: 'ann' })
  t.same(foldsOf(session), before)
})

for (const { answer, isUpdate } of [
  { answer: 'By the look of the soil: never let it dry out.', isUpdate: false },
  { answer: `${ANSWER.slice(0, -1)}!`, isUpdate: true }
])
  t.test(
    `what was learned between a short circuit and ${isUpdate ? 'the answer in other words' : 'another answer'} is measured as if none had been known`,
    async (t) => {
      const session = await repeated()
      await session.ask({
        type: 'exchange.learn',
        exchanges: [{ question: 'How often do the roses need water?', answer: 'Once a week.', userId: null, timestamp: 1_700_000_000 }]
      })
      t.equal((await session.store(answer)).dedupSignal.isUpdate, isUpdate)
      const again = await session.restored()
      refold(session.work(again), [again.head.folds[0]!.memoryId])
      t.same(again.head, session.state.head)
    }
  )
