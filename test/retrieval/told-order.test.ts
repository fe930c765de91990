import t from 'tap'
import { retrieve } from '../../src/retrieval/pipeline.js'
import { inOneGo } from '../../src/domain/pieces.js'
import { DENSE_WEIGHT_LEXICAL } from '../../src/retrieval/fuse.js'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
import { toldInOrder } from '../../src/retrieval/told-order.js'
import { corpusOf, DIMENSION, memoryEntry } from '../support/memories.js'

const TOLD = [
  'I think of buying a small wooden boat with a red sail.',
  'thanks',
  'The boat leaks.',
  'My sister Ruth was here for a week.',
  'What does a boat cost?',
  'Today we won the regatta on the lake.',
  'Clean the boat.',
  'My first boat was a canoe.',
  'Ruth broke her arm.',
  'The boat is sold.'
]

function first(query: string, told: readonly string[] = TOLD): string | undefined {
  const entries = told.map((text, at) => memoryEntry(at + 1, text, { timestamp: (at + 1) * 3_600 }))
  const { hits } = inOneGo(
    retrieve(corpusOf(...entries), {
      text: query,
      vector: lexicalVector(query, DIMENSION),
      now: 400_000,
      limit: 5,
      denseWeight: DENSE_WEIGHT_LEXICAL,
      monotonicMs: () => 0
    })
  )
  return hits[0]?.entry.memory.text
}

t.test('of what was told of a matter that comes first which was told first, or last, as the question asks', async (t) => {
  t.equal(first('What was the first thing I told you about the boat?'), TOLD[0])
  t.equal(first('What did I say last about the boat?'), TOLD[9])
  t.equal(first('What did I first tell you about Ruth?'), TOLD[3])
  t.equal(first('What did I tell you first?'), TOLD[0])
  t.equal(first('Was habe ich zuletzt über das boat gesagt?'), TOLD[9])
})

t.test('a word of order that qualifies what was told is a word like others', async (t) => {
  t.equal(first('What was my first boat?'), TOLD[7])
})

t.test('what was told next to something is asked for by it, and neither thanks nor questions nor requests are meant', async (t) => {
  t.equal(first('What came after the regatta?'), TOLD[7])
  t.equal(first('What happened before the regatta?'), TOLD[3])
  t.equal(first('What did Ruth tell us after the regatta?'), TOLD[8])
})

t.test('what asks for more than half of its length tells nothing', async (t) => {
  const after = (next: string) => first('What came after the regatta?', ['We won the regatta.', next, 'Ruth sold bread.'])
  t.equal(after('Ruth won gold. Who came?'), 'Ruth won gold. Who came?')
  t.equal(after('Ruth won. Who came to see it?'), 'Ruth sold bread.')
})

t.test('where a memory says itself what came when the order of telling counts nothing', async (t) => {
  const told = [...TOLD, 'After the regatta on the lake we danced all night.']
  t.equal(first('What came after the regatta on the lake?', told), told[10])
})

/** Numbers of the memories found, nearest first. */
function found(query: string, told: readonly string[]): number[] {
  const corpus = corpusOf(...told.map((text, at) => memoryEntry(at, text, { timestamp: (at + 1) * 3_600 })))
  const { documents = [] } = inOneGo(toldInOrder(corpus, query, { now: 400_000 })) ?? {}
  return documents.map((document) => corpus.heldAt(document).entry.memory.seq)
}

t.test('of what came next the first twelve count, among the first 64 that were told', async (t) => {
  const query = 'What came after the regatta?'
  const won = 'We won the regatta.'
  t.same(
    found(query, [won, ...Array.from({ length: 20 }, () => 'The lamp glows.')]),
    Array.from({ length: 12 }, (_, at) => at + 1)
  )
  const asking = (count: number) => [won, ...Array.from({ length: count }, () => 'Who came?'), 'The lamp glows.']
  t.same(found(query, asking(63)), [64])
  t.same(found(query, asking(64)), [])
})

t.test('of what was told of a matter that counts which holds three quarters of the words of the best', async (t) => {
  const query = 'What did I tell you first about the red wooden boat with sails?'
  t.same(found(query, ['A wooden boat.', 'A red boat with sails.', 'A red wooden boat with sails.']), [1, 2])
})

t.test('a memory says itself what came when within its first 400 characters', async (t) => {
  const saying = (length: number) => [
    'We won the regatta.',
    'Bread is baked.',
    `${'Well. '.repeat(99).slice(0, length)} after the regatta we danced.`
  ]
  t.same(found('What came after the regatta?', saying(394)), [2])
  t.not(found('What came after the regatta?', saying(395))[0], 2)
})
