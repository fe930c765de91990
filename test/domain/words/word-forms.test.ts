import fc from 'fast-check'
import t from 'tap'
import { SEARCH_POSTINGS_MAX, SEARCH_TERMS_MAX } from '../../../src/domain/limits.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { addDocument, createPostings, type Posting, type Postings, removeDocuments } from '../../../src/domain/words/postings.js'
import { askedTerms, VARIANT_SHARE } from '../../../src/domain/words/word-forms.js'
import { wordsOf } from '../../support/words.js'

/** Forms of a word, found by a walk through all words, oldest first. */
function formsByWalk(words: Iterable<string>, term: string): [string, number][] {
  const forms: [string, number][] = [...words].includes(term) ? [[term, 1]] : []
  if (term.length < 4 || /\P{L}/u.test(term)) return forms
  for (const other of words) {
    if (other.length < 4 || other.length === term.length) continue
    if (other.startsWith(term) || term.startsWith(other)) forms.push([other, 0.5])
  }
  return forms
}

function formsOf(postings: Postings, terms: Iterable<string>): [string, number][][] {
  const asked = inOneGo(askedTerms(postings, new Set(terms)))
  return asked.map(({ own, variants }) => [
    ...(own === undefined ? [] : [[own.term, 1] as [string, number]]),
    ...variants.map(({ term }): [string, number] => [term, VARIANT_SHARE])
  ])
}

function addTerms(postings: Postings, document: number, terms: readonly string[]): void {
  inOneGo(addDocument(postings, document, wordsOf(terms)))
}

t.test('a word has the forms that a walk through all words finds, in the same order', async (t) => {
  const word = fc.oneof(
    fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 7 }).map((letters) => letters.join('')),
    fc.constantFrom('counsel', 'counselor', 'counseling', 'coun', 'cou', '1234', '12345', 'haus', 'hausboot', 'größe', 'größen')
  )
  const step = fc.record({ document: fc.integer({ min: 0, max: 7 }), terms: fc.option(fc.array(word, { maxLength: 8 }), { freq: 3 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.uniqueArray(word, { maxLength: 8 }), (steps, query) => {
      const postings = createPostings()
      const held = new Map<number, readonly string[]>()
      const words = new Set<string>()
      for (const { document, terms } of steps) {
        inOneGo(removeDocuments(postings, [document]))
        held.delete(document)
        const left = new Set([...held.values()].flat())
        for (const word of words) if (!left.has(word)) words.delete(word)
        if (terms === null) continue
        addTerms(postings, document, terms)
        held.set(document, terms)
        for (const term of terms) words.add(term)
      }
      t.same(
        formsOf(postings, query),
        query.map((term) => formsByWalk(words, term))
      )
      inOneGo(removeDocuments(postings, held.keys()))
      t.same(postings, createPostings())
    })
  )
})

t.test('a lookup sees only the words that begin alike', async (t) => {
  const postings = createPostings()
  const letters = Array.from({ length: 10 }, (_, at) => String.fromCharCode(97 + at))
  const beginnings = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => `${a}${b}${c}x`)))
  addTerms(
    postings,
    0,
    beginnings.flatMap((beginning) => [beginning, `${beginning}er`])
  )
  let seen = 0
  for (let number = 0; number < postings.byTerm.size; number++) {
    const posting = postings.words.get(number) as Posting
    const { term } = posting
    Object.defineProperty(posting, 'term', { get: () => (seen++, term) })
  }
  t.same(formsOf(postings, ['abcx']), [
    [
      ['abcx', 1],
      ['abcxer', 0.5]
    ]
  ])
  t.ok(seen < 20, `${seen} reads of words for 2 that begin alike among ${postings.byTerm.size}`)
})

t.test('a long query is asked with the words that the fewest documents hold, in its order', async (t) => {
  const postings = createPostings()
  const rare = Array.from({ length: SEARCH_TERMS_MAX - 1 }, (_, at) => `${at}r`)
  addTerms(postings, 0, [...rare, 'some', 'usual'])
  addTerms(postings, 1, ['some', 'usual'])
  addTerms(postings, 2, ['usual'])
  const found = formsOf(postings, ['usual', 'some', 'nowhere', ...rare])
  t.equal(found.length, SEARCH_TERMS_MAX)
  t.same(found.slice(0, 2), [[['some', 1]], [['0r', 1]]])
  t.equal(formsOf(postings, ['usual', ...rare]).length, SEARCH_TERMS_MAX, 'as many as that are all asked')
})

t.test('a search reads a bounded number of places: words in the most documents are left out, never all', async (t) => {
  const postings = createPostings()
  const heavy = Array.from({ length: 6 }, (_, at) => `${at}w`)
  addTerms(postings, 0, [...heavy, 'rare'])
  const crowd = (term: string, places: number): void => {
    ;(postings.byTerm.find(term) as Posting).places = new Array<number>(places)
  }
  for (const term of heavy) crowd(term, SEARCH_POSTINGS_MAX / 4)
  t.same(
    formsOf(postings, [...heavy, 'rare']).map(([form]) => form?.[0]),
    ['0w', '1w', '2w', 'rare']
  )
  crowd('0w', SEARCH_POSTINGS_MAX + 1)
  t.same(formsOf(postings, ['0w']), [[['0w', 1]]])
})

t.test('numbers and what begins with them are in no list: nothing begins like them but by chance', async (t) => {
  const postings = createPostings()
  addTerms(postings, 0, ['1234', '12345', '12ab', 'ab-1', 'a12345', 'abcd1', 'abc'])
  t.equal(postings.beginnings.size, 1)
  t.same(formsOf(postings, ['abcd', '1234']), [[['abcd1', 0.5]], [['1234', 1]]])
})

t.test('the words of a long query are looked up, and ranked, some a piece', async (t) => {
  const query = new Set(Array.from({ length: 20_000 }, (_, at) => `${at}w`))
  const work = askedTerms(createPostings(), query)
  let pieces = 1
  while (work.next().done !== true) pieces += 1
  t.equal(pieces, 167)
})
