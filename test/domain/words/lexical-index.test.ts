import fc from 'fast-check'
import t from 'tap'
import { createChance } from '../../../bench/costly-texts.js'
import { atOnce, inOneGo } from '../../../src/domain/pieces.js'
import { createLexicalIndex, type LexicalIndex } from '../../../src/domain/words/lexical-index.js'
import type { WordScores } from '../../../src/domain/words/word-ranking.js'
import { wordsOf } from '../../support/words.js'

const WORDS = ['red', 'green', 'blue', 'warm', 'cold'] as const
const QUERY = new Map(WORDS.slice(0, 3).map((word) => [word, 1]))

function scores(index: LexicalIndex): Record<number, number> {
  const found = index.search(QUERY)
  return Object.fromEntries(found.documents.map((document) => [document, found.of(document)]))
}

t.test('an index changed step by step equals one built from what is left', async () => {
  const terms = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 })
  const step = fc.record({ document: fc.integer({ min: 0, max: 9 }), terms: fc.option(terms) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const index = createLexicalIndex()
      const left = new Map<number, readonly string[]>()
      for (const { document, terms } of steps) {
        if (terms === null) {
          index.remove(document)
          left.delete(document)
        } else {
          index.put(document, wordsOf(terms))
          left.set(document, terms)
        }
      }
      const rebuilt = createLexicalIndex()
      for (const [document, terms] of [...left].sort(([a], [b]) => a - b)) rebuilt.put(document, wordsOf(terms))
      t.same(scores(index), scores(rebuilt))
      t.same(
        [...left.keys()].map((document) => index.terms(document, 9)),
        [...left.keys()].map((document) => rebuilt.terms(document, 9))
      )
    })
  )
})

t.test('an index that has more to do than it does at once does it in pieces, and finds the same', async (t) => {
  const chance = createChance(3)
  const fill = (index: LexicalIndex, isSettled: boolean) => {
    for (let step = 0; step < 40; step++) {
      const document = chance(9)
      if (chance(3) === 0) index.remove(document)
      else
        index.put(
          document,
          wordsOf([...WORDS.slice(0, 1 + chance(5)), ...Array.from({ length: 5_000 }, () => `w${String(chance(9_000))}`)])
        )
      // Given up half-way, it goes on where it was.
      const pieces = isSettled && step < 20 && chance(2) === 0 ? index.settle() : null
      for (let piece = 0; pieces !== null && piece < chance(40) && pieces.next().done !== true; piece++);
    }
  }
  const index = createLexicalIndex()
  fill(index, true)
  t.not(index.settle(), null, 'something is left')
  const documents = Array.from({ length: 9 }, (_, at) => at)
  const before = { size: index.size(), terms: documents.map((document) => index.terms(document, 9)) }
  const bytesAtMost = index.bytes()
  let pieces = 0
  for (const left = index.settle(); left !== null && left.next().done !== true; pieces++);
  t.ok(pieces > 20, `${String(pieces)} pieces`)
  t.equal(index.settle(), null)
  t.same({ size: index.size(), terms: documents.map((document) => index.terms(document, 9)) }, before)
  t.ok(index.bytes() <= bytesAtMost)
  const rebuilt = createLexicalIndex()
  for (const document of documents) {
    const words = wordsOf(index.terms(document, Infinity))
    if (words.length > 0) rebuilt.put(document, words)
  }
  t.equal(rebuilt.size(), index.size())
  t.same(Object.keys(scores(index)), Object.keys(scores(rebuilt)))
})

t.test('documents that go together are taken out of each list at once, and the others stay', async (t) => {
  const index = createLexicalIndex()
  const size = 6_000
  const common = Array.from({ length: 40 }, (_, at) => `common${String(at)}`)
  for (let document = 0; document < size; document++)
    index.put(document, wordsOf([...common, ...(document % 3 === 0 ? ['red'] : ['blue'])]))
  inOneGo(index.settle() ?? atOnce(() => undefined))
  for (let document = 0; document < size; document++) if (document % 3 !== 0) index.remove(document)
  t.equal(index.size(), size / 3)
  let pieces = 0
  for (const left = index.settle(); left !== null && left.next().done !== true; pieces++);
  t.ok(pieces < ((2 / 3) * size * common.length) / 128, `${String(pieces)} pieces`)
  t.equal(index.search(new Map([['blue', 1]])).documents.length, 0)
  t.same(
    index
      .search(new Map([['red', 1]]))
      .documents.slice()
      .sort((a, b) => a - b),
    Array.from({ length: size / 3 }, (_, at) => at * 3)
  )
})

t.test('an index that is cleared with work left is as new', async (t) => {
  const index = createLexicalIndex()
  for (let document = 0; document < 40; document++)
    index.put(document, wordsOf(Array.from({ length: 1_000 }, (_, at) => `w${String(at)}x${String(document)}`)))
  t.not(index.settle(), null)
  index.clear()
  t.equal(index.settle(), null)
  t.equal(index.size(), 0)
  t.equal(index.bytes(), createLexicalIndex().bytes())
})

t.test('an index that lost everything scores as a new one', async (t) => {
  const index = createLexicalIndex()
  index.put(3, wordsOf(['red', 'red']))
  index.put(1, wordsOf(['blue']))
  index.remove(3)
  index.remove(1)
  t.equal(index.size(), 0)
  t.same(scores(index), {})
  index.put(0, wordsOf(['red']))
  const fresh = createLexicalIndex()
  fresh.put(0, wordsOf(['red']))
  t.same(scores(index), scores(fresh))
})

t.test('a rare word counts more than a usual one, and every word once gives about 1', async (t) => {
  const index = createLexicalIndex()
  for (let document = 0; document < 10; document++) index.put(document, wordsOf(['red', document === 4 ? 'green' : 'blue']))
  const found = index.search(
    new Map([
      ['red', 1],
      ['green', 1]
    ])
  )
  t.ok(found.of(4) > 2 * found.of(5))
  t.ok(Math.abs(found.of(4) - 1) < 1e-9)
})

t.test('a text borrows the words of its neighbours in part, and hidden ones lend nothing', async (t) => {
  const index = createLexicalIndex()
  for (const [document, word] of [
    [0, 'red'],
    [1, 'green'],
    [2, 'blue'],
    [9, 'cold']
  ] as const)
    index.put(document, wordsOf([word]))
  const links = { previous: (document: number) => document - 1, next: (document: number) => (document < 2 ? document + 1 : -1) }
  const found = index.search(new Map([['red', 1]]), { links })
  t.ok(found.of(0) > found.of(1))
  t.ok(found.of(1) > found.of(2))
  t.ok(found.of(2) > 0)
  t.same(index.search(new Map([['red', 1]]), { links, isHidden: (document) => document === 0 }).documents, [])
})

t.test('a query without known words finds nothing', async (t) => {
  const index = createLexicalIndex()
  t.equal(index.search(new Map()).of(0), 0)
  t.same(index.search(new Map([['constructor', 1]])).documents, [])
})

t.test('a word stands in part for one that it begins with, a number only for itself', async (t) => {
  const index = createLexicalIndex()
  for (const [document, word] of ['counsel', 'counselor', 'count', '47', '4711'].entries()) index.put(document, wordsOf([word]))
  const found = index.search(new Map([['counselor', 1]]))
  t.ok(found.of(1) > found.of(0))
  t.ok(found.of(0) > 0)
  t.equal(found.of(2), 0)
  t.same(index.search(new Map([['4711', 1]])).documents, [4])
})

t.test('a search in pieces finds the same; what is left to settle is settled first', async (t) => {
  const links = { previous: (document: number) => document - 1, next: (document: number) => (document < 9_999 ? document + 1 : -1) }
  const index = createLexicalIndex()
  for (let document = 0; document < 10_000; document++)
    index.put(document, wordsOf(['red', document % 2 === 0 ? 'green' : 'blue', `w${document % 50}`]))
  const answer = ({ documents, of }: WordScores) =>
    JSON.stringify([...documents].sort((a, b) => a - b).map((document) => [document, of(document)]))
  const counted = () => {
    const work = index.searchInPieces(QUERY, { links })
    for (let pieces = 1; ; pieces++) {
      const next = work.next()
      if (next.done === true) return { pieces, found: answer(next.value) }
    }
  }
  const plain = answer(index.search(QUERY, { links }))
  const { pieces, found } = counted()
  t.ok(pieces >= 5, `${String(pieces)} pieces`)
  t.equal(found, plain)
  t.same(index.search(new Map([['w7', 1]]), { links }).documents.length, 200 + 800, 'a word, and two neighbours each side')
  index.remove(4)
  t.equal(counted().found, answer(index.search(QUERY, { links })))
  t.not(counted().found, plain)
})

t.test('the best of many documents are those of a search for all of them, with the same scores to the last bit', async (t) => {
  const chance = createChance(11)
  const size = 12_000
  const links = { previous: (document: number) => document - 1, next: (document: number) => (document < size - 1 ? document + 1 : -1) }
  const index = createLexicalIndex()
  for (let document = 0; document < size; document++) {
    // Low numbers are in most documents, high ones in few.
    const words = Array.from({ length: 1 + chance(9) }, () => `w${String(Math.floor(3 ** (chance(700) / 100)))}`)
    index.put(document, wordsOf(words))
  }
  for (let round = 0; round < 40; round++) {
    const query = new Map(Array.from({ length: 1 + chance(7) }, () => [`w${String(Math.floor(3 ** (chance(700) / 100)))}`, 1 + chance(2)]))
    const limit = [1, 20, 100][round % 3] as number
    const all = index.search(query, { links })
    const some = index.search(query, { links, limit })
    const bestOf = ({ documents, of }: WordScores) =>
      documents.map((document) => ({ document, score: of(document) })).sort((a, b) => b.score - a.score || a.document - b.document)
    const wanted = bestOf(all).slice(0, limit)
    t.same(bestOf(some).slice(0, limit), wanted)
    const others = Array.from({ length: 50 }, () => chance(size))
    inOneGo(some.measure(others))
    t.ok(others.every((document) => some.of(document) === all.of(document)))
  }
})
