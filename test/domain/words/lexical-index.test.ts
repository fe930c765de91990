import fc from 'fast-check'
import t from 'tap'
import { createChance } from '../../../bench/costly-texts.js'
import { INDEXED_WORDS_MAX } from '../../../src/domain/limits.js'
import { atOnce, inOneGo } from '../../../src/domain/pieces.js'
import { LexicalIndex } from '../../../src/domain/words/lexical-index.js'
import { packedWordsBytes, wordsBytes } from '../../../src/domain/fairness/session-weight.js'
import { wordsOf } from '../../support/words.js'

const WORDS = ['red', 'green', 'blue', 'warm', 'cold'] as const
const QUERY = new Set(WORDS.slice(0, 3))

/** Documents with a score, ascending. */
function documentsOf(scores: Float64Array): number[] {
  return [...scores.keys()].filter((document) => (scores[document] as number) > 0)
}

function scores(index: LexicalIndex): Record<number, number> {
  const found = inOneGo(index.search(QUERY))
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
  t.same(documentsOf(inOneGo(index.search(new Set(['blue'])))), [])
  t.same(
    documentsOf(inOneGo(index.search(new Set(['red'])))),
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
  const found = inOneGo(index.search(new Set(['red', 'green'])))
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
  const order = [0, 1, 2, 9]
  const found = inOneGo(index.search(new Set(['red']), { order }))
  t.ok((found[0] as number) > (found[1] as number))
  t.ok((found[1] as number) > (found[2] as number))
  t.ok((found[2] as number) > 0)
  t.same(
    inOneGo(index.search(new Set(['red']), { order, isHidden: (document) => document === 0 })).some((score) => score > 0),
    false
  )
})

t.test('a query without known words finds nothing', async (t) => {
  const index = new LexicalIndex()
  t.same(documentsOf(inOneGo(index.search(new Set()))), [])
  t.same(documentsOf(inOneGo(index.search(new Set(['constructor'])))), [])
})

t.test('a word stands in part for one that it begins with, a number only for itself', async (t) => {
  const index = new LexicalIndex()
  for (const [document, word] of ['counsel', 'counselor', 'count', '47', '4711'].entries()) index.put(document, wordsOf([word]))
  const found = inOneGo(index.search(new Set(['counselor'])))
  t.ok((found[1] as number) > (found[0] as number))
  t.ok((found[0] as number) > 0)
  t.equal(found[2], 0)
  t.same(documentsOf(inOneGo(index.search(new Set(['4711'])))), [4])
})

t.test('a search in pieces finds the same; what is left to settle is settled first', async (t) => {
  const order = Array.from({ length: 10_000 }, (_, document) => document)
  const index = new LexicalIndex()
  const documents = new Map(order.map((document) => [document, ['red', document % 2 === 0 ? 'green' : 'blue', `w${document % 50}`]]))
  for (const [document, words] of documents) index.put(document, wordsOf(words))
  const answer = (found: Float64Array): string => JSON.stringify([...found])
  const counted = () => {
    const work = index.search(QUERY, { order })
    for (let pieces = 1; ; pieces++) {
      const next = work.next()
      if (next.done === true) return { pieces, found: answer(next.value) }
    }
  }
  const all = inOneGo(index.search(QUERY, { order }))
  const wanted = byTheBook(documents, { order, isHidden: () => false }, QUERY)
  t.ok(all.every((score, document) => Math.abs(score - (wanted.get(document) ?? 0)) < 1e-12))
  const plain = answer(all)
  const { pieces, found } = counted()
  t.ok(pieces >= 3, `${String(pieces)} pieces`)
  t.equal(found, plain)
  t.same(documentsOf(inOneGo(index.search(new Set(['w7']), { order }))).length, 200 + 800, 'a word, and two neighbours each side')
  index.remove(4)
  t.equal(counted().found, answer(inOneGo(index.search(QUERY, { order }))))
  t.not(counted().found, plain)
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

/** Textbook BM25F: one document after the other, with what its two neighbours on each side lend it. */
function byTheBook(
  documents: ReadonlyMap<number, readonly string[]>,
  { order, isHidden }: { readonly order: readonly number[]; readonly isHidden: (document: number) => boolean },
  query: ReadonlySet<string>
): Map<number, number> {
  const mean = [...documents.values()].reduce((sum, words) => sum + words.length, 0) / documents.size
  const own = (document: number | undefined, word: string): number => {
    const words = document === undefined || isHidden(document) ? [] : (documents.get(document) ?? [])
    return words.filter((other) => other === word).length / (0.7 + (0.3 * words.length) / mean)
  }
  const terms = [...query].map((word) => {
    const holding = [...documents.values()].filter((words) => words.includes(word)).length
    return { word, holding, share: Math.log(1 + (documents.size - holding + 0.5) / (holding + 0.5)) }
  })
  const found = terms.filter(({ holding }) => holding > 0)
  const best = found.reduce((sum, { share }) => sum + share, 0)
  const scored = new Map<number, number>()
  order.forEach((document, at) => {
    let sum = 0
    for (const { word, share } of found) {
      const times =
        own(document, word) +
        0.5 * own(order[at - 1], word) +
        0.25 * own(order[at - 2], word) +
        0.2 * own(order[at + 1], word) +
        0.1 * own(order[at + 2], word)
      sum += (share * times * 1.5) / (times + 0.5)
    }
    if (sum > 0) scored.set(document, (sum * Math.sqrt(found.length / terms.length)) / best)
  })
  return scored
}

t.test('scores are those of the book for rare words and for usual ones, in any order of the documents', async (t) => {
  const chance = createChance(11)
  for (let round = 0; round < 30; round++) {
    // With many documents, whole blocks have their neighbours beside them; one gap breaks this for one block.
    const isLong = round % 5 === 4
    const size = isLong ? 500 + chance(200) : 20 + chance(60)
    const documents = new Map<number, readonly string[]>()
    const index = new LexicalIndex()
    for (let document = 0; document < size; document++) {
      // Words with low numbers occur in most documents, those with high numbers in few.
      const words = Array.from({ length: 1 + chance(9) }, () => `w${String(Math.floor(3 ** (chance(400) / 100)))}`)
      // A count of 15 and more takes another way than a lower one.
      if (document % 3 === 0) words.push(...new Array<string>(13 + chance(4)).fill(words[0] as string))
      index.put(document, wordsOf(words))
      if (isLong ? document === 200 : document % 7 === round % 7) index.remove(document)
      else documents.set(document, words)
    }
    const order = [...documents.keys()].sort((a, b) => (round % 2 === 0 ? a - b : ((a * 7) % 31) - ((b * 7) % 31)))
    const hidden = new Set(order.filter(() => round % 3 === 0 && chance(10) === 0))
    const isHidden = (document: number): boolean => hidden.has(document)
    const query = new Set(Array.from({ length: 1 + chance(7) }, () => `w${String(Math.floor(3 ** (chance(500) / 100)))}`))
    const found = inOneGo(index.search(query, { order, ...(hidden.size > 0 && { isHidden }) }))
    const wanted = byTheBook(documents, { order, isHidden }, query)
    t.same(
      documentsOf(found),
      [...wanted.keys()].sort((a, b) => a - b)
    )
    t.ok(found.every((score, document) => Math.abs(score - (wanted.get(document) ?? 0)) < 1e-12))
  }
})
