/** No object of a retrieval survives the next collections of the young generation. */
import t from 'tap'
import { retrieve } from '../../src/retrieval/pipeline.js'
import { inOneGo } from '../../src/domain/pieces.js'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
import { bytesLeftBehind } from '../support/left-behind.js'
import { corpusOf, DIMENSION, memoryEntry, NOON } from '../support/memories.js'

const MEMORIES = 2_000

t.test('the scores of a search are freed with it', async (t) => {
  const corpus = corpusOf(...Array.from({ length: MEMORIES }, (_, at) => memoryEntry(at, textOf(at))))
  const left = await bytesLeftBehind((time) => {
    const text = textOf(time)
    inOneGo(retrieve(corpus, { now: NOON, limit: 10, monotonicMs: () => 0, text, vector: lexicalVector(text, DIMENSION) }))
  })
  t.ok(left < (MEMORIES * Float64Array.BYTES_PER_ELEMENT) / 4, `${String(left)} bytes`)
})

function textOf(at: number): string {
  return [1, 7, 11].map((step) => `word${String((at * step) % 50)}`).join(' ')
}
