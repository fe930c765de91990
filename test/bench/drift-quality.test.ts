/** Floors for how well drift detects changes of subject: five percentage points below what was measured when they were written. */
import t from 'tap'
import { assistantDialogues, demoGenre, ownTalksGenre, readDialogues } from '../../bench/quality/drift/genres.js'
import { scoredTurns } from '../../bench/quality/drift/rulers.js'
import { auroc, decided } from '../../bench/quality/statistics.js'
import { DRIFT_THRESHOLD } from '../../src/domain/drift/drift.js'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
import { month } from '../../examples/conversation/month.js'
import { createSessionRig } from '../support/session-rig.js'

const FLOORS = { english: { auroc: 0.88, f1: 0.66 }, german: { auroc: 0.85, f1: 0.52 } } as const

function judged(conversations: ReturnType<typeof readDialogues>) {
  return conversations.flatMap((turns) => scoredTurns(turns, ({ text }) => lexicalVector(text, 384)))
}

for (const language of ['english', 'german'] as const) {
  t.test(`thirty ${language} talks with an assistant, their changes of subject are told from ordinary turns`, async (t) => {
    const turns = judged(assistantDialogues(language))
    const found = { auroc: auroc(turns), f1: decided(turns, DRIFT_THRESHOLD).f1 }
    t.ok(found.auroc >= FLOORS[language].auroc, `AUROC ${String(found.auroc)}`)
    t.ok(found.f1 >= FLOORS[language].f1, `F1 ${String(found.f1)}`)
  })
}

t.test('the month of the demo, at least 17 of 19 changes drift and at most 6 of 55 ordinary turns', async (t) => {
  const turns = judged(demoGenre().conversations.map((turns) => [...turns]))
  const drifted = turns.filter(({ score }) => score >= DRIFT_THRESHOLD)
  t.equal(turns.filter(({ isTrue }) => isTrue).length, 19)
  t.ok(drifted.filter(({ isTrue }) => isTrue).length >= 17)
  t.ok(drifted.filter(({ isTrue }) => !isTrue).length <= 6)
})

t.test('the month of the demo through a session, the turns that drift by the measure alone, whatever is short-circuited', async (t) => {
  const session = await createSessionRig().create()
  const [drifted, repeated]: [number[], number[]] = [[], []]
  let response: string | undefined
  for (const [at, { user, assistant }] of month.entries()) {
    const reply = await session.run(user, response === undefined ? {} : { response })
    if (reply.driftDetected) drifted.push(at)
    if (reply.shortCircuit) repeated.push(at)
    response = reply.shortCircuit ? undefined : assistant
  }
  t.ok(repeated.length > 0)
  const measured = judged(demoGenre().conversations.map((turns) => [...turns]))
  t.same(
    drifted,
    measured.flatMap(({ score }, at) => (score >= DRIFT_THRESHOLD ? [at + 1] : []))
  )
})

t.test('every dialogue, ten questions and ten answers in turn, with a change after the first of them', async (t) => {
  const dialogues = assistantDialogues()
  t.equal(dialogues.length, 60)
  for (const turns of dialogues) {
    t.same(
      turns.map(({ role }) => role),
      Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 'user' : 'assistant'))
    )
    t.ok(turns.some(({ isChange }) => isChange === true))
  }
})

t.test('forty talks between people, their changes of subject are told from ordinary turns', async (t) => {
  const { conversations } = ownTalksGenre()
  t.equal(conversations.length, 40)
  const turns = judged(conversations.map((turns) => [...turns]))
  const found = { auroc: auroc(turns), f1: decided(turns, DRIFT_THRESHOLD).f1 }
  t.ok(found.auroc >= 0.85, `AUROC ${String(found.auroc)}`)
  t.ok(found.f1 >= 0.59, `F1 ${String(found.f1)}`)
})

t.test('a line that is no turn is refused', async (t) => {
  t.throws(() => readDialogues('# a\n? what is it'))
})
