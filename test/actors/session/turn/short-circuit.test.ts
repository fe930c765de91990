import t from 'tap'
import { newestAnswer } from '../../../../actors/session/turn/short-circuit.js'
import { memoryEntry, NOON } from '../../../support/memories.js'
import { createSessionRig, type RigSession } from '../../../support/session-rig.js'

type Turn = readonly [message: string, response?: string | undefined, userId?: string | undefined]

/** Runs the turns and returns the last reply. A turn's response answers the message before. */
async function talk(turns: readonly Turn[], rig = createSessionRig(), session?: RigSession) {
  const told = session ?? (await rig.create())
  let reply
  for (const [message, response, userId] of turns) {
    rig.advance(60)
    reply = await told.run(message, { ...(response !== undefined && { response }), ...(userId !== undefined && { userId }) })
  }
  return reply
}

t.test('an answer is stale once a newer statement says something else of what is asked', async (t) => {
  for (const turns of [
    [['I live in Cork'], ['Where do I live?'], ['I live in Galway now', 'You live in Cork.'], ['Where do I live?', 'Noted.']],
    [['Ich wohne in Kiel'], ['Wo wohne ich?'], ['Ich wohne jetzt in Trier', 'Du wohnst in Kiel.'], ['Wo wohne ich?', 'Notiert.']],
    [['Where do I live?'], ['I do not live in Cork any more', 'You live in Cork.'], ['Where do I live?', 'Noted.']]
  ] as const) {
    t.match(await talk(turns), { shortCircuit: false, refused: { difference: 'stale' } }, turns[0][0])
  }
})

t.test('an answer stands where nothing new was said, or something older, or something was only asked', async (t) => {
  for (const turns of [
    [['I live in Cork'], ['Where do I live?'], ['ok', 'You live in Cork.'], ['Where do I live?']],
    [['Where do I live?'], ['I live in Cork', 'You live in Cork.'], ['Where do I live?']],
    [['Where do I live?'], ['Do I live in Galway?', 'You live in Cork.'], ['Where do I live?', 'No.']],
    [['Where do I live?'], ['My sister has a dog in Galway', 'You live in Cork.'], ['Where do I live?', 'Nice.']]
  ] as const) {
    t.match(await talk(turns), { shortCircuit: true }, turns[1][0])
  }
})

t.test('what is said after the clock was set back is newer all the same: an hour, or what clocks of nodes differ by', async (t) => {
  for (const backS of [3, 3_600]) {
    const rig = createSessionRig()
    const session = await rig.create()
    await talk([['I live in Cork'], ['Where do I live?']], rig, session)
    rig.advance(-backS)
    await talk([['I live in Galway now', 'You live in Cork.']], rig, session)
    t.match(await session.run('Where do I live?', { response: 'Noted.' }), { shortCircuit: false, refused: { difference: 'stale' } })
    const saidAt = new Map((await session.list()).map(({ text, timestamp }) => [text, timestamp]))
    t.ok((saidAt.get('I live in Galway now') ?? 0) > (saidAt.get('I live in Cork') ?? 0))
    const { createdAt, lastActiveAt } = await session.metrics()
    t.ok(lastActiveAt > createdAt)
  }
})

t.test('a fact that was injected, or told long ago, makes an answer stale as well', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  await talk([['Where do I live?'], ['ok', 'You live in Cork.']], rig, session)
  rig.advance(60)
  await session.ask({ type: 'memory.ingest', memories: [{ text: 'I live in Galway now', role: 'user' }] })
  for (let n = 0; n < 90; n++) await session.run(`Note ${String(n)} of the garden: bed ${String(n * 7)} needs water`)
  t.match(await session.run('Where do I live?'), { shortCircuit: false, refused: { difference: 'stale' } })
})

t.test('of the answers to a question the newest counts and stands first', async (t) => {
  const asked = 'Where is my car parked?'
  const reply = await talk([[asked], [asked, 'On level 2.'], ['ok', 'On level 5, it was moved.'], [asked]])
  t.equal(reply?.shortCircuit, true)
  t.match(reply?.context.split('\n')[2], 'level 5')
  const back = await talk([[asked], [asked, 'On level 2.'], [asked, 'On level 5, it was moved.'], ['ok', 'On level 2.'], [asked]])
  t.match(back?.context.split('\n')[2], 'level 2')
})

t.test('what does not know, or only asks back, is no answer', async (t) => {
  for (const response of [
    "I don't know, sorry.",
    'Which bus do you mean?',
    "I'm not sure.",
    'Das weiß ich leider nicht.',
    'Keine Ahnung.'
  ]) {
    t.match(await talk([['When does the bus leave?'], ['When does the bus leave?', response]]), { shortCircuit: false }, response)
  }
  const known: readonly Turn[] = [
    ['When does the bus leave?'],
    ['ok', 'At nine.'],
    ['When does the bus leave?'],
    ['When does the bus leave?', 'No idea.']
  ]
  t.match(await talk(known), { shortCircuit: true })
})

t.test('who asks about themselves is not told what another was', async (t) => {
  const seat = 'What is my seat?'
  const place = 'Wo ist mein Platz?'
  const by = (question: string, first: string | undefined, second: string | undefined) =>
    talk([
      [question, undefined, first],
      ['ok', 'Row 4.', first],
      [question, undefined, second]
    ])
  t.match(await by(seat, 'ann', 'bob'), { shortCircuit: false, refused: { difference: 'person' } })
  t.match(await by(place, 'ann', 'bob'), { shortCircuit: false })
  t.match(await by(seat, 'ann', 'ann'), { shortCircuit: true })
  t.match(await by(seat, undefined, 'bob'), { shortCircuit: true })
  for (const anyone of ['Where is the station?', 'How do I get to the station?', 'Wie kann ich zum Bahnhof kommen?']) {
    t.match(await by(anyone, 'ann', 'bob'), { shortCircuit: true }, anyone)
  }
})

t.test(
  'of questions that two users have asked in the same words the newest answer counts, whichever of them it was given to',
  async (t) => {
    const asked = 'Where is the car parked?'
    const known: readonly Turn[] = [
      [asked, undefined, 'ann'],
      ['ok', 'On level 2.', 'ann'],
      [asked, undefined, 'bob'],
      ['fine', 'On level 5, it was moved.', 'bob']
    ]
    const told = await talk([...known, [asked, undefined, 'ann']])
    t.equal(told?.shortCircuit, true)
    t.match(told?.context.split('\n')[2], 'level 5')
    const again = await talk([...known, [asked, undefined, 'ann'], ['thanks', 'On level 7.', 'ann'], [asked, undefined, 'bob']])
    t.match(again?.context.split('\n')[2], 'level 7')
  }
)

t.test('who asks for less than the same is told that another question is known, and not first what that was answered', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  await talk([['To disable the alarm takes a code'], ['How do I enable the alarm?'], ['ok', 'Press the green key.']], rig, session)
  const other = await session.run('How do I disable the alarm?', { shortCircuitThreshold: 0.1 })
  t.equal(other.shortCircuit, true)
  t.match(other.context.split('\n')[2], 'takes a code')
  const same = await session.run('How do I enable the alarm?', { shortCircuitThreshold: 0.1 })
  t.match(same.context.split('\n')[2], 'green key')
})

t.test('what means what was said before it is answered anew', async (t) => {
  for (const [message, response] of [
    ['yes please', 'The branch is deleted.'],
    ['Close it.', 'Ticket 7 is closed.'],
    ['And in German?', 'Haus.'],
    ['Schließ es', 'Ticket 7 ist zu.']
  ] as const) {
    const reply = await talk([[message], ['Where do I park the car?', response], [message, 'On level 2.']])
    t.match(reply, { shortCircuit: false, refused: { difference: 'reference' } }, message)
  }
})

t.test('what names a time by today is answered anew when that is another time', async (t) => {
  const day = 86_400
  for (const [message, wait, isRepeated] of [
    ['Which bin goes out today?', day, false],
    ['Which bin goes out today?', 60, true],
    ['Which bin goes out this week?', 7 * day, false],
    ['Which bin goes out before Easter?', day, true],
    ['Welche Tonne kommt heute raus?', day, false],
    ['Which bin goes out on 24 December 2031?', day, true]
  ] as const) {
    const rig = createSessionRig()
    const session = await rig.create()
    await talk([[message]], rig, session)
    rig.advance(wait)
    const reply = await talk(
      [
        ['Where do I park the car?', 'The green one.'],
        [message, 'On level 2.']
      ],
      rig,
      session
    )
    t.equal(reply?.shortCircuit, isRepeated, `${message} ${wait}`)
    if (!isRepeated) t.match(reply, { refused: { difference: 'time' } }, message)
  }
})

t.test('what asks for something to be done, or made anew, is not answered by what was done', async (t) => {
  for (const [message, difference] of [
    ['Put butter on the list', 'task'],
    ['Tell me another joke', 'task'],
    ['Reserviere einen Tisch für zwei', 'task'],
    ['muchas gracias', 'reference'],
    ['👍', 'reference']
  ] as const)
    t.match(await talk([[message], ['It is late', 'Done.'], [message]]), { shortCircuit: false, refused: { difference } }, message)
  t.match(await talk([['Explain recursion'], ['It is late', 'A thing told by itself.'], ['Explain recursion']]), { shortCircuit: true })
})

t.test('of a question with as many answers as a session may have few are read, and a few at a time', async (t) => {
  let read = 0
  const answers = Array.from({ length: 10_000 }, (_, at) => {
    const entry = memoryEntry(at, at > 9_900 ? "I don't know." : `It is ${String(at)}.`)
    const text = () => (read++, entry.memory.text)
    return { ...entry, memory: Object.defineProperty({ ...entry.memory }, 'text', { get: text }) }
  })
  const work = newestAnswer(answers, NOON)
  let pauses = 0
  let next = work.next()
  for (; next.done !== true; next = work.next()) pauses += 1
  t.equal(next.value?.memory.id, answers[9_900]?.memory.id)
  t.equal(read, 100)
  t.equal(pauses, 156, 'in pieces of 64')
})
