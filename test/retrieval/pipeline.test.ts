import fc from 'fast-check'
import t from 'tap'
import { inOneGo } from '../../src/domain/pieces.js'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
import type { Corpus } from '../../src/retrieval/corpus.js'
import { DENSE_WEIGHT_LEARNED, DENSE_WEIGHT_LEXICAL, denseWeightOf } from '../../src/retrieval/fuse.js'
import { retrieve } from '../../src/retrieval/pipeline.js'
import type { Hit, LeadingCandidate, RetrievalQuery } from '../../src/retrieval/query.js'
import { corpusOf, DIMENSION, memoryEntry, NOON } from '../support/memories.js'

const DAY = 86_400

function search(corpus: Corpus, text: string, options: Partial<RetrievalQuery> = {}): readonly Hit[] {
  const vector = lexicalVector(text, DIMENSION)
  return inOneGo(
    retrieve(corpus, { text, vector, now: NOON, limit: 10, denseWeight: DENSE_WEIGHT_LEXICAL, monotonicMs: () => 0, ...options })
  ).hits
}

const ids = (hits: readonly Hit[]): string[] => hits.map((hit) => hit.entry.memory.id)

const FACTS = corpusOf(
  memoryEntry(1, 'My dog Rex sleeps in the kitchen'),
  memoryEntry(2, 'The invoice 4711 was paid on Monday'),
  memoryEntry(3, 'Where did we park the car?'),
  memoryEntry(4, 'It is behind the station'),
  memoryEntry(5, 'Call parseConfig() before the start')
)

t.test('a memory in the words of the query comes first, and its score is a relevance', async (t) => {
  for (const [text, id] of [
    ['When was invoice 4711 paid?', 'm2'],
    ['parseConfig', 'm5'],
    ['where does my dog sleep', 'm1']
  ] as const) {
    const hits = search(FACTS, text)
    t.equal(hits[0]?.entry.memory.id, id, text)
    t.ok((hits[0]?.score ?? 0) > 0.5)
    t.ok(hits.every((hit) => hit.score > 0 && hit.score <= 1))
  }
})

t.test('the query itself comes first even as a question', async (t) => {
  t.equal(search(FACTS, 'Where did we park the car?')[0]?.entry.memory.id, 'm3')
})

t.test('an answer without the words of its question is found beside it', async (t) => {
  t.same(ids(search(FACTS, 'where is the car parked')).slice(0, 2).sort(), ['m3', 'm4'])
})

t.test('an exchange lends its score across the session', async (t) => {
  const filler = Array.from({ length: 8 }, (_, index) => memoryEntry(index + 2, `Filler number ${index} about weather`))
  const answer = memoryEntry(20, 'Behind the station', { replyTo: ['m1'] })
  const corpus = corpusOf(memoryEntry(1, 'Where did we park the car?'), ...filler, answer)
  t.ok(ids(search(corpus, 'parked car')).slice(0, 4).includes('m20'))
})

t.test('a query by vector alone ranks by cosine', async (t) => {
  const vector = lexicalVector('The invoice 4711 was paid on Monday', DIMENSION)
  const hits = inOneGo(retrieve(FACTS, { vector, now: NOON, limit: 1, monotonicMs: () => 0 })).hits
  t.equal(hits[0]?.entry.memory.id, 'm2')
  t.ok((hits[0]?.components.dense ?? 0) > 0.999)
})

t.test('a query without words or direction finds nothing', async (t) => {
  t.same(search(FACTS, '?!'), [])
  t.same(search(corpusOf(), 'anything'), [])
})

t.test('what is not accepted or has expired is no hit', async (t) => {
  const expired = memoryEntry(2, 'red house too', { expiresAt: NOON - 1 })
  const corpus = corpusOf(memoryEntry(1, 'red house', { userId: 'ada' }), expired, memoryEntry(3, 'red boat'))
  t.same(ids(search(corpus, 'red house', { accept: (entry) => entry.memory.userId === null })), ['m3'])
})

t.test('among equals the recent, the important, the promoted and the anchored come first', async (t) => {
  const old = memoryEntry(1, 'The red house stands in Rome', { timestamp: NOON - 60 * DAY })
  const far = Array.from({ length: 6 }, (_, index) => memoryEntry(index + 2, `Weather report ${index}`))
  const recent = memoryEntry(30, 'The red house stands in Oslo')
  t.equal(search(corpusOf(old, ...far, recent), 'red house')[0]?.entry.memory.id, 'm30')
  const important = { ...old, stats: { ...old.stats, importance: 1.5 } }
  t.equal(search(corpusOf(important, ...far, recent), 'red house')[0]?.entry.memory.id, 'm1')
  const embedding = lexicalVector('Rome', DIMENSION)
  const equal = memoryEntry(30, 'The red house stands in Oslo', { timestamp: old.memory.timestamp })
  const vector = old.memory.vectors
  const first = (options: Partial<RetrievalQuery>) => search(corpusOf(old, ...far, equal), 'red house', options)[0]?.entry.memory.id
  t.equal(first({ policyVectors: [{ embedding: vector, weight: 1, promote: true }] }), 'm1')
  t.equal(first({ policyVectors: [{ embedding, weight: 5, promote: false }] }), 'm30')
  t.equal(first({ anchors: [vector] }), 'm1')
})

t.test('what a named speaker says himself comes before what is said to him', async (t) => {
  const corpus = corpusOf(memoryEntry(1, 'Ann: Ben, your garden is nice'), memoryEntry(2, 'Ben: my garden has roses'))
  t.equal(search(corpus, "What is in Ben's garden?")[0]?.entry.memory.id, 'm2')
})

t.test('a memory that repeats a better hit moves behind others, and is still there', async (t) => {
  const texts = ['the red house by the lake', 'The red house, by the lake.', 'a red house with a garden']
  const corpus = corpusOf(...texts.map((text, index) => memoryEntry(index + 1, text)))
  const hits = ids(search(corpus, 'red house by the lake'))
  t.equal(hits.length, 3)
  t.equal(hits.indexOf('m3'), 1)
})

t.test('a broad query with segments draws on several topics', async (t) => {
  const topic = (from: number, words: string, segment: number) =>
    Array.from({ length: 4 }, (_, index) => memoryEntry(from + index, `project ${words} item ${index}`, {}, { segment }))
  const entries = [...topic(1, 'billing invoices', 0), ...topic(10, 'login password', 1), ...topic(20, 'search ranking', 2)]
  const corpus = corpusOf(...entries)
  const segments = [0, 1, 2].map((id) => ({
    centroid: lexicalVector(['project billing invoices', 'project login password', 'project search ranking'][id] ?? '', DIMENSION),
    representatives: [entries[id * 4]?.memory.id ?? '']
  }))
  const hits = search(corpus, 'what do you know about my overall project plans and goals', { segments, limit: 3 })
  t.same(new Set(hits.map((hit) => hit.entry.stats.segment)).size, 3)
})

t.test('each stage reports its duration and candidates', async (t) => {
  let clock = 0
  const { stages } = inOneGo(retrieve(FACTS, { text: 'dog', now: NOON, limit: 2, monotonicMs: () => (clock += 5) }))
  t.same(
    stages.map((stage) => [stage.stage, stage.durationMs]),
    [
      ['retrieve', 5],
      ['fuse', 5],
      ['rerank', 5]
    ]
  )
  t.ok(stages.every((stage) => stage.candidates > 0))
})

t.test('a watcher is told of the twelve that lead at each stage, best first, as far as they are judged by then', async (t) => {
  const texts = Array.from({ length: 20 }, (_, n) => `red house ${'and garden '.repeat(n % 7)}number ${String(n)}`)
  const corpus = corpusOf(...texts.map((text, n) => memoryEntry(n + 1, text)))
  const told: { stage: string; leading: readonly LeadingCandidate[] }[] = []
  const hits = search(corpus, 'red garden', { limit: 15, watch: ({ stage }, leading) => told.push({ stage, leading }) })
  t.same(
    told.map(({ stage, leading }) => [stage, leading.length]),
    [
      ['retrieve', 12],
      ['fuse', 12],
      ['rerank', 12]
    ]
  )
  const [found = [], fused = [], judged = []] = told.map(({ leading }) => leading)
  const falls = (values: readonly number[]) =>
    t.same(
      values,
      [...values].sort((a, b) => b - a)
    )
  falls(found.map(({ components: { dense = 0, lexical = 0 } }) => Math.max(dense, lexical)))
  for (const { score, components } of found) t.same([score, Object.keys(components)], [null, ['dense', 'lexical']])
  falls(fused.map(({ score }) => score ?? 0))
  for (const { score, components } of fused) t.same([score, Object.keys(components)], [components.fused, ['dense', 'lexical', 'fused']])
  t.same(
    judged,
    hits.slice(0, 12).map(({ entry, score, components }) => ({ memoryHash: entry.memory.hash, score, components }))
  )
})

t.test('hits are distinct, ordered and within the limit, whatever is asked', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 30 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), text, fc.integer({ min: 1, max: 15 }), (texts, asked, limit) => {
      const corpus = corpusOf(...texts.map((one, index) => memoryEntry(index + 1, one === '' ? '-' : one)))
      const hits = search(corpus, asked, { limit })
      const isOrdered = hits.every((hit, index) => index === 0 || hit.score <= (hits[index - 1] as Hit).score)
      return isOrdered && hits.length <= limit && new Set(ids(hits)).size === hits.length
    })
  )
})

t.test('the weight of the vectors goes by the kind of model', async (t) => {
  t.equal(denseWeightOf('lexical-hash-v1'), DENSE_WEIGHT_LEXICAL)
  t.equal(denseWeightOf('Xenova/all-MiniLM-L6-v2'), DENSE_WEIGHT_LEARNED)
})
