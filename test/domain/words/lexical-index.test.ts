import fc from 'fast-check'
import t from 'tap'
import { createChance } from '../../../bench/costly-texts.js'
import { INDEXED_WORDS_MAX } from '../../../src/domain/limits.js'
import { atOnce, inOneGo } from '../../../src/domain/pieces.js'
import { LexicalIndex } from '../../../src/domain/words/lexical-index.js'
import { packedWordsBytes, wordsBytes } from '../../../src/domain/fairness/session-weight.js'
import { documentsOf, orderOf, scored, wordsOf } from '../../support/words.js'

const WORDS = ['red', 'green', 'blue', 'warm', 'cold'] as const
const QUERY = new Set(WORDS.slice(0, 3))

function scores(index: LexicalIndex): Record<number, number> {
  const found = scored(index, QUERY)
  return Object.fromEntries(documentsOf(found).map((document) => [document, found[document] as number]))
}

for (const others of [0, 40]) {
  t.test(`an index changed step by step equals one built from what is left, with ${String(others)} other documents`, async (t) => {
    const terms = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 })
    const step = fc.record({ document: fc.integer({ min: 0, max: 9 }), terms: fc.option(terms) })
    const created = (): LexicalIndex => {
      const index = new LexicalIndex()
      for (let other = 0; other < others; other++) index.put(10 + other, wordsOf(['other']))
      return index
    }
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const index = created()
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
        const rebuilt = created()
        for (const [document, terms] of [...left].sort(([a], [b]) => a - b)) rebuilt.put(document, wordsOf(terms))
        t.same(scores(index), scores(rebuilt))
        t.same(
          [...left.keys()].map((document) => index.terms(document, 9)),
          [...left.keys()].map((document) => rebuilt.terms(document, 9))
        )
      })
    )
  })
}

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
      // Indexing that is abandoned half-way continues where it was.
      const pieces = isSettled && step < 20 && chance(2) === 0 ? index.settle() : null
      for (let piece = 0; pieces !== null && piece < chance(40) && pieces.next().done !== true; piece++);
    }
  }
  const index = new LexicalIndex()
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
  const rebuilt = new LexicalIndex()
  for (const document of documents) {
    const words = wordsOf(index.terms(document, Infinity))
    if (words.length > 0) rebuilt.put(document, words)
  }
  t.equal(rebuilt.size(), index.size())
  t.same(Object.keys(scores(index)), Object.keys(scores(rebuilt)))
})

t.test('documents that go together are taken out of each list at once, and the others stay', async (t) => {
  const index = new LexicalIndex()
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
  t.same(documentsOf(scored(index, new Set(['blue']))), [])
  t.same(
    documentsOf(scored(index, new Set(['red']))),
    Array.from({ length: size / 3 }, (_, at) => at * 3)
  )
})

t.test('an index that is cleared with work left is as new', async (t) => {
  const index = new LexicalIndex()
  for (let document = 0; document < 40; document++)
    index.put(document, wordsOf(Array.from({ length: 1_000 }, (_, at) => `w${String(at)}x${String(document)}`)))
  t.not(index.settle(), null)
  index.clear()
  t.equal(index.settle(), null)
  t.equal(index.size(), 0)
  t.equal(index.bytes(), new LexicalIndex().bytes())
})

t.test('an index weighs by its words, their characters and how often they stand, and by nothing that is gone', async (t) => {
  const index = new LexicalIndex()
  index.put(0, wordsOf(['red', 'blue', 'red']))
  index.put(1, wordsOf(['blue', 'green']))
  t.equal(index.bytes(), packedWordsBytes({ documents: 2, characters: 'red blue'.length + 'blue green'.length }))
  for (let other = 0; other < 40; other++) index.put(2 + other, wordsOf(['other']))
  inOneGo(index.settle() ?? atOnce(() => undefined))
  t.equal(index.bytes(), wordsBytes({ words: 4, characters: 17, occurrences: 44 }))
  index.remove(0)
  inOneGo(index.settle() ?? atOnce(() => undefined))
  t.equal(index.bytes(), wordsBytes({ words: 3, characters: 14, occurrences: 42 }))
})

t.test('an index that lost everything scores as a new one', async (t) => {
  const index = new LexicalIndex()
  index.put(3, wordsOf(['red', 'red']))
  index.put(1, wordsOf(['blue']))
  index.remove(3)
  index.remove(1)
  t.equal(index.size(), 0)
  t.same(scores(index), {})
  index.put(0, wordsOf(['red']))
  const fresh = new LexicalIndex()
  fresh.put(0, wordsOf(['red']))
  t.same(scores(index), scores(fresh))
})

t.test('a rare word counts more than a usual one, and every word once gives about 1', async (t) => {
  const index = new LexicalIndex()
  for (let document = 0; document < 10; document++) index.put(document, wordsOf(['red', document === 4 ? 'green' : 'blue']))
  const found = scored(index, new Set(['red', 'green']))
  t.ok((found[4] as number) > 2 * (found[5] as number))
  t.ok(Math.abs((found[4] as number) - 1) < 1e-9)
})

t.test('a text borrows the words of its neighbours in part, and hidden ones lend nothing', async (t) => {
  const index = new LexicalIndex()
  for (const [document, word] of [
    [0, 'red'],
    [1, 'green'],
    [2, 'blue'],
    [9, 'cold']
  ] as const)
    index.put(document, wordsOf([word]))
  const order = orderOf([0, 1, 2, 9])
  const found = scored(index, new Set(['red']), { order })
  t.ok((found[0] as number) > (found[1] as number))
  t.ok((found[1] as number) > (found[2] as number))
  t.ok((found[2] as number) > 0)
  t.same(
    scored(index, new Set(['red']), { order, isHidden: (document) => document === 0 }).some((score) => score > 0),
    false
  )
})

t.test('a query without known words finds nothing', async (t) => {
  const index = new LexicalIndex()
  t.same(documentsOf(scored(index, new Set())), [])
  t.same(documentsOf(scored(index, new Set(['constructor']))), [])
})

t.test('a word stands in part for one that it begins with, a number only for itself', async (t) => {
  const index = new LexicalIndex()
  for (const [document, word] of ['counsel', 'counselor', 'count', '47', '4711'].entries()) index.put(document, wordsOf([word]))
  const found = scored(index, new Set(['counselor']))
  t.ok((found[1] as number) > (found[0] as number))
  t.ok((found[0] as number) > 0)
  t.equal(found[2], 0)
  t.same(documentsOf(scored(index, new Set(['4711']))), [4])
})

t.test('what is put or removed is in the index at once, up to as many words as one memory may have', async (t) => {
  const words = (count: number) => wordsOf(Array.from({ length: count }, (_, at) => `w${String(at)}`))
  const isAtOnce = (...counts: readonly number[]): boolean => {
    const index = new LexicalIndex()
    for (let document = 0; document < 40; document++) index.put(document, words(1))
    index.settle()
    for (const [at, count] of counts.entries()) index.put(40 + at, words(count))
    return index.settle() === null
  }
  t.ok(isAtOnce(INDEXED_WORDS_MAX))
  t.notOk(isAtOnce(INDEXED_WORDS_MAX + 1))
  t.ok(isAtOnce(INDEXED_WORDS_MAX - 9, 4, 5))
  t.notOk(isAtOnce(INDEXED_WORDS_MAX - 9, 4, 6))
})
