/** Which memories become candidates, and with which similarities. */
import t from 'tap'
import { inOneGo } from '../../src/domain/pieces.js'
import type { MemoryEntry } from '../../src/domain/session.js'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
import type { Corpus } from '../../src/retrieval/corpus.js'
import type { WordMatches } from '../../src/retrieval/matching.js'
import type { RetrievalQuery } from '../../src/retrieval/query.js'
import { type Candidates, retrieveCandidates } from '../../src/retrieval/retrieve.js'
import { calledOf } from '../support/called.js'
import { corpusOf, DIMENSION, memoryEntry, NOON } from '../support/memories.js'

/** A unit vector with this cosine to the first axis, otherwise orthogonal to those of other axes. */
function unit(axis: number, cosine = 0): Float32Array {
  const vector = new Float32Array(DIMENSION)
  vector[0] = cosine
  vector[axis] = axis === 0 ? 1 : Math.sqrt(1 - cosine ** 2)
  return vector
}

const FIRST = unit(0)
/** Query with a word that no memory has. */
const ASKED = { text: 'zeppelin', vector: FIRST }

function candidates(corpus: Corpus, query: Partial<RetrievalQuery>, matches?: WordMatches): Candidates {
  return inOneGo(retrieveCandidates(corpus, { now: NOON, limit: 10, monotonicMs: () => 0, ...query }, matches))
}

function measured(corpus: Corpus, query: Partial<RetrievalQuery>, matches?: WordMatches) {
  return new Map(
    candidates(corpus, query, matches).items.map(({ entry, ownDense, dense, lexical }) => [
      entry.memory.id,
      { own: Number(ownDense.toFixed(6)), dense: Number(dense.toFixed(6)), lexical }
    ])
  )
}

const near = (seq: number, cosine: number, own: Partial<MemoryEntry['memory']> = {}) =>
  memoryEntry(seq, `text ${String(seq)}`, { vectors: unit(seq, cosine), ...own })

t.test('a memory is raised towards its most similar neighbour, and never lowered', async (t) => {
  const corpus = corpusOf(near(1, 0.2), near(2, 0.8), near(3, 0.5), near(4, 0.1))
  const found = measured(corpus, ASKED)
  t.same(found.get('m1'), { own: 0.2, dense: 0.62, lexical: 0 })
  t.same(found.get('m2'), { own: 0.8, dense: 0.8, lexical: 0 })
  t.same(found.get('m3'), { own: 0.5, dense: 0.71, lexical: 0 })
  t.same(found.get('m4'), { own: 0.1, dense: 0.38, lexical: 0 })
})

t.test('a memory of several parts is as near as its nearest part', async (t) => {
  const vectors = Float32Array.from([...unit(1, 0.2), ...unit(2, 0.6), ...unit(3, 0.4)])
  const found = measured(corpusOf(near(1, 0.1), near(4, 0, { partEnds: [2, 4, 6], vectors })), ASKED)
  t.equal(found.get('m4')?.own, 0.6)
})

t.test('asked by a vector alone, a memory is as near as it is itself', async (t) => {
  const found = measured(corpusOf(near(1, 0.2), near(2, 0.8), near(3, 0.5, { replyTo: ['m2'] })), { vector: FIRST })
  for (const [id, cosine] of Object.entries({ m1: 0.2, m2: 0.8, m3: 0.5 }))
    t.same(found.get(id), { own: cosine, dense: cosine, lexical: 0 })
})

t.test('the other half of an exchange is a neighbour wherever it stands, unless it has expired', async (t) => {
  for (const expiresAt of [null, NOON]) {
    const filler = [2, 3, 4].map((seq) => near(seq, 0))
    const corpus = corpusOf(near(1, 0.8, { expiresAt }), ...filler, near(5, 0.1, { replyTo: ['m1'] }))
    t.equal(measured(corpus, ASKED).get('m5')?.dense, expiresAt === null ? 0.59 : 0.1)
  }
  const asked = corpusOf(near(1, 0.1), ...[2, 3, 4].map((seq) => near(seq, 0)), near(5, 0.8, { replyTo: ['m1'] }))
  t.equal(measured(asked, ASKED).get('m1')?.dense, 0.59, 'from the question to its answer')
})

t.test('a memory beside it raises one, the very first as well, unless it has expired', async (t) => {
  for (const [expiresAt, dense] of [
    [null, 0.59],
    [NOON + 1, 0.59],
    [NOON, 0.1]
  ] as const)
    t.equal(measured(corpusOf(near(1, 0.8, { expiresAt }), near(2, 0.1)), ASKED).get('m2')?.dense, dense)
})

t.test('without a vector, or one without direction, words alone are looked for, and the other way round', async (t) => {
  const corpus = corpusOf(memoryEntry(1, 'red house'), memoryEntry(2, 'blue boat'))
  for (const query of [{ text: 'house' }, { text: 'house', vector: new Float32Array(DIMENSION) }]) {
    const { hasVector, hasWords, items, words } = candidates(corpus, query)
    t.same([hasVector, hasWords, [...words]], [false, true, ['house']])
    t.ok(items.every(({ ownDense, dense }) => ownDense === 0 && dense === 0))
    t.ok(items.some(({ lexical }) => lexical > 0))
  }
  const vector = lexicalVector('red house', DIMENSION)
  t.match(candidates(corpus, { vector }), { hasVector: true, hasWords: false })
  t.match(candidates(corpus, { vector, text: 'zeppelin' }), { hasVector: true, hasWords: false }, 'no memory holds the word')
  t.match(candidates(corpus, {}), { hasVector: false, hasWords: false, items: [] })
})

t.test('a hundred candidates are looked for, or two a hit that is asked for', async (t) => {
  const corpus = corpusOf(...Array.from({ length: 300 }, (_, n) => near(n + 1, 0.5, { vectors: unit(1 + (n % 200), 0.5) })))
  t.ok(candidates(corpus, { vector: FIRST, limit: 1 }).items.length >= 100)
  t.ok(candidates(corpus, { vector: FIRST, limit: 1 }).items.length <= 140, 'and the neighbours of twenty')
  t.ok(candidates(corpus, { vector: FIRST, limit: 100 }).items.length >= 200)
})

t.test('candidates are measured in pieces of some', async (t) => {
  const corpus = corpusOf(...Array.from({ length: 128 }, (_, n) => near(n + 1, 0.5)))
  const pauses = (limit: number) => {
    const work = retrieveCandidates(corpus, { now: NOON, limit, monotonicMs: () => 0, vector: FIRST })
    let count = 0
    while (work.next().done !== true) count += 1
    return count
  }
  t.equal(pauses(64) - pauses(50), 1, '128 of them, or hardly more than 100')
  t.ok(pauses(64) < 20)
})

t.test('what stands beside the nearest is a candidate as well, and what stands beside the others is not', async (t) => {
  // Near memories with far ones between them; more than a hundred are nearer than any of these.
  const entries = Array.from({ length: 200 }, (_, n) =>
    memoryEntry(n + 1, `text ${String(n)}`, { vectors: unit(1 + n, n % 2 === 0 ? 0.9 - n / 1_000 : -0.5) })
  )
  const found = measured(corpusOf(...entries), { vector: FIRST })
  t.equal(found.get('m2')?.own, -0.5, 'beside the nearest')
  t.ok(found.has('m40'), 'beside the twentieth')
  t.notOk(found.has('m42'), 'beside the twenty-first')
})

t.test('the memories that stand for the four nearest segments are candidates', async (t) => {
  const corpus = corpusOf(...Array.from({ length: 160 }, (_, n) => near(n + 1, n < 120 ? 0.9 : -0.5)))
  const segments = [0.1, 0.5, -0.2, 0.4, 0.3].map((cosine, id) => ({
    centroid: unit(200, cosine),
    representatives: [`m${String(125 + 5 * id)}`, 'gone']
  }))
  const drawn = (own: Partial<RetrievalQuery>) =>
    [...measured(corpus, { vector: FIRST, ...own }).keys()].filter((id) =>
      segments.some(({ representatives }) => representatives.includes(id))
    )
  t.same(drawn({ segments }).sort(), ['m125', 'm130', 'm140', 'm145'])
  t.same(drawn({}), [])
  t.same(drawn({ segments, accept: ({ memory }) => memory.id !== 'm130' }).sort(), ['m125', 'm140', 'm145'])
})

t.test('what is not accepted, or has expired, is no candidate by any way', async (t) => {
  const gone = memoryEntry(2, 'red house', { expiresAt: NOON, vectors: unit(2, 0.9) })
  const corpus = corpusOf(near(1, 0.8), gone, memoryEntry(3, 'red house', { vectors: unit(3, 0.7), userId: 'ada' }), near(4, 0.6))
  const accept = ({ memory }: MemoryEntry): boolean => memory.userId === null
  const found = candidates(corpus, { vector: FIRST, text: 'red house', accept })
  t.same(found.items.map(({ entry }) => entry.memory.id).sort(), ['m1', 'm4'])
})

t.test('what tells of a change of the state that is asked for is a candidate, if it is accepted and has not expired', async (t) => {
  const moved = (seq: number, own: Partial<MemoryEntry['memory']>) => memoryEntry(seq, 'I moved to Galway in May.', own)
  const corpus = corpusOf(memoryEntry(1, 'I live in Cork.'), moved(2, {}), moved(3, { userId: 'ada' }), moved(4, { expiresAt: NOON }))
  const found = (own: Partial<RetrievalQuery>) =>
    candidates(corpus, { text: 'Where do I live?', ...own }).items.map(({ entry }) => entry.memory.id)
  t.same(found({}).sort(), ['m1', 'm2', 'm3'])
  t.same(found({ accept: ({ memory }) => memory.userId === null }).sort(), ['m1', 'm2'])
})

t.test('by words, what is accepted is found among many that are not and match better', async (t) => {
  // So many that only the best are examined when all are accepted.
  const others = Array.from({ length: 8_400 }, (_, n) => memoryEntry(n + 2, n < 200 ? 'red house' : 'red', { vectors: FIRST }))
  const corpus = corpusOf(memoryEntry(1, 'red', { vectors: FIRST, userId: 'ada' }), ...others)
  const found = candidates(corpus, { text: 'red house', accept: ({ memory }) => memory.userId === 'ada' })
  t.same(
    found.items.map(({ entry }) => entry.memory.id),
    ['m1']
  )
})

t.test('a search by vector is announced before one by words, which takes scores that are known', async (t) => {
  const corpus = corpusOf(memoryEntry(1, 'red balloon'), memoryEntry(2, 'green balloon'))
  const matches = inOneGo(corpus.matching(new Set(['green']), NOON))
  const called = calledOf(corpus, ['prepare', 'matching', 'nearest'])
  const found = measured(corpus, { text: 'red', vector: FIRST })
  t.same(called, ['prepare', 'matching', 'nearest'])
  called.length = 0
  t.same(measured(corpus, { text: 'red', vector: FIRST }, matches).get('m2')?.lexical, found.get('m1')?.lexical)
  t.same(called, ['prepare', 'nearest'])
  called.length = 0
  candidates(corpus, { text: 'red', vector: new Float32Array(DIMENSION) })
  t.same(called, ['matching'], 'a vector of zeros is none')
})

t.test('word scores of a text that names a time are not those of what is asked about that time', async (t) => {
  const corpus = corpusOf(memoryEntry(1, 'red balloon', { timestamp: NOON - 86_400 }), memoryEntry(2, 'yesterday, all my troubles'))
  const text = 'What did I say about the balloon yesterday?'
  const matches = inOneGo(corpus.matching(new Set(['yesterday']), NOON))
  t.same(candidates(corpus, { text }, matches).items, candidates(corpus, { text }).items)
  t.equal(matches.of(1), 0, 'they are released')
})
