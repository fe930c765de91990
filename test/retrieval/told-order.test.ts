import t from 'tap'
import { retrieve } from '../../src/retrieval/pipeline.js'
import { inOneGo } from '../../src/domain/pieces.js'
import { DENSE_WEIGHT_LEXICAL } from '../../src/retrieval/fuse.js'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
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
