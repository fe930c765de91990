import t from 'tap'
import { createSessionRig } from '../../../support/session-rig.js'

t.test('an answer becomes a memory that answers the open message, once', async (t) => {
  const session = await createSessionRig().create()
  await session.run('Where are the release notes kept?')
  const first = await session.store('In the wiki under engineering.')
  const second = await session.store('They are also printed every quarter.')
  t.equal(first.dedupSignal.isUpdate, false)
  const { corpus } = session.state
  const [question] = await session.list()
  t.same(corpus.get(first.memoryId)?.memory.replyTo, [question?.memoryId])
  t.same(corpus.get(second.memoryId)?.memory.replyTo, [], 'nothing was open any more')
  t.equal(corpus.get(first.memoryId)?.memory.role, 'assistant')
})

t.test('one answer to two questions is one memory linked to both', async (t) => {
  const session = await createSessionRig().create()
  const answer = 'It runs every night at three.'
  const ids: (string | undefined)[] = []
  for (const question of ['When does the backup run?', 'At what time is the database dumped to disk?']) {
    await session.run(question)
    ids.push(session.state.head.openQuestionId ?? undefined)
    await session.store(answer)
  }
  const [, stored] = await session.list()
  t.same(session.state.corpus.get(stored?.memoryId ?? '')?.memory.replyTo, ids)
  t.equal((await session.list()).length, 3)
})

t.test('a lower dedup threshold takes as an update what the usual one keeps apart', async (t) => {
  const session = await createSessionRig().create()
  const { memoryId } = await session.store('The meeting room is on the second floor next to the kitchen')
  const kept = await session.store('The meeting room is somewhere on that floor', { dedupThreshold: 1 })
  t.not(kept.memoryId, memoryId)
  const updated = await session.store('The meeting room is on the second floor near the kitchen', { dedupThreshold: -1 })
  t.equal(updated.dedupSignal.isUpdate, true)
  t.equal(updated.memoryId, updated.dedupSignal.matchedId)
})

t.test('the same answer again keeps its id and raises its importance below 1', async (t) => {
  const session = await createSessionRig().create()
  const { memoryId } = await session.store('Parcels arrive on Mondays')
  let last = session.state.corpus.get(memoryId)?.stats.importance ?? 1
  for (let at = 0; at < 20; at++) {
    t.equal((await session.store('Parcels arrive on Mondays')).memoryId, memoryId)
    const importance = session.state.corpus.get(memoryId)?.stats.importance ?? 0
    t.ok(importance > last && importance < 1)
    last = importance
  }
})

t.test('an answer that would not fit is refused and changes nothing; an update still fits', async (t) => {
  const session = await createSessionRig({ memoriesMax: 1 }).create()
  await session.store('Parcels arrive on Mondays')
  const before = session.exported()
  t.equal(await session.refusal({ type: 'session.store', response: 'The gate is locked at ten' }), 'memory_full')
  t.equal(session.exported(), before)
  t.equal((await session.store('Parcels arrive on Mondays')).dedupSignal.isUpdate, true)
})

t.test('an answer that names its question answers that one, and leaves a later one open', async (t) => {
  const session = await createSessionRig().create()
  await session.run('Who keeps the bees?')
  await session.run('When is the harbour dredged?')
  const [bees, harbour] = await session.list()
  const late = await session.store('Agnes keeps them.', { question: 'Who keeps the bees?' })
  t.same(session.state.corpus.get(late.memoryId)?.memory.replyTo, [bees?.memoryId])
  t.equal(session.state.head.openQuestionId, harbour?.memoryId)
  const lost = await session.store('It was painted green.', { question: 'What colour was the gate?' })
  t.same(session.state.corpus.get(lost.memoryId)?.memory.replyTo, [], 'no such question')
  t.equal(session.state.head.openQuestionId, harbour?.memoryId)
  const last = await session.store('Every second spring.', { question: 'When is the harbour dredged?' })
  t.same(session.state.corpus.get(last.memoryId)?.memory.replyTo, [harbour?.memoryId])
  t.equal(session.state.head.openQuestionId, null)
})

t.test('an answer that updates a memory leaves it unprotected where no trigger fired', async (t) => {
  const session = await createSessionRig().create()
  for (let time = 0; time < 2; time++) await session.store('Prune the roses in March.')
  t.strictSame(
    [...session.state.corpus.ordered()].map(({ stats }) => stats.isProtected),
    [false]
  )
})
