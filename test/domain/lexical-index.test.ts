import fc from 'fast-check'
import t from 'tap'
import { createLexicalIndex, type LexicalIndex } from '../../src/domain/lexical-index.js'

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
          index.put(document, terms)
          left.set(document, terms)
        }
      }
      const rebuilt = createLexicalIndex()
      for (const [document, terms] of [...left].sort(([a], [b]) => a - b)) rebuilt.put(document, terms)
      t.same(scores(index), scores(rebuilt))
      t.same([...left.keys()].map((document) => index.terms(document)), [...left.keys()].map((document) => rebuilt.terms(document)))
    })
  )
})

t.test('an index that lost everything scores as a new one', async (t) => {
  const index = createLexicalIndex()
  index.put(3, ['red', 'red'])
  index.put(1, ['blue'])
  index.remove(3)
  index.remove(1)
  t.equal(index.size, 0)
  t.same(scores(index), {})
  index.put(0, ['red'])
  const fresh = createLexicalIndex()
  fresh.put(0, ['red'])
  t.same(scores(index), scores(fresh))
})

t.test('a rare word counts more than a usual one, and every word once gives about 1', async (t) => {
  const index = createLexicalIndex()
  for (let document = 0; document < 10; document++) index.put(document, ['red', document === 4 ? 'green' : 'blue'])
  const found = index.search(new Map([['red', 1], ['green', 1]]))
  t.ok(found.of(4) > 2 * found.of(5))
  t.ok(Math.abs(found.of(4) - 1) < 1e-9)
})

t.test('a text borrows the words of its neighbours in part, and hidden ones lend nothing', async (t) => {
  const index = createLexicalIndex()
  for (const [document, word] of [[0, 'red'], [1, 'green'], [2, 'blue'], [9, 'cold']] as const) index.put(document, [word])
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
  for (const [document, word] of ['counsel', 'counselor', 'count', '47', '4711'].entries()) index.put(document, [word])
  const found = index.search(new Map([['counselor', 1]]))
  t.ok(found.of(1) > found.of(0))
  t.ok(found.of(0) > 0)
  t.equal(found.of(2), 0)
  t.same(index.search(new Map([['4711', 1]])).documents, [4])
})
