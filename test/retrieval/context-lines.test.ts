import t from 'tap'
import type { MemoryEntry } from '../../src/domain/session.js'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
import { Corpus } from '../../src/retrieval/corpus.js'
import { contextLines, RELEVANCE_MIN } from '../../src/retrieval/context-lines.js'
import type { Hit } from '../../src/retrieval/query.js'
import { createExactIndexes } from '../../src/vectors/exact-index.js'
import { corpusOf, DIMENSION, memoryEntry, NOON, partVectors } from '../support/memories.js'

const FACTORS = { recency: 1, importance: 1, question: 1, speaker: 1, policy: 1, anchor: 1, supersession: 1, diversity: 1 }
const COMPONENTS = { dense: 0, ground: 0, blend: 0, lexical: 0, fused: 0, ...FACTORS }
const hit = (entry: MemoryEntry, score: number): Hit => ({ entry, score, components: COMPONENTS, supersededBy: null })

const question = memoryEntry(1, 'Where is the car?')
const answer = memoryEntry(2, 'Behind the station', { replyTo: ['m1'] })
const fact = memoryEntry(3, 'Rex is a dog')

t.test('both halves of an exchange make one line, whichever was found', async (t) => {
  const corpus = corpusOf(question, answer, fact)
  for (const hits of [[hit(question, 0.8)], [hit(answer, 0.8)], [hit(answer, 0.8), hit(question, 0.7)]]) {
    const lines = contextLines(corpus, hits, { now: NOON })
    t.equal(lines.length, 1)
    t.match(lines[0], { score: 0.8, question: 'Where is the car?', text: 'Behind the station' })
    t.same(lines[0]?.memories.map((entry) => entry.memory.id).sort(), ['m1', 'm2'])
  }
})

t.test('a text without an exchange stands alone', async (t) => {
  t.match(contextLines(corpusOf(fact), [hit(fact, 0.5)], { now: NOON }), [{ question: null, text: 'Rex is a dog' }])
})

t.test('a half that expired or is not accepted is not shown', async (t) => {
  const gone = memoryEntry(2, 'Behind the station', { replyTo: ['m1'], expiresAt: NOON })
  t.match(contextLines(corpusOf(question, gone), [hit(question, 0.5)], { now: NOON }), [{ question: null, text: 'Where is the car?' }])
  const lines = contextLines(corpusOf(question, answer), [hit(question, 0.5)], { now: NOON, accept: (entry) => entry.memory.id !== 'm2' })
  t.match(lines, [{ question: null, text: 'Where is the car?' }])
})

t.test('noise is left out', async (t) => {
  t.same(contextLines(corpusOf(fact), [hit(fact, RELEVANCE_MIN / 2)], { now: NOON }), [])
})

t.test('what is just relevant enough is shown, by a bound of the caller’s as well', async (t) => {
  t.equal(contextLines(corpusOf(fact), [hit(fact, RELEVANCE_MIN)], { now: NOON }).length, 1)
  t.equal(contextLines(corpusOf(fact), [hit(fact, 0.5)], { now: NOON, relevanceMin: 0.5 }).length, 1)
  t.equal(contextLines(corpusOf(fact), [hit(fact, 0.5)], { now: NOON, relevanceMin: 0.6 }).length, 0)
})

t.test('of several halves the most relevant is shown, of equals the newest, and says how relevant it is where it was found', async (t) => {
  const answers = ['In the yard', 'At home', 'On a bridge'].map((text, n) => memoryEntry(n + 2, text, { replyTo: ['m1'] }))
  const corpus = corpusOf(question, ...answers)
  const [first, second] = answers as [MemoryEntry, MemoryEntry]
  const shown = (...hits: Hit[]) => contextLines(corpus, hits, { now: NOON })[0]
  t.strictSame(shown(hit(question, 0.8)), {
    score: 0.8,
    question: 'Where is the car?',
    text: 'On a bridge',
    found: 'question',
    memories: [corpus.get('m1'), corpus.get('m4')]
  })
  t.match(shown(hit(question, 0.8), hit(first, 0.3), hit(second, 0.4)), { text: 'At home', found: 'question', otherScore: 0.4 })
  const reply = shown(hit(second, 0.8), hit(question, 0.3))
  t.match(reply, { question: 'Where is the car?', text: 'At home', otherScore: 0.3 })
  t.equal(reply?.found, undefined, 'the answer was found')
  t.same(
    reply?.memories.map(({ memory }) => memory.id),
    ['m3', 'm1']
  )
})

t.test('a long memory speaks with the part nearest to the query', async (t) => {
  const long = memoryEntry(1, 'red cars. blue boats.', { partEnds: [10, 21], vectors: partVectors('red cars. ', 'blue boats.') })
  const said = (vector?: Float32Array) =>
    contextLines(corpusOf(long), [hit(long, 1)], { now: NOON, ...(vector !== undefined && { vector }) })[0]?.text
  t.equal(said(lexicalVector('blue boats', DIMENSION)), 'blue boats.')
  t.equal(said(lexicalVector('red cars', DIMENSION)), 'red cars. ')
  t.equal(said(), 'red cars. blue boats.')
})

t.test('a long memory speaks with the part that holds the words of the query, and as a whole where several do', async (t) => {
  const long = memoryEntry(1, 'red cars. blue boats.', { partEnds: [10, 21], vectors: partVectors('red cars. ', 'blue boats.') })
  const said = (...terms: string[]) =>
    contextLines(corpusOf(long), [hit(long, 1)], { now: NOON, vector: lexicalVector('red', DIMENSION), terms: new Set(terms) })[0]?.text
  t.equal(said('blue', 'boat'), 'blue boats.')
  t.equal(said('red'), 'red cars. ')
  t.equal(said('car', 'boat'), 'red cars. blue boats.')
  const others = Array.from({ length: 32 }, (_, at) => `word${String(at)}`)
  t.equal(said(...others.slice(1), 'boat'), 'red cars. blue boats.', 'of many words the first 32 are looked for')
  t.equal(said(...others, 'boat'), 'red cars. ')
})

t.test(
  'of a very long memory a part that is much nearer speaks, although another one holds more words; of equal parts the first',
  async (t) => {
    const filler = ' and'.repeat(3_000)
    const [near, far] = [`red cars${filler}. `, `red boats and blue sails${filler}.`]
    const vectors = Float32Array.of(1, 0, 0, 1)
    const partEnds = [near.length, near.length + far.length]
    const long = memoryEntry(1, near + far, { partEnds, vectors })
    const corpus = new Corpus({ dimension: 2, createVectorIndex: createExactIndexes() })
    corpus.put(long)
    const shown = (vector: Float32Array, terms: readonly string[]) =>
      contextLines(corpus, [hit(long, 0.8)], { now: NOON, vector, terms: new Set(terms) })[0]?.text
    t.equal(shown(Float32Array.of(1, 0), ['red', 'boats', 'sails', 'harbour']), near)
    t.equal(shown(Float32Array.of(0.6, 0.5), ['red', 'boats', 'sails', 'harbour']), far)
    t.equal(shown(Float32Array.of(0.6, 0.6), []), near)
  }
)
