import t from 'tap'
import { addAlike, type Beginnings, isGone, removeAlike, wordsAlike } from '../../../src/domain/words/alike-words.js'
import { createPartedMap } from '../../../src/domain/collections/parted-map.js'

interface Word {
  term: string
}

function createWords(...terms: readonly string[]) {
  const beginnings: Beginnings<Word> = createPartedMap()
  const words = new Map(terms.map((term) => [term, { term }]))
  for (const word of words.values()) addAlike(beginnings, word)
  return {
    like: (term: string) =>
      wordsAlike(beginnings, term)
        .filter((word) => !isGone(word))
        .map((word) => word.term),
    listed: (term: string) => wordsAlike(beginnings, term).length,
    remove: (term: string) => removeAlike(beginnings, words.get(term) as Word)
  }
}

t.test('words are found by their first letters, in the order in which they came', async (t) => {
  const words = createWords('gardener', 'garden', 'gardens', 'garage', 'rose')
  t.same(words.like('gardening'), ['gardener', 'garden', 'gardens'])
  t.same(words.like('gara'), ['garage'])
  t.same(words.like('gard'), ['gardener', 'garden', 'gardens'])
  t.same(words.like('rose'), ['rose'])
  t.same(words.like('tulip'), [])
})

t.test('words whose next letter is another one are left out, also beside one that was taken out', async (t) => {
  const words = createWords('overall', 'over', 'overcoat', 'overt', 'overcoats')
  t.same(words.like('overcoat'), ['over', 'overcoat', 'overcoats'])
  t.same(words.like('over'), ['overall', 'over', 'overcoat', 'overt', 'overcoats'])
  for (const term of ['overall', 'overcoat', 'overt']) words.remove(term)
  t.same(words.like('overcoat'), ['over', 'overcoats'])
  t.same(words.like('overall'), ['over'])
})

t.test('words that are shorter, and those that do not begin with letters, stand in no list', async (t) => {
  const words = createWords('gar', '2024', '20th-century', 'a1b2c3', 'Über')
  for (const term of ['gar', '2024', '20th', 'a1b2']) t.same(words.like(term), [], term)
  t.same(words.like('Über'), ['Über'])
  for (const term of ['gar', '2024']) words.remove(term)
})

t.test('a word that is taken out is not found any more, and those beside it are', async (t) => {
  const words = createWords('garden', 'gardens', 'gardener', 'gardening')
  words.remove('garden')
  words.remove('gardener')
  t.same(words.like('gard'), ['gardens', 'gardening'])
  t.equal(words.listed('gard'), 4, 'half of them may be gone')
  words.remove('gardens')
  t.equal(words.listed('gard'), 1, 'and no more')
  t.same(words.like('gard'), ['gardening'])
  words.remove('gardening')
  t.same(words.like('gard'), [])
  const alone = createWords('rose')
  alone.remove('rose')
  t.equal(alone.listed('rose'), 0)
})
