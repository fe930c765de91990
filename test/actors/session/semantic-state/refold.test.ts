/** What is decided again when a fold is removed or reworded, in a session whose log has long been full. */
import t from 'tap'
import { hashText } from '../../../../actors/session/record/hash.js'
import { refold } from '../../../../actors/session/semantic-state/refold.js'
import { FOLD_LOG_MAX } from '../../../../src/domain/limits.js'
import type { Fold } from '../../../../src/domain/session.js'
import { createSessionRig, type RigSession } from '../../../support/session-rig.js'
import { TEXTS } from '../random-commands.js'

/** Messages on three topics, which change every ten turns. */
const message = (at: number) => `${TEXTS[4 * (Math.floor(at / 10) % 3) + (at % 4)] ?? ''} n${String(at)}`

/** Creates a session in which three of the last ten turns belong to a data subject. */
async function talked(turns: number): Promise<RigSession> {
  const session = await createSessionRig().create()
  for (let at = 0; at < turns; at++) await session.run(message(at), at >= turns - 10 && at < turns - 7 ? { userId: 'ann' } : {})
  return session
}

const decided = (folds: readonly Fold[]) =>
  folds.map(({ memoryId, segment, driftScore, dissimilarity }) => ({ memoryId, segment, driftScore, dissimilarity }))

t.test('a switch of topic that is deleted again is none, though the session has forgotten its first turns', async (t) => {
  const session = await talked(FOLD_LOG_MAX + 20)
  const { topicSwitches } = session.state.head
  t.ok(topicSwitches > 5)
  const elsewhere = 'quarterly earnings of Belgian banks'
  await session.run(elsewhere)
  t.equal(session.state.head.topicSwitches, topicSwitches + 1)
  await session.ask({ type: 'memory.delete', hash: hashText(elsewhere) })
  t.equal(session.state.head.topicSwitches, topicSwitches)
})

t.test('what lies before a turn that is said again stays as it was decided, by more than the log still holds', async (t) => {
  const session = await talked(FOLD_LOG_MAX + 20)
  const before = decided(session.state.head.folds)
  t.ok(before.slice(0, 5).some(({ driftScore }) => driftScore > 0))
  t.equal((await session.run(`${message(FOLD_LOG_MAX + 19)}!`)).shortCircuit, false)
  const { folds } = session.state.head
  t.equal(folds.at(-1)?.memoryId, before.at(-1)?.memoryId, 'it is the same memory')
  t.same(decided(folds).slice(0, -2), before.slice(1, -1))
})

t.test('turns that take the place of those that are gone are measured against each other', async (t) => {
  const session = await talked(FOLD_LOG_MAX + 32)
  const first = session.state.head.folds[0]?.turn ?? 0
  const { topicSwitches } = session.state.head
  const segmentOf = (id: string) => session.state.corpus.get(id)?.stats.segment
  const before = new Map([...session.state.corpus.ordered()].map(({ memory, stats }) => [memory.id, stats.segment]))
  t.equal((await session.ask({ type: 'user.erase', userId: 'ann' })).erasedMemories, 3)
  const { folds } = session.state.head
  t.equal(folds.length, FOLD_LOG_MAX)
  t.equal(session.state.head.topicSwitches, topicSwitches, 'a switch that comes back was counted long ago')
  t.same(
    folds.slice(0, 4).map(({ turn }) => turn),
    [first - 3, first - 2, first - 1, first]
  )
  t.same([folds[0]?.dissimilarity, folds[0]?.driftScore], [0, 0])
  t.ok(folds.slice(1, 3).every(({ dissimilarity }) => dissimilarity > 0))
  for (const { memoryId, segment } of folds.slice(0, 3))
    t.same(
      [segment, segmentOf(memoryId)],
      [before.get(memoryId), before.get(memoryId)],
      'where they were, as what came before them is not here'
    )
})

const segments = (session: RigSession, from: number, to?: number) =>
  session.state.head.folds.slice(from, to).map(({ turn, segment }) => [turn, segment])

t.test('the first turn that the log still has is decided anew, by as little as has come back before it', async (t) => {
  const session = await createSessionRig().create()
  for (let at = 0; at < FOLD_LOG_MAX + 10; at++) await session.run(message(at), at === FOLD_LOG_MAX ? { userId: 'ann' } : {})
  t.same(segments(session, 0, 1), [[11, 1]], 'it opened a topic')
  await session.ask({ type: 'user.erase', userId: 'ann' })
  t.same(
    segments(session, 0, 2),
    [
      [10, 0],
      [11, 0]
    ],
    'one turn before it is too few to tell'
  )
})

t.test('a turn goes back to the topic before it when that turn is gone which had changed the topic', async (t) => {
  const session = await talked(FOLD_LOG_MAX + 20)
  await session.run('quarterly earnings of Belgian banks', { userId: 'bob' })
  await session.run('and what then?')
  const [[, before], [, changed], [, followed]] = segments(session, -3) as [number[], number[], number[]]
  t.not(changed, before)
  t.equal(followed, changed)
  await session.ask({ type: 'user.erase', userId: 'bob' })
  t.same(segments(session, -1), [[FOLD_LOG_MAX + 22, before]])
})

t.test('the first turn of a full log stays in its topic, and is in the first one when all that was before it is gone', async (t) => {
  const session = await createSessionRig().create()
  for (let at = 0; at < FOLD_LOG_MAX + 20; at++) await session.run(message(at), at < 20 ? { userId: 'ann' } : {})
  const first = session.state.head.folds[0]
  t.equal(first?.segment, 2)
  const work = session.work()
  refold(work, [first!.memoryId])
  t.same(segments(session, 0, 1), [[21, 2]])
  t.ok(work.journal.isEmpty, 'what stays where it was is not written again')
  await session.ask({ type: 'user.erase', userId: 'ann' })
  t.same(segments(session, 0, 1), [[21, 0]])
})

t.test('a session all of whose turns are erased is no further than one that ranges about', async (t) => {
  const session = await createSessionRig().create()
  for (let at = 0; at < 4; at++) await session.run(`prune the roses in March, said gardener ${String(at)}`, { userId: 'ann' })
  t.equal(session.state.head.phase, 'resonance')
  await session.ask({ type: 'user.erase', userId: 'ann' })
  t.match(session.state.head, { phase: 'exploration', driftPhase: 'stable', driftScore: 0, segment: 0 })
})

t.test('the drift is that of the last turn, though a session was told something since and part of it is deleted', async (t) => {
  const session = await createSessionRig().cluster('c')
  await session.run('prune the roses in March')
  await session.run('quarterly earnings of Belgian banks')
  const { driftScore } = await session.metrics()
  t.ok(driftScore > 0)
  const [question, answer] = ['Where do ferries leave?', 'From the old harbour.']
  await session.ask({ type: 'exchange.learn', exchanges: [{ question, answer, userId: null }], backing: 'cluster' })
  await session.ask({ type: 'memory.delete', hash: hashText(answer) })
  t.match(await session.metrics(), { driftScore, interactionCount: 2 })
})
