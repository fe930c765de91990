import fc from 'fast-check'
import t from 'tap'
import { inOneGo } from '../../src/domain/pieces.js'
import type { MemoryEntry } from '../../src/domain/session.js'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
import { Corpus, partSimilarity } from '../../src/retrieval/corpus.js'
import type { Held } from '../../src/retrieval/holdings.js'
import { createExactIndexes } from '../../src/vectors/exact-index.js'
import { corpusOf, DIMENSION, memoryEntry, NOON, partVectors } from '../support/memories.js'

const ids = (entries: Iterable<MemoryEntry>): string[] => [...entries].map((entry) => entry.memory.id)
const query = (text: string): Float32Array => lexicalVector(text, DIMENSION)

/** The best matches that `accept` accepts; without it the corpus takes another code path. */
function matching(corpus: Corpus, text: string, now: number, limit: number, accept?: () => boolean): MemoryEntry[] {
  const words = inOneGo(corpus.matching(new Set(text.split(' ')), now))
  const documents = inOneGo(words.best({ limit, now, accept }))
  const seqOf = (document: number): number => corpus.heldAt(document).entry.memory.seq
  documents.sort((a, b) => words.of(b) - words.of(a) || seqOf(b) - seqOf(a))
  return documents.map((document) => corpus.heldAt(document).entry)
}

function found(corpus: Corpus, text: string): unknown {
  const words = matching(corpus, text, NOON, 99, () => true)
  const near = inOneGo(corpus.nearest(query(text), { limit: 99, now: NOON }))
  return [ids(words), near.map((hit) => [hit.entry.memory.id, hit.similarity])]
}

t.test('a corpus changed step by step finds what one built from what is left finds', async () => {
  const text = fc.array(fc.constantFrom('red', 'green', 'blue', 'warm'), { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
  const step = fc.record({ seq: fc.integer({ min: 1, max: 8 }), text: fc.option(text), answers: fc.integer({ min: 1, max: 8 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const corpus = corpusOf()
      const left = new Map<number, MemoryEntry>()
      for (const { seq, text, answers } of steps) {
        if (text === null) corpus.remove(`m${seq}`)
        else corpus.put(memoryEntry(seq, text, { replyTo: [`m${answers}`] }))
        if (text === null) left.delete(seq)
        else left.set(seq, memoryEntry(seq, text, { replyTo: [`m${answers}`] }))
      }
      const rebuilt = corpusOf(...[...left.values()].sort((a, b) => a.memory.seq - b.memory.seq))
      t.same(ids(corpus.ordered()), ids(rebuilt.ordered()))
      t.same(found(corpus, 'red blue'), found(rebuilt, 'red blue'))
      for (const id of ids(corpus.ordered())) t.same(ids(corpus.answersOf(id)), ids(rebuilt.answersOf(id)))
    })
  )
})

t.test('a corpus of many that loses some of them, the newest or others, finds only what is left', async (t) => {
  for (const isGone of [(seq: number) => seq > 49, (seq: number) => seq <= 51, (seq: number) => seq % 2 === 1]) {
    const corpus = corpusOf(...Array.from({ length: 100 }, (_, at) => memoryEntry(at + 1, `red w${String(at + 1)}`)))
    for (let seq = 100; seq >= 1; seq--) if (isGone(seq)) corpus.remove(`m${seq}`)
    const left = ids(corpus.ordered())
    t.same(new Set(ids(matching(corpus, 'red', NOON, 999))), new Set(left))
    t.same(new Set(ids(matching(corpus, 'red', NOON, 999, () => true))), new Set(left))
    const last = left.at(-1) ?? ''
    t.equal(ids(matching(corpus, `red w${last.slice(1)}`, NOON, 1))[0], last)
  }
})

t.test('new stats of a memory are seen, and touch no index', async (t) => {
  const entry = memoryEntry(1, 'red')
  let added = 0
  const corpus = new Corpus({
    dimension: DIMENSION,
    createVectorIndex(dimension) {
      const index = createExactIndexes()(dimension)
      const add: typeof index.add = (...args) => {
        added += 1
        index.add(...args)
      }
      return Object.assign(Object.create(index) as typeof index, { add })
    }
  })
  corpus.put(entry)
  const before = found(corpus, 'red')
  corpus.put({ ...entry, stats: { ...entry.stats, importance: 3 } })
  t.equal(corpus.get('m1')?.stats.importance, 3)
  corpus.put({ ...entry, memory: { ...entry.memory, userId: 'ann' } })
  t.same([corpus.countOf(null), corpus.countOf('ann')], [0, 1])
  t.same(found(corpus, 'red'), before)
  t.equal(added, 1)
  corpus.put(memoryEntry(1, 'green'))
  t.equal(added, 2)
})

t.test('a memory that moves in its session is found at its new place', async (t) => {
  const corpus = corpusOf(memoryEntry(1, 'red'), memoryEntry(2, 'green'))
  const { memory, stats } = memoryEntry(1, 'red')
  corpus.put({ memory: { ...memory, seq: 3 }, stats })
  t.same(ids(corpus.ordered()), ['m2', 'm1'])
  corpus.put({ memory: { ...memory, seq: 3, expiresAt: NOON }, stats })
  t.same(ids(matching(corpus, 'red', NOON, 5)), [], 'and is gone, with what it lent, when it has expired since')
})

t.test('of equal word matches the newest come first, and stay when few are asked for', async (t) => {
  const entries = Array.from({ length: 22 }, (_, n) => memoryEntry(n + 1, n % 10 === 0 ? 'red' : 'blue'))
  const corpus = corpusOf(...entries.slice(5), ...entries.slice(0, 5))
  t.same(ids(matching(corpus, 'red', NOON, 2)).slice(0, 2), ['m21', 'm11'])
})

t.test('a memory is as near to a vector as its nearest part', async (t) => {
  const red = memoryEntry(1, 'red').memory
  for (const parts of [
    ['blue', 'red'],
    ['red', 'blue']
  ] as const) {
    const { memory } = memoryEntry(1, parts.join(' '), { partEnds: [4, 8], vectors: partVectors(...parts) })
    t.equal(partSimilarity(memory, query('red')), partSimilarity(red, query('red')))
  }
})

t.test('memories are walked in order, forward and back, from any place', async (t) => {
  const corpus = corpusOf(memoryEntry(5, 'e'), memoryEntry(1, 'a'), memoryEntry(3, 'c'))
  t.same(ids(corpus.ordered()), ['m1', 'm3', 'm5'])
  t.same(ids(corpus.ordered(1)), ['m3', 'm5'])
  t.same(ids(corpus.ordered(2)), ['m3', 'm5'])
  t.same(ids(corpus.backward(5)), ['m3', 'm1'])
})

t.test('around a memory are those beside it and the other half of its exchange', async (t) => {
  const exchange = [memoryEntry(1, 'question'), memoryEntry(5, 'answer', { replyTo: ['m1', 'gone'] })]
  const corpus = corpusOf(...exchange, memoryEntry(2, 'b'), memoryEntry(3, 'c'), memoryEntry(4, 'd'))
  const around = (id: string) => aroundOf(corpus, id)
  t.same(around('m1'), ['m2', 'm5'], 'nothing is before the first')
  t.same(around('m5'), ['m1', 'm4'])
  t.same(around('m3'), ['m2', 'm4'])
  t.equal(corpus.held('absent'), undefined)
})

t.test('the other half is around a memory however the two came to be one exchange', async (t) => {
  const answer = memoryEntry(5, 'answer', { replyTo: ['m1'] })
  const answerFirst = corpusOf(answer, memoryEntry(1, 'question'), memoryEntry(3, 'between'))
  t.same(
    [aroundOf(answerFirst, 'm1'), aroundOf(answerFirst, 'm5')],
    [
      ['m3', 'm5'],
      ['m1', 'm3']
    ]
  )
  const linkedLater = corpusOf(memoryEntry(1, 'question'), memoryEntry(5, 'answer'), memoryEntry(3, 'between'))
  t.same(aroundOf(linkedLater, 'm1'), ['m3'])
  linkedLater.put({ ...answer, memory: { ...answer.memory, vectors: linkedLater.get('m5')?.memory.vectors ?? answer.memory.vectors } })
  t.same(
    [aroundOf(linkedLater, 'm1'), aroundOf(linkedLater, 'm5')],
    [
      ['m3', 'm5'],
      ['m1', 'm3']
    ]
  )
})

function aroundOf(corpus: Corpus, id: string): string[] {
  const [document] = (corpus.held(id) as Held).labels
  return corpus
    .around(document as number)
    .map((other) => corpus.heldAt(other).entry.memory.id)
    .sort()
}

t.test('an exchange is found from both halves, also when the answer was there first', async (t) => {
  const corpus = corpusOf(memoryEntry(2, 'answer', { replyTo: ['m1', 'm4'] }), memoryEntry(1, 'question'), memoryEntry(4, 'again'))
  t.same(ids(corpus.answersOf('m1')), ['m2'])
  t.same(ids(corpus.questionsOf('m2')), ['m1', 'm4'])
  corpus.put(memoryEntry(2, 'answer', { replyTo: ['m4'] }))
  t.same(ids(corpus.answersOf('m1')), [])
  corpus.remove('m4')
  t.same(ids(corpus.questionsOf('m2')), [])
})

t.test('a hash names every memory with that text, the oldest first', async (t) => {
  const corpus = corpusOf(memoryEntry(2, 'same'), memoryEntry(1, 'same'), memoryEntry(3, 'other'))
  t.same(ids(inOneGo(corpus.allByHash('hash of same'))), ['m1', 'm2'])
  t.equal(corpus.holdsHash('hash of same'), true)
  t.equal(corpus.holdsHash('absent'), false)
})

t.test('many memories with one text are looked up some at a time', async (t) => {
  const corpus = corpusOf(...Array.from({ length: 3_000 }, (_, at) => memoryEntry(3_000 - at, 'same')))
  t.ok([...corpus.allByHash('hash of same')].length >= 2)
  t.same(
    inOneGo(corpus.allByHash('hash of same')).map(({ memory }) => memory.seq),
    Array.from({ length: 3_000 }, (_, at) => at + 1)
  )
})

t.test('a memory of several parts is one hit, by its best part', async (t) => {
  const long = memoryEntry(1, 'red cars. blue boats.', { partEnds: [10, 21], vectors: partVectors('red cars. ', 'blue boats.') })
  const corpus = corpusOf(long, memoryEntry(2, 'green grass'))
  const hits = inOneGo(corpus.nearest(query('blue boats'), { limit: 2, now: NOON }))
  t.same(
    hits.map((hit) => hit.entry.memory.id),
    ['m1', 'm2']
  )
  t.ok((hits[0]?.similarity ?? 0) > 0.99)
})

t.test('an expired memory is neither near nor matching, and lends no words', async (t) => {
  const corpus = corpusOf(memoryEntry(1, 'red', { expiresAt: NOON }), memoryEntry(2, 'green'))
  t.same(ids(inOneGo(corpus.nearest(query('red'), { limit: 5, now: NOON })).map((hit) => hit.entry)), ['m2'])
  t.same(ids(matching(corpus, 'red', NOON, 5)), [])
  t.same(ids(matching(corpus, 'red', NOON - 1, 5)), ['m1', 'm2'])
  const lent = corpusOf(memoryEntry(1, 'red'), memoryEntry(2, 'green', { expiresAt: NOON }), memoryEntry(3, 'red'))
  t.same(ids(matching(lent, 'red', NOON, 5)), ['m3', 'm1'], 'nor has it what others lend')
  t.same(ids(matching(lent, 'red', NOON, 5, () => true)), ['m3', 'm1'])
  t.same(ids(matching(lent, 'red', NOON, 5, () => false)), [])
})

t.test('nearest looks on until enough is acceptable', async (t) => {
  const numbers = Array.from({ length: 50 }, (_, index) => memoryEntry(index + 1, `red number ${index}`))
  const corpus = corpusOf(...numbers, memoryEntry(99, 'red apple'))
  const accept = (entry: MemoryEntry): boolean => entry.memory.seq === 99
  t.same(ids(inOneGo(corpus.nearest(query('red number'), { limit: 1, now: NOON, accept })).map((hit) => hit.entry)), ['m99'])
})

t.test('nearest asks for more while it finds parts of the same memories', async (t) => {
  const asked: number[] = []
  const createIndex = createExactIndexes()
  const corpus = new Corpus({
    dimension: DIMENSION,
    createVectorIndex(dimension) {
      const index = createIndex(dimension)
      const search = index.search.bind(index)
      return Object.assign(index, {
        *search(...args: Parameters<typeof search>) {
          asked.push(args[1])
          return yield* search(...args)
        }
      })
    }
  })
  const axis = (at: number) => Float32Array.from({ length: DIMENSION }, (_, index) => (index === at ? 1 : 0))
  const parts = (count: number) => Float32Array.from(Array.from({ length: count }, () => [...axis(0)]).flat())
  corpus.put(memoryEntry(1, 'abcd', { partEnds: [1, 2, 3, 4], vectors: parts(4) }))
  for (let seq = 2; seq < 20; seq++) corpus.put(memoryEntry(seq, 'far', { vectors: axis(seq) }))
  t.same(ids(inOneGo(corpus.nearest(axis(0), { limit: 2, now: NOON })).map((hit) => hit.entry)), ['m1', 'm2'])
  t.same(asked, [2, 8])
  corpus.put(memoryEntry(20, 'near', { vectors: axis(0) }))
  t.same(ids(inOneGo(corpus.nearest(axis(0), { limit: 2, now: NOON })).map((hit) => hit.entry)), ['m1', 'm20'])
})

t.test('a cleared corpus is empty and can be filled again', async (t) => {
  const corpus = corpusOf(memoryEntry(1, 'red'))
  corpus.clear()
  t.equal(corpus.size, 0)
  t.same(found(corpus, 'red'), [[], []])
  corpus.put(memoryEntry(1, 'red'))
  t.same(found(corpus, 'red'), found(corpusOf(memoryEntry(1, 'red')), 'red'))
})
