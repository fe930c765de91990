// The time that an answer or a body takes is charged to its subject, and to nobody else.
import t from 'tap'
import { inOneGo } from '../../../src/domain/pieces.js'
import { createRig } from '../../support/http-rig.js'
import { unlimitedBudget } from '../../support/unlimited-budget.js'

/** HTTP over a network that trusts that many sessions. `turns`: the subjects whose work it ran in pieces. */
async function start(sessions: number, name = 's') {
  const turns: string[] = []
  const rig = await createRig({
    takePieces: async (subject, work) => {
      turns.push(subject)
      return inOneGo(work)
    },
    intercept: (command) =>
      (command.type as string) === 'network.trust'
        ? { trustScores: Array.from({ length: sessions }, (_, at) => ({ sessionId: `${name}${String(at)}`, trust: 0.5 })) }
        : undefined
  })
  return { rig, turns }
}

t.test(
  'a short answer is written at once, a long one in a turn of its subject, the longest in several, and each is the same JSON',
  async (t) => {
    for (const { sessions, least, most } of [
      { sessions: 10, least: 0, most: 0 },
      { sessions: 2_000, least: 1, most: 1 },
      { sessions: 40_000, least: 5, most: 40 }
    ]) {
      const { rig, turns } = await start(sessions)
      const { status, headers, body } = await rig.get('/v1/network/consensus/trust')
      t.equal(status, 200)
      t.match(headers['content-type'], /^application\/json/)
      const scores = body['trust_scores'] as Record<string, number>
      t.equal(Object.keys(scores).length, sessions)
      t.ok(Object.values(scores).every((trust) => trust === 0.5))
      t.ok(turns.length >= least && turns.length <= most, `${String(turns.length)} turns for ${String(sessions)} sessions`)
      t.ok(turns.every((subject) => subject === 'alice'))
    }
  }
)

t.test('a long text is cut between its characters, wherever they lie', async (t) => {
  for (const before of ['', 'a']) {
    const name = before + '😀'.repeat(150_000)
    const { body } = await (await start(1, name)).rig.get('/v1/network/consensus/trust')
    t.ok(Object.keys(body['trust_scores'] as object)[0] === `${name}0`, before)
  }
})

t.test('a short body is parsed at once, a longer one in a turn of its subject', async (t) => {
  const { rig, turns } = await start(0)
  await rig.post('/v1/run', { session_id: 's', message: 'Where is the lighthouse?' })
  t.same(turns, [])
  await rig.post('/v1/run', { session_id: 's', message: 'Where is the lighthouse? '.repeat(400) })
  t.same(turns, ['alice'])
})

t.test('each piece of a long text that is sent is charged as a request', async (t) => {
  let admitted = 0
  const rig = await createRig({
    memory: unlimitedBudget(),
    admit(subject, goOn) {
      t.equal(subject, 'alice')
      admitted += 1
      goOn()
    }
  })
  const { text } = await rig.get('/docs')
  t.ok(admitted >= text.length / (64 * 1024), `${String(admitted)} admissions for ${String(text.length)} characters`)
})
