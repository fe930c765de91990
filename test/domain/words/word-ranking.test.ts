/** Scores of a search beside those of a textbook. */
import t from 'tap'
import { createChance } from '../../../bench/costly-texts.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { LexicalIndex } from '../../../src/domain/words/lexical-index.js'
import { giveTally } from '../../../src/domain/words/tally.js'
import { documentsOf, orderOf, scored, wordsOf } from '../../support/words.js'

const QUERY = new Set(['red', 'green', 'blue'])

t.test('a search in pieces finds the same; what is left to settle is settled first', async (t) => {
  const all = Array.from({ length: 20_000 }, (_, document) => document)
  const order = orderOf(all)
  const index = new LexicalIndex()
  const documents = new Map(all.map((document) => [document, ['red', document % 2 === 0 ? 'green' : 'blue', `w${document % 50}`]]))
  for (const [document, words] of documents) index.put(document, wordsOf(words))
  const answer = (found: Float64Array): string => JSON.stringify([...found])
  const counted = () => {
    const work = index.search(QUERY, { order })
    for (let pieces = 1; ; pieces++) {
      const next = work.next()
      if (next.done === true) return { pieces, found: answer(next.value.scores) }
    }
  }
  const scores = scored(index, QUERY, { order })
  const wanted = byTheBook(documents, { order: all, isHidden: () => false }, QUERY)
  t.ok(scores.every((score, document) => Math.abs(score - (wanted.get(document) ?? 0)) < 1e-12))
  const plain = answer(scores)
  const { pieces, found } = counted()
  t.ok(pieces >= 2, `${String(pieces)} pieces`)
  t.equal(found, plain)
  t.same(documentsOf(scored(index, new Set(['w7']), { order })).length, 400 + 1_600, 'a word, and two neighbours each side')
  index.remove(4)
  t.equal(counted().found, answer(scored(index, QUERY, { order })))
  t.not(counted().found, plain)
})

t.test('scores of many documents lie in scratch memory, which no other search uses until it is given back', async (t) => {
  const search = (documents: number) => {
    const index = new LexicalIndex()
    for (let document = 0; document < documents; document++) index.put(document, wordsOf([document % 2 === 0 ? 'red' : 'blue']))
    return (word: string) => inOneGo(index.search(new Set([word])))
  }
  t.equal(search(16_383)('red').tally, null)
  const ask = search(16_384)
  const first = ask('red')
  const before = first.scores.slice()
  const second = ask('blue')
  t.ok(first.tally !== null && second.tally !== null && first.tally !== second.tally)
  t.same(first.scores, before)
  t.ok(second.scores.every((score, document) => score > 0 === (document % 2 === 1)))
  if (second.tally !== null) giveTally(second.tally)
  const third = ask('red')
  t.equal(third.tally, second.tally)
  t.same(third.scores, before)
  t.same(third.greatest, first.greatest)
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

const SIZES = [
  // Whole blocks have their neighbours beside them; one gap breaks this for one block.
  { from: 500, more: 200, rounds: 6, isGone: (document: number) => document === 200 },
  { from: 20, more: 60, rounds: 24, isGone: (document: number, round: number) => document % 7 === round % 7 },
  // The last ones are gone: the others have the numbers of their places, and numbers behind them have no document.
  { from: 90, more: 60, rounds: 8, isGone: (document: number) => document >= 60 },
  // Words stand at more places than are counted at once.
  { from: 18_000, more: 9, rounds: 2, isGone: () => false }
]

for (const { from, more, rounds, isGone } of SIZES) {
  t.test(`scores are those of the book for rare words and for usual ones, in any order of some ${String(from)} documents`, async (t) => {
    const chance = createChance(11)
    for (let round = 0; round < rounds; round++) {
      const documents = new Map<number, readonly string[]>()
      const index = new LexicalIndex()
      const size = from + chance(more)
      for (let document = 0; document < size; document++) {
        // Words with low numbers occur in most documents, those with high numbers in few.
        const words = Array.from({ length: 1 + chance(9) }, () => `w${String(Math.floor(3 ** (chance(400) / 100)))}`)
        // A count of 15 and more takes another way than a lower one.
        if (round % 4 < 2 && document % 3 === 0) words.push(...new Array<string>(13 + chance(4)).fill(words[0] as string))
        index.put(document, wordsOf(words))
        if (isGone(document, round)) index.remove(document)
        else documents.set(document, words)
      }
      const order = [...documents.keys()].sort((a, b) => (round % 2 === 0 ? a - b : ((a * 7) % 31) - ((b * 7) % 31)))
      const hidden = new Set(order.filter(() => round % 3 === 0 && chance(10) === 0))
      const isHidden = (document: number): boolean => hidden.has(document)
      const query = new Set(Array.from({ length: 1 + chance(7) }, () => `w${String(Math.floor(3 ** (chance(500) / 100)))}`))
      const { scores, greatest } = inOneGo(index.search(query, { order: orderOf(order), ...(hidden.size > 0 && { isHidden }) }))
      const wanted = byTheBook(documents, { order, isHidden }, query)
      t.same(
        documentsOf(scores),
        [...wanted.keys()].sort((a, b) => a - b)
      )
      t.ok(scores.every((score, document) => Math.abs(score - (wanted.get(document) ?? 0)) < 1e-12))
      t.same(greatest, greatestOf(scores))
    }
  })
}

/** The greatest of each sixteen. */
function greatestOf(scores: Float64Array): Float64Array {
  return Float64Array.from({ length: Math.ceil(scores.length / 16) }, (_, block) =>
    Math.max(...scores.subarray(block * 16, block * 16 + 16))
  )
}
