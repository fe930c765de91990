import t from 'tap'
import { FOLD_LOG_MAX } from '../../../src/domain/limits.js'
import { createSessionRig } from '../../support/session-rig.js'

/** The fold log is full after 112 folds, and the context block by turn 30. The further turns would show slow growth. */
const TURNS = 500

t.test(`the context block of turn ${String(TURNS)} is within the same budget as that of turn 20`, async (t) => {
  const rig = createSessionRig()
  const session = await rig.create('s', { dimension: 64 })
  const words = ['roses', 'compost', 'fence', 'database', 'Postgres', 'orders', 'train', 'Bergen', 'Oslo', 'night', 'invoice', 'lamp']
  const word = (at: number) => words[at % words.length] ?? ''
  const tokens: number[] = []
  for (let turn = 1; turn <= TURNS; turn++) {
    rig.advance(60)
    const message = `Note ${String(turn)}: the ${word(turn)} and the ${word(turn * 7 + 3)} belong to number ${String(turn * 31)}. They were counted twice.`
    const { context } = await session.run(message, {
      response: `Noted, number ${String((turn - 1) * 31)} is about ${word(turn - 1)}. It is on the list now.`
    })
    tokens.push(rig.embedder.countTokens(context))
  }
  t.ok(Math.max(...tokens) <= 350)
  t.ok((tokens.at(-1) ?? 0) > 100, 'and it is not empty')
  t.equal((await session.metrics()).interactionCount, TURNS)
  t.match((await session.run('Which number belongs to note 3?')).context, '93')
  t.equal(session.state.head.folds.length, FOLD_LOG_MAX)
})
