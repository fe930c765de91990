import t from 'tap'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
import { inOneGo } from '../../src/domain/pieces.js'
import { DENSE_WEIGHT_LEXICAL } from '../../src/retrieval/fuse.js'
import { retrieve } from '../../src/retrieval/pipeline.js'
import { changesAskedFor } from '../../src/retrieval/told-changes.js'
import { corpusOf, DIMENSION, memoryEntry, NOON } from '../support/memories.js'

/** Which of the texts, told a day apart, ranks first, and which are marked as superseded. */
function found(texts: readonly string[], question: string, roles: readonly ('user' | 'assistant')[] = []) {
  const entries = texts.map((text, at) =>
    memoryEntry(at + 1, text, { timestamp: NOON - (texts.length - at) * 86_400, role: roles[at] ?? 'user' })
  )
  const vector = lexicalVector(question, DIMENSION)
  const options = { now: NOON, limit: 10, denseWeight: DENSE_WEIGHT_LEXICAL, monotonicMs: () => 0 }
  const { hits } = inOneGo(retrieve(corpusOf(...entries), { text: question, vector, ...options }))
  const textOf = (hash: string | null): string | null => entries.find(({ memory }) => memory.hash === hash)?.memory.text ?? null
  return {
    first: hits[0]?.entry.memory.text,
    superseded: hits.flatMap(({ entry, supersededBy }) => (supersededBy === null ? [] : [[entry.memory.text, textOf(supersededBy)]]))
  }
}

t.test('a change of a state comes before the state, though it has not a word of the question', async (t) => {
  for (const [older, newer, question] of [
    ['I live in Cork.', 'I moved to Galway in May.', 'Where do I live?'],
    ['I live in Cork.', 'I moved to Galway in May.', 'Where do I have to live now?'],
    ['The bus leaves at two.', 'The bus got pushed to three.', 'When does the bus leave?'],
    ['Deployments go out on Thursdays.', 'Deployments got pushed to Tuesdays.', 'When do deployments go out?'],
    ['Ich wohne in Trier.', 'Im Mai bin ich nach Bonn gezogen.', 'Wo wohne ich?'],
    ['Ich wohne am Markt.', 'Ich bin in den Hafenweg 3 gezogen.', 'Wo wohne ich?'],
    ['Ich arbeite bei Bosch.', 'Seit April arbeite ich beim Umbau und bei Zeiss.', 'Wo arbeite ich?'],
    ['I take 50 mg of sertraline.', 'The doctor raised my sertraline to 100 mg.', 'How much sertraline do I take?'],
    ['Unser Hund bekommt Trockenfutter.', 'Wir haben unseren Hund auf Nassfutter umgestellt.', 'Was bekommt unser Hund?']
  ] as const)
    t.same(found([older, newer, 'The sea is calm.'], question), { first: newer, superseded: [[older, newer]] }, question)
})

t.test('a state that is told with another preposition, or of somebody else, is no new one', async (t) => {
  t.same(found(['I live in Cork.', 'I live with my sister now.'], 'Where do I live?').superseded, [])
  t.same(found(['I work at Zeiss.', 'My brother works at Bosch now.'], 'Where do I work?').superseded, [])
})

t.test('what ends a value comes before that value', async (t) => {
  for (const [older, newer, question] of [
    ['My internet provider is Fastline.', 'I cancelled Fastline and signed up with Oceanet.', 'Who is my internet provider?'],
    ['Mein Handy ist ein Galaxy.', 'Das Galaxy habe ich durch ein Fairphone ersetzt.', 'Welches Handy habe ich?']
  ] as const)
    t.same(found([older, newer], question), { first: newer, superseded: [[older, newer]] }, question)
})

t.test('what takes back the last thing that its speaker said comes before that, and before nothing else', async (t) => {
  const texts = ['The dentist is on Wednesday.', 'Alright.', 'Sorry, I meant Thursday.', 'The dentist was kind.']
  const roles = ['user', 'assistant', 'user', 'user'] as const
  const asked = 'When is the dentist?'
  t.same(found(texts.slice(0, 3), asked, roles), { first: texts[2], superseded: [[texts[0], texts[2]]] })
  t.same(found([...texts.slice(0, 2), 'I like tea.', 'Sorry, I meant Thursday.'], asked, ['user', 'assistant']).superseded, [
    ['I like tea.', 'Sorry, I meant Thursday.']
  ])
})

t.test('a change in something else, by somebody else, or asked about as past supersedes nothing', async (t) => {
  for (const [older, newer, question] of [
    ['I live in Cork.', 'My brother moved to Perth.', 'Where do I live?'],
    ['I live in Cork.', 'I moved to Galway in May.', 'Where did I live?'],
    ['The flight to Oslo leaves at two.', 'The flight to Rome got pushed to Monday.', 'When does the flight to Oslo leave?'],
    ['I take ibuprofen for my knee.', 'I no longer take the bus to the clinic.', 'What do I take for my knee?'],
    ['I drive to work.', 'I sold the piano.', 'How do I get to work?'],
    ['I drive to work.', 'I started a new job.', 'How do I get to work?'],
    ['Ich wohne am Markt.', 'Ich habe den Stuhl in den Garten gezogen.', 'Wo wohne ich?'],
    ['I live in Cork.', 'I moved the sofa to the window.', 'Where do I live?'],
    ['I keep the spare key under the mat.', 'I no longer keep the garden tools under the mat.', 'Where do I keep the spare key?'],
    ['I take the 8:05 train.', 'I no longer drink coffee on the train.', 'Which train do I take?'],
    ['My son plays football.', 'My son no longer watches football.', 'What does my son play?'],
    ['The wifi password is hunter2.', 'Correction: the talk is at three.', 'What is the wifi password?'],
    ['I live in Cork.', 'Shall I say I moved to Galway?', 'Where do I live?'],
    ['I live in Cork.', 'In June Anna moved to Perth.', 'Where do I live?'],
    ['I live in Cork.', 'I moved to Galway in May.', 'Where have I lived?'],
    ['I live alone.', 'I moved to Galway in May.', 'Where do I live with Anna in Cork?'],
    ['Ich wohne in Trier.', 'Im Mai bin ich nach Bonn gezogen.', 'Wo hatte ich bisher meine Wohnung, wo wohne ich?']
  ] as const)
    t.same(found([older, newer], question), { first: older, superseded: [] }, `${newer} ${question}`)
})

t.test('a change of what is asked for is found by its own words, also without a vector', async (t) => {
  const moved = 'I moved to Galway in May.'
  // Neighbours lend their words.
  const between = ['The sea is calm.', 'Snow fell.', 'Bread is baked.', 'Lamps glow.', 'Cats purr.']
  const entries = ['I live in Cork.', ...between, moved].map((text, at) => memoryEntry(at + 1, text))
  const isFound = (text: string): boolean =>
    inOneGo(retrieve(corpusOf(...entries), { text, now: NOON, limit: 10, monotonicMs: () => 0 })).hits.some(
      ({ entry }) => entry.memory.text === moved
    )
  t.ok(isFound('Where do I live?'))
  for (const question of ['Where does Anna live?', 'Do I live by the sea?', 'Where did I live?', 'I live here.'])
    t.notOk(isFound(question), question)
})

/** Whether a question with these terms asks for a state that one is in now. */
function isForOwnState(text: string, terms: readonly string[]): boolean {
  const words = new Set(text.toLowerCase().match(/\p{L}+/gu))
  return changesAskedFor({ text, terms: new Set(terms), words }) !== null
}

t.test('every word of the past makes a question one of the past, and every word for oneself one of oneself', async (t) => {
  for (const past of 'did were had used war waren hatte hatten wurde wurden was has have'.split(' '))
    t.notOk(isForOwnState(`Where ${past} I live?`, ['live']), past)
  for (const now of ['Where do I have to live?', 'Was arbeite ich?', 'Where does it have us live, my dear?'])
    t.ok(isForOwnState(now, ['live']), now)
  for (const self of 'i we my our ich wir mein meine unser unsere'.split(' ')) t.ok(isForOwnState(`Where ${self} live?`, ['live']), self)
  t.notOk(isForOwnState('Where you live?', ['live']))
  for (const place of 'to at from after before for'.split(' ')) t.notOk(isForOwnState(`Where do I live ${place} work?`, ['work']), place)
  t.ok(isForOwnState('Where do I work?', ['work']))
  t.notOk(isForOwnState('Where do I work?', []))
  t.notOk(isForOwnState('Where do I work with Anna?', ['work', 'anna']))
  const states = 'live resid stay home work use run write take'.split(' ')
  t.ok(isForOwnState('Where do I live?', states.slice(0, 8)), 'of eight terms')
  t.notOk(isForOwnState('Where do I live?', states), 'of nine')
})

t.test('who moves is named by a word of its own, wherever it stands, and a form of a word is that word', async (t) => {
  const older = 'I live in Cork.'
  for (const self of ['In May I', 'In May we', 'I']) {
    const newer = `${self} moved to Galway.`
    t.same(found([older, newer], 'Where do I live?').superseded, [[older, newer]], newer)
  }
  for (const other of ['Sami', 'The iPad', 'The Inuit', 'Owe'])
    t.same(found([older, `${other} moved to Galway.`], 'Where do I live?').superseded, [], other)
  for (const [told, newer, question] of [
    ['The waterworks begin at two.', 'The water got pushed to three.', 'When do the waterworks begin?'],
    ['The water begins at two.', 'The waterworks got pushed to three.', 'When does the water begin?']
  ] as const)
    t.same(found([told, newer], question).superseded, [[told, newer]], newer)
  const cat = 'The cat begins at two.'
  t.same(found([cat, 'The catalogue got pushed to three.'], 'When does the cat begin?').superseded, [], 'three letters are no form')
})

t.test('so much of a text is read for a change: 400 characters, eight statements of twelve words each', async (t) => {
  const [older, newer, asked] = ['I live in Cork.', 'I moved to Galway.', 'Where do I live?']
  const isFound = (before: string): boolean => found([older, before + newer], asked).superseded.length === 1
  t.ok(isFound(`${'-'.repeat(370)}. Rain. `))
  t.notOk(isFound(`${'-'.repeat(388)}. Rain. `))
  t.ok(isFound('Rain fell. '.repeat(7)))
  t.notOk(isFound('Rain fell. '.repeat(8)))
  const towns = 'bonn trier kiel ulm jena hof gera suhl celle aalen worms'.split(' ')
  const moved = (count: number) =>
    found([older, `I moved to Galway via ${towns.slice(0, count).join(', ')}.`], asked).superseded.length === 1
  t.ok(moved(9))
  t.notOk(moved(11))
})

t.test('a text answers with half of the terms of the question', async (t) => {
  const [older, newer] = ['The bus leaves at two.', 'The bus got pushed to three.']
  t.equal(found([older, newer], 'When does the bus leave for Kinsale harbour?').superseded.length, 1)
  t.equal(found([older, newer], 'When does the bus leave for Kinsale harbour market?').superseded.length, 0)
})

t.test('what is taken back is the last thing its speaker said, up to four answers ago', async (t) => {
  const [said, back] = ['The dentist is on Wednesday.', 'Sorry, I meant Thursday.']
  const superseded = (answers: number) => {
    const others = Array.from({ length: answers }, () => 'Alright.')
    const roles = ['user', ...others.map(() => 'assistant')] as ('user' | 'assistant')[]
    return found([said, ...others, back], 'When is the dentist?', roles).superseded.length
  }
  t.same([superseded(4), superseded(5)], [1, 0])
})
