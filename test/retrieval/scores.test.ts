/** Hits of some queries among many memories, with their scores: a change of a weight shows which hits it moves. */
import t from 'tap'
import { inOneGo } from '../../src/domain/pieces.js'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
import { DENSE_WEIGHT_LEXICAL } from '../../src/retrieval/fuse.js'
import { retrieve } from '../../src/retrieval/pipeline.js'
import type { RetrievalQuery } from '../../src/retrieval/query.js'
import { corpusOf, DIMENSION, memoryEntry, NOON, partVectors } from '../support/memories.js'
import { ENGLISH_TALKS } from '../domain/drift/topic-talks.js'

const HOUR = 3_600
const vectorOf = (text: string) => lexicalVector(text, DIMENSION)

/** One said after the other, an hour apart: questions with their answers, and in between what was told without a question. */
const ENTRIES = [
  ...ENGLISH_TALKS.flatMap(({ exchanges }, topic) =>
    exchanges.slice(0, 6).flatMap(([question, answer], at) => {
      const seq = 13 * topic + 2 * at + 1
      const own = (place: number) => ({ timestamp: NOON + (place - 110) * HOUR, turn: place })
      return [
        memoryEntry(seq, question, own(seq), { segment: topic, importance: 0.3 + at / 10 }),
        memoryEntry(seq + 1, answer, { ...own(seq + 1), role: 'assistant', replyTo: [`m${String(seq)}`] }, { segment: topic })
      ]
    })
  ),
  ...[
    'I live in Cork.',
    'Ann Zweig: my dentist is on Wednesday at nine.',
    'The invoices are approved by Karim.',
    'The invoices are approved by Sofia from now on.',
    'I moved to Galway in May.',
    'Our wifi password is hunter2. The router is in the hall.'
  ].map((text, at) =>
    memoryEntry(
      13 * at + 13,
      text,
      {
        timestamp: NOON + (13 * at - 97) * HOUR,
        ...(at === 5 && { partEnds: [29, text.length], vectors: partVectors(text.slice(0, 29), text.slice(29)) })
      },
      { segment: at, importance: at === 1 ? 1.5 : 0.6 }
    )
  )
]
const CORPUS = corpusOf(...ENTRIES)

/** The first hits, with scores in thousandths, the superseded ones in brackets. */
function found(text: string, more: Partial<RetrievalQuery> = {}): string {
  const query = { text, vector: vectorOf(text), now: NOON, limit: 5, denseWeight: DENSE_WEIGHT_LEXICAL, monotonicMs: () => 0, ...more }
  return inOneGo(retrieve(CORPUS, query))
    .hits.map(({ entry, score, supersededBy }) => {
      const told = `${entry.memory.id} ${String(Math.round(score * 1_000))}`
      return supersededBy === null ? told : `(${told})`
    })
    .join(', ')
}

const SEGMENTS = [0, 1, 2, 3].map((topic) => ({
  centroid: vectorOf(ENGLISH_TALKS[topic]?.exchanges[0]?.join(' ') ?? ''),
  representatives: [`m${String(13 * topic + 2)}`]
}))

t.test('of what was said the same is found as ever, with the same scores', async (t) => {
  for (const [query, hits] of [
    ['How do I create an index?', 'm2 1000, m1 794, m11 655, (m3 654), m4 643'],
    ['Which index is never used by a query?', 'm10 921, m9 805, m8 697, m4 536, m6 501'],
    ['Where do I live?', 'm65 1000, (m13 1000), m12 494, m14 357, m15 349'],
    ['Who approves the invoices?', 'm52 1000, (m39 1000), m41 500, m51 494, m54 486'],
    ['When is the dentist of Ann Zweig?', 'm26 1000, m28 452, m25 444, m27 334, m24 118'],
    ['What is the wifi password?', 'm78 969, m80 451, m77 441, m79 340, m32 230'],
    ['What did I ask first about the index?', 'm86 624, m38 426, m39 404, m85 348, m56 338'],
    ['What did I say yesterday?', 'm78 352, m86 352, m84 349, m69 348, m65 347'],
    ['What came after the invoices?', 'm52 830, m39 309, m65 273, m78 190, m51 152'],
    ['zebra stripes', 'm71 146, m88 140, m6 130, m21 128, m78 125'],
    ['', '']
  ] as const)
    t.equal(found(query), hits, query)
})

t.test('so is what a query steers by', async (t) => {
  const against = [{ embedding: vectorOf('partial index'), weight: 1, promote: false }]
  t.equal(found('index', { policyVectors: against }), 'm10 1000, m4 999, m12 983, m2 963, m8 916')
  t.equal(found('index', { anchors: [vectorOf('partial index of the whole table')] }), 'm6 1000, m2 1000, m10 1000, m12 1000, m8 1000')
  t.equal(found('How much does it cost?', { segments: SEGMENTS }), 'm8 885, m37 813, m38 735, m39 461, m36 416')
  t.equal(found('inserts and scans', { denseWeight: 1 }), 'm12 647, m10 609, m11 535, m8 428, m13 352')
  t.equal(found('router', { accept: ({ memory }) => memory.role === 'user' }), 'm78 966, m79 363, m76 134, m26 32, m65 22')
})
