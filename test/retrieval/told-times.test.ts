import t from 'tap'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
import { inOneGo } from '../../src/domain/pieces.js'
import { DENSE_WEIGHT_LEXICAL } from '../../src/retrieval/fuse.js'
import { retrieve } from '../../src/retrieval/pipeline.js'
import type { RetrievalQuery } from '../../src/retrieval/query.js'
import { toldThen } from '../../src/retrieval/told-times.js'
import { corpusOf, DIMENSION, memoryEntry } from '../support/memories.js'

/** A Wednesday. */
const NOW = Date.parse('2026-03-18T10:00:00Z') / 1_000

type Told = readonly [date: string, text: string]

const DIARY: readonly Told[] = [
  ['2026-02-23', 'I repotted the lemon tree.'],
  ['2026-02-25', 'We decided to paint the hall.'],
  ['2026-03-03', 'Cooked a risotto for the neighbours.'],
  ['2026-03-11', 'We decided to keep the old sofa.'],
  ['2026-03-16', 'The plumber mended the sink.'],
  ['2026-03-17', 'Bought tickets for the jazz evening.'],
  ['2026-03-18', 'Tell me a joke.']
]

function found(query: string, told: readonly Told[] = DIARY, options: Partial<RetrievalQuery> = {}) {
  const entries = told.map(([date, text], at) => memoryEntry(at + 1, text, { timestamp: Date.parse(`${date}T20:00:00Z`) / 1_000 }))
  const vector = lexicalVector(query, DIMENSION)
  return inOneGo(
    retrieve(corpusOf(...entries), {
      text: query,
      vector,
      now: NOW,
      limit: 10,
      denseWeight: DENSE_WEIGHT_LEXICAL,
      monotonicMs: () => 0,
      ...options
    })
  ).hits
}

const first = (query: string, told?: readonly Told[]): string | undefined => found(query, told)[0]?.entry.memory.text

t.test('what was told at the time that is asked for comes first, though it has not a word of the question', async (t) => {
  for (const [query, at] of [
    ['What did I tell you yesterday?', 5],
    ['What did I do on Monday?', 4],
    ['What happened on 3 March?', 2],
    ['Was habe ich gestern gesagt?', 5],
    ['Was habe ich am 3. März gemacht?', 2],
    ['notes from 2026-02-23', 0],
    ['what happened a week ago', 3]
  ] as const)
    t.equal(first(query), DIARY[at]?.[1], query)
})

t.test('of what was told then that comes first which has the words of the question, and nothing newer takes its place', async (t) => {
  t.equal(first('What did we decide in February?'), 'We decided to paint the hall.')
  t.equal(first('What did we decide last week?'), 'We decided to keep the old sofa.')
  t.ok(found('What did we decide in February?').every(({ supersededBy }) => supersededBy === null))
})

t.test('what names the date that is asked for is no worse for having been told at another time', async (t) => {
  const told: readonly Told[] = [
    ['2026-02-10', 'The car goes to the garage on 3 March.'],
    ['2026-02-11', 'Which airline did you book, and for what?'],
    ['2026-03-03', 'Bought apples and pears at the market.'],
    ['2026-03-03', 'The neighbour asked for the ladder.']
  ]
  t.equal(first('Was the car in the garage on 3 March?', told), told[0]?.[1])
  t.equal(first('What did I buy on 3 March?', told.slice(1)), told[2]?.[1])
})

t.test('who asks for what is so, or tells something, asks for no time; nor does a time at which nothing or all was told', async (t) => {
  const memories = DIARY.map(([, text]) => ['2026-03-17', text] as const)
  for (const [query, told] of [
    ['Is the plumber here on Monday?', DIARY],
    ['I saw the plumber yesterday.', DIARY],
    ['What did the plumber do in 2019?', DIARY],
    ['What did the plumber do yesterday?', memories],
    [`What did the plumber do yesterday? ${'Please tell me all about the sink. '.repeat(8)}`, DIARY]
  ] as const) {
    const hits = found(query, told)
    t.equal(hits[0]?.entry.memory.text, 'The plumber mended the sink.', query)
    t.same(
      hits
        .filter(({ components }) => components.lexical > 0)
        .map(({ entry }) => entry.memory.text)
        .includes(DIARY[0]?.[1] ?? ''),
      false,
      query
    )
  }
})

t.test('what was told then and may not be found, or has expired, is not there', async (t) => {
  const hits = found('What did I tell you yesterday?', DIARY, { accept: ({ memory }) => memory.seq < 5 })
  t.ok(hits.every(({ entry }) => entry.memory.seq < 5 && entry.memory.timestamp < NOW - 86_400))
})

t.test('of more than can be looked at those with the words of the question are found, and the last ones', async (t) => {
  const beds = (date: string): Told[] => Array.from({ length: 400 }, (_, at) => [date, `Bed ${String(at)} was watered`])
  const told: readonly Told[] = [
    ...beds('2026-02-01'),
    ['2026-03-10', 'Rudi mowed the lawn.'],
    ...beds('2026-03-11'),
    ['2026-03-18', 'Rudi called.']
  ]
  t.equal(first('What did Rudi do last week?', told), 'Rudi mowed the lawn.')
  t.ok(found('What happened last week?', told).every(({ entry: { memory } }) => memory.seq > 400 && memory.seq < 802))
})

const DIARY_CORPUS = corpusOf(
  ...DIARY.map(([date, text], at) => memoryEntry(at + 1, text, { timestamp: Date.parse(`${date}T20:00:00Z`) / 1_000 }))
)
const then = (query: string) => inOneGo(toldThen(DIARY_CORPUS, query, { limit: 10, now: NOW }))

t.test('each word of the past asks for a day that is named by its week, and each of the present for none', async (t) => {
  const past =
    'did was were had told said asked happened went done hab habe habn haben hast hat hatte hatten war waren wurde wurden passiert sagte ' +
    'erzählte'
  for (const word of past.split(' ')) {
    t.equal(then(`${word} it on Monday?`)?.documents.length, 1, word)
    for (const other of [`x${word}`, `${word}x`]) t.equal(then(`${other} it on Monday?`), null, other)
  }
  const present = 'is are am do does will shall should can could may might must when ist sind wird werden soll sollte kann muss darf wann'
  for (const word of present.split(' ')) {
    t.equal(then(`${word} it 2026-02-23`), null, word)
    t.ok(then(`${word} it 2026-02-23, as you told`), `${word}, told`)
    for (const other of [`x${word}x`, `${word}x`]) t.ok(then(`${other} it 2026-02-23`), other)
  }
})

t.test('who tells asks for no time, nor does who writes much; the day before is past whatever the verb', async (t) => {
  for (const self of ['I', 'we', 'ich', 'wir']) {
    t.equal(then(`${self} ate on 3 March`), null, self)
    t.ok(then(`${self}x ate on 3 March`))
    t.ok(then(`${self} ate on 3 March?`), `${self} asks`)
  }
  t.ok(then('notes of yesterday'.padEnd(200, '.')))
  t.equal(then('notes of yesterday'.padEnd(201, '.')), null)
  for (const day of ['yesterday', 'gestern', 'last week', 'letzte Woche', 'two days ago', 'vor zwei Tagen']) t.ok(then(`notes ${day}`), day)
  t.equal(then('notes tomorrow'), null)
})

t.test('of a question is left what tells of the matter: no verb of telling, and no day that is named by today', async (t) => {
  const telling =
    'say said tell told talk talked speak spoke spoken mention mentioned discuss discussed happen happened do did done note notes sage gesagt ' +
    'erzähl erzählt geredet gesprochen erwähnt besprochen passiert geschehen gemacht getan'
  for (const word of telling.split(' ')) t.equal(then(`red ${word} boat yesterday`)?.rest.replace(/\s+/g, ' ').trim(), 'red boat', word)
  t.equal(then('red saying boat yesterday')?.rest.trim(), 'red saying boat')
  t.equal(then('was the red boat there on 3 March')?.rest, 'was the red boat there on 3 March')
})

t.test(
  'a memory of that time gains half of what it lacks, less the share that is of that time, and others lose where it is no date',
  async (t) => {
    const [old, lately] = [0, 5].map((at) => [...DIARY_CORPUS.ordered()][at])
    const gains = (query: string) =>
      [old, lately].map((entry) => (entry === undefined ? NaN : (then(query)?.relevance(0.4, entry) ?? NaN)).toFixed(6))
    const share = 0.5 * (1 - 1 / 7)
    t.same(
      gains('notes of yesterday'),
      [0.4 - share * 0.4, 0.4 + share * 0.6].map((value) => value.toFixed(6))
    )
    t.same(
      gains('notes of 2026-03-17'),
      [0.4, 0.4 + share * 0.6].map((value) => value.toFixed(6))
    )
  }
)
