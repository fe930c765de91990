/** Whole conversations: of several topics, and of odd texts. */
import t from 'tap'
import { stateVector } from '../../../actors/session/semantic-state/folds.js'
import { createSessionRig, differenceOf, RIG_DIMENSION, type RigSession } from '../../support/session-rig.js'

const TOPICS: readonly (readonly string[])[] = [
  [
    'My garden project: I want to grow roses along the southern fence',
    'The roses along the fence need rich garden soil and compost',
    'Which compost do roses in the garden soil like best?',
    'I planted the first roses along the fence with compost'
  ],
  [
    'Now about the software project: the database migration to Postgres',
    'The Postgres migration of the database locks the orders table',
    'How long does the Postgres database lock the orders table?',
    'The database migration will run on Postgres at night'
  ],
  [
    'Another thing, my holiday project: a train journey through Norway',
    'The train through Norway goes from Oslo to Bergen',
    'Does the train journey from Oslo to Bergen have a night coach?',
    'We booked the night train from Oslo to Bergen in Norway'
  ]
]

async function tell(session: RigSession, topics = TOPICS) {
  const replies = []
  for (const topic of topics) for (const message of topic) replies.push(await session.run(message))
  return replies
}

t.test('a conversation of three topics opens a segment for each and resumes an earlier one', async (t) => {
  const session = await createSessionRig().create()
  const replies = await tell(session)
  t.same(
    [4, 8].map((at) => replies[at]?.driftDetected),
    [true, true]
  )
  const segmentOf = (text: string) => [...session.state.corpus.ordered()].find(({ memory }) => memory.text === text)?.stats.segment
  const firsts = TOPICS.map((topic) => segmentOf(topic[3] ?? ''))
  t.equal(new Set(firsts).size, 3)
  const back = await session.run('Back to the garden: do roses along the fence need compost in winter?')
  t.equal(back.driftDetected, true)
  t.equal(session.state.head.segment, firsts[0])
  t.ok((await session.metrics()).topicSwitches >= 3)
})

t.test('a session with enable_topic_switch off keeps one segment however far the talk drifts', async (t) => {
  const session = await createSessionRig().create('s', { enableTopicSwitch: false })
  const replies = await tell(session)
  t.ok(replies.some(({ driftDetected }) => driftDetected))
  t.same(
    session.state.topics.list().map(({ id, size }) => [id, size]),
    [[0, 12]]
  )
  t.match(await session.metrics(), { topicSwitches: 0, enableTopicSwitch: false })
})

t.test('the semantic state follows a new topic at once, but is held back with topic switch off', async (t) => {
  const pull = async (enableTopicSwitch: boolean) => {
    const session = await createSessionRig().create('s', { enableTopicSwitch })
    await tell(
      session,
      TOPICS.slice(0, 2).map((topic, at) => (at === 0 ? topic : topic.slice(0, 1)))
    )
    await session.ask({ type: 'anchor.set', text: TOPICS[0]?.[1] ?? '' })
    return (await session.metrics()).anchorScore ?? 1
  }
  t.ok((await pull(true)) < (await pull(false)) / 2)
})

t.test('with the cortex, a broad question draws on several topics', async (t) => {
  const topicsShown = async (useCortex: boolean) => {
    const session = await createSessionRig().create('s', { useCortex })
    await tell(session)
    const { context } = await session.run('What do you know about my project?')
    return TOPICS.filter((topic) => topic.some((text) => context.includes(text))).length
  }
  t.equal(await topicsShown(true), 3)
  t.ok((await topicsShown(true)) >= (await topicsShown(false)))
})

const ODD: readonly (readonly [string, string])[] = [
  ['without any feature', '???'],
  ['of white space', ' \n\t '],
  ['of emoji', '👩‍👩‍👧‍👦🙂🙂'],
  ['in Chinese', '我想知道明天的天气怎么样'],
  ['in Arabic', 'ما هو الطقس غدا'],
  ['of one letter', 'x'],
  ['of one word of 5,000 letters', 'a'.repeat(5000)]
]

for (const dimension of [1, 2, RIG_DIMENSION]) {
  t.test(`odd texts in ${String(dimension)} dimensions are remembered, and every number stays finite`, async (t) => {
    const session = await createSessionRig().create('s', { dimension })
    for (let round = 0; round < 2; round++) {
      for (const [name, text] of ODD) {
        const reply = await session.run(text, { response: `${text} again` })
        t.ok([reply.driftScore, reply.topSimilarity].every(Number.isFinite), name)
        t.ok(reply.driftScore >= 0 && reply.driftScore <= 1 && Math.abs(reply.topSimilarity) <= 1, name)
        t.equal(reply.retrievalError, false, name)
        t.ok(stateVector(session.state)?.every(Number.isFinite) ?? true, name)
      }
    }
    for (const value of Object.values(await session.metrics())) t.ok(typeof value !== 'number' || Number.isFinite(value))
    t.equal(
      differenceOf(
        await session.list(),
        await session.askOther(await session.restored(), { type: 'memory.list', limit: 1000, filter: {} }).then(({ memories }) => memories)
      ),
      null
    )
    const copy = await createSessionRig().open('copy', { type: 'session.import', stateDict: JSON.parse(session.exported()) as unknown })
    t.equal(copy.exported(), session.exported())
  })
}

t.test('texts without features neither resemble each other nor steer the state', async (t) => {
  const session = await createSessionRig().create()
  await session.run('???')
  t.equal(stateVector(session.state), null)
  t.match(await session.run('!!!'), { shortCircuit: false, topSimilarity: 0, driftDetected: false })
  t.equal((await session.list()).length, 2)
  await session.run('???')
  t.equal((await session.list()).length, 2, 'but the same one is an update')
})

t.test('a text as long as they come is remembered in parts and comes back as one hit', async (t) => {
  const session = await createSessionRig().create()
  const sentence = 'The archive lists every parish register from the river valley in order. '
  const text = `${sentence.repeat(1300)}The needle is kept in drawer nineteen. ${sentence.repeat(1300)}`
  await session.run(text)
  t.equal((await session.list()).length, 1)
  const [memory] = [...session.state.corpus.ordered()]
  t.ok((memory?.memory.partEnds.length ?? 0) > 100)
  const results = await session.search('In which drawer is the needle kept?')
  t.equal(results.length, 1)
  const { context } = await session.run('In which drawer is the needle kept?')
  t.match(context, 'nineteen')
  t.ok(context.length <= 350 * 4)
  t.match(await session.ask({ type: 'session.dedupCheck', text }), { isUpdate: true, maxSim: 1 })
})
