import t from 'tap'
import { countNew, type Intake, refuseWhenFull, take } from '../../../../actors/session/turn/take.js'
import { COUNT_MAX } from '../../../../src/domain/limits.js'
import { createSessionRig, RIG_DIMENSION } from '../../../support/session-rig.js'

const signal = (isUpdate: boolean, matchedId: string | null) => ({ isUpdate, matchedId, maxSim: 0 })

const intake = (text: string, more: Partial<Intake> = {}): Intake => ({
  embedded: { text, partEnds: [text.length], vectors: new Float32Array(RIG_DIMENSION).fill(RIG_DIMENSION ** -0.5) },
  role: 'user',
  userId: null,
  timestamp: 0,
  turn: 0,
  segment: 0,
  isolationShare: 1,
  isFolded: true,
  ...more
})

t.test('texts that reword one memory take no room of their own, and others do, whatever they resemble', (t) => {
  t.equal(countNew([]), 0)
  t.equal(countNew([signal(false, null), signal(false, 'a')]), 2)
  t.equal(countNew([signal(true, 'a'), signal(true, 'b')]), 0)
  t.equal(countNew([signal(true, 'a'), signal(true, 'a'), signal(true, null)]), 2)
  t.end()
})

t.test('a session takes as many memories as it may hold, and no more than it can number; what adds none is never refused', async (t) => {
  const session = await createSessionRig({ memoriesMax: 3 }).create()
  const work = session.work()
  refuseWhenFull(work, 3)
  refuseWhenFull(work, 1, 2)
  refuseWhenFull(work, 0, 4)
  t.throws(() => refuseWhenFull(work, 4), { code: 'memory_full', message: /\(SERVICE_MAX_MEMORIES\)$/ })
  t.throws(() => refuseWhenFull(work, 2, 2), { code: 'memory_full' })
  session.state.head = { ...session.state.head, nextSeq: COUNT_MAX - 1 }
  refuseWhenFull(work, 1)
  t.throws(() => refuseWhenFull(work, 2), { code: 'memory_full' })
})

t.test('an update keeps what its memory has reached: the latest turn, the protection of a trigger, and its links', async (t) => {
  const work = (await createSessionRig().create()).work()
  const { entry: known, formerHash } = take(
    work,
    intake('The boat is at pier 7', { turn: 5, isTriggered: true, replyTo: 'q1' }),
    signal(false, null)
  )
  t.equal(formerHash, null)
  const update = (more: Partial<Intake>) => take(work, intake('The boat is at pier 9', more), signal(true, known.memory.id))
  const outside = update({ replyTo: 'q2' })
  t.equal(outside.formerHash, known.memory.hash)
  const { id, seq } = known.memory
  t.match(outside.entry, {
    memory: { id, seq, text: 'The boat is at pier 9', turn: 5, replyTo: ['q1', 'q2'] },
    stats: { isProtected: true }
  })
  const later = update({ turn: 8, replyTo: 'q1' })
  t.equal(later.formerHash, null, 'it has these words already')
  t.match(later.entry, { memory: { turn: 8, replyTo: ['q1', 'q2'] }, stats: { isProtected: true } })
})

t.test('a memory is protected from the update on that a trigger fired for', async (t) => {
  const work = (await createSessionRig().create()).work()
  const { entry: known } = take(work, intake('The boat is at pier 7'), signal(false, null))
  t.equal(known.stats.isProtected, false)
  const { entry } = take(work, intake('The boat is at pier 7', { isTriggered: true }), signal(true, known.memory.id))
  t.equal(entry.stats.isProtected, true)
})
