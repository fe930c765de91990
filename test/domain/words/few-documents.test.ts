/** An index that keeps its words packed while it has few documents. */
import fc from 'fast-check'
import t from 'tap'
import { atOnce, inOneGo } from '../../../src/domain/pieces.js'
import { LexicalIndex } from '../../../src/domain/words/lexical-index.js'
import { addDocumentAtOnce, createPostings } from '../../../src/domain/words/postings.js'
import { wordsBytes } from '../../../src/domain/fairness/session-weight.js'
import { rankByWords } from '../../../src/domain/words/word-ranking.js'
import { orderOf, wordsOf } from '../../support/words.js'

t.test('few documents, whose words are packed, score as they do in lists by word', async (t) => {
  const word = fc.oneof(
    fc.constantFrom(
      'counsel',
      'counselor',
      'counseling',
      'coun',
      'cou',
      '1234',
      '12345',
      'house',
      'houses',
      'größe',
      'größen',
      'constructor'
    ),
    fc.string({ minLength: 1, maxLength: 5 }).map((letters) => letters.replace(/\s/g, '') || '-')
  )
  const documents = fc.array(fc.array(word, { maxLength: 12 }), { maxLength: 32 })
  fc.assert(
    fc.property(documents, fc.uniqueArray(word, { maxLength: 6 }), fc.boolean(), (texts, asked, isHiding) => {
      const index = new LexicalIndex()
      const postings = createPostings()
      for (const [document, terms] of texts.entries()) {
        index.put(document, wordsOf(terms))
        addDocumentAtOnce(postings, document, wordsOf(terms))
      }
      const query = new Set(asked)
      const search = {
        ...(texts.length > 0 && { order: orderOf([...texts.keys()]) }),
        ...(isHiding && { isHidden: (document: number) => document % 3 === 1 })
      }
      const [found, expected] = [index.search(query, search), rankByWords(postings, query, search)].map((work) => inOneGo(work).scores)
      if (found === undefined || expected === undefined) return
      t.equal(found.length, expected.length)
      t.ok(expected.every((score, document) => Math.abs(score - (found[document] as number)) < 1e-12))
      for (const [document, terms] of texts.entries()) t.same(index.wordsOf(document), wordsOf(terms))
    })
  )
})

t.test('how an index holds its words hangs on what it holds, not on what it held', async (t) => {
  const words = fc.oneof({ arbitrary: fc.constantFrom(0, 3, 12), weight: 20 }, { arbitrary: fc.constantFrom(400, 600), weight: 1 })
  const document = fc.record({ number: fc.integer({ min: 0, max: 50 }), words })
  const listed = (count: number): string[] => Array.from({ length: count }, (_, at) => `w${String(at)}`)
  const bytes = new Set<boolean>()
  fc.assert(
    fc.property(
      fc.array(document, { minLength: 20, maxLength: 60 }),
      fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 }),
      (put, removed) => {
        const index = new LexicalIndex()
        const left = new Map<number, number>()
        for (const { number, words } of put) {
          index.put(number, wordsOf(listed(words)))
          left.set(number, words)
        }
        for (const number of removed) {
          index.remove(number)
          left.delete(number)
        }
        inOneGo(index.settle() ?? atOnce(() => undefined))
        const rebuilt = createdOf(left)
        inOneGo(rebuilt.settle() ?? atOnce(() => undefined))
        t.equal(index.size(), left.size)
        t.equal(index.bytes(), rebuilt.bytes())
        t.equal(index.spreadBytes() > 0, rebuilt.spreadBytes() > 0)
        bytes.add(index.spreadBytes() > 0)
      }
    )
  )
  t.equal(bytes.size, 2, 'both ways were seen')

  function createdOf(left: ReadonlyMap<number, number>): LexicalIndex {
    const index = new LexicalIndex()
    for (const [number, words] of left) index.put(number, wordsOf(listed(words)))
    return index
  }
})

t.test('words are packed up to so many documents, words and letters, and take no more than was said once they are not', async (t) => {
  const isPacked = (documents: readonly (readonly string[])[], from = 0): boolean => {
    const index = new LexicalIndex()
    for (const [at, terms] of documents.entries()) {
      const [before, spread] = [index.bytes(), index.spreadBytes()]
      index.put(from + at, wordsOf(terms))
      const own = wordsBytes({ words: terms.length, characters: terms.join('').length, occurrences: terms.length })
      t.ok(index.bytes() <= before + spread + own)
    }
    return index.spreadBytes() > 0
  }
  const words = (count: number, letters = 4): string[] => Array.from({ length: count }, (_, at) => String(at).padStart(letters, 'w'))
  t.ok(isPacked(Array.from({ length: 32 }, () => words(16))))
  t.notOk(isPacked(Array.from({ length: 33 }, () => words(1))))
  t.ok(isPacked([words(256), words(256)]))
  t.notOk(isPacked([words(256), words(257)]))
  // The space between two words counts as a letter.
  t.ok(isPacked([words(64, 100), [...words(16, 100), 'w'.repeat(113)]]))
  t.notOk(isPacked([words(64, 100), [...words(16, 100), 'w'.repeat(114)]]))
  t.ok(isPacked([words(3)], 1_023))
  t.notOk(isPacked([words(3)], 1_024))
})

t.test('an index packs its words again as soon as they are few, and counts nothing of what is gone', async (t) => {
  const index = new LexicalIndex()
  const long = Array.from({ length: 300 }, (_, at) => `long${String(at)}`)
  for (let document = 0; document < 33; document++) index.put(document, wordsOf(['red']))
  t.equal(index.spreadBytes(), 0)
  index.remove(7)
  t.equal(index.bytes() + index.spreadBytes(), wordsBytes({ words: 32, characters: 32 * 'red'.length, occurrences: 32 }))
  t.same(index.terms(7, 9), [])
  for (let times = 0; times < 5; times++) {
    index.remove(0)
    index.put(0, wordsOf(long))
    t.ok(index.spreadBytes() > 0, 'the words that were there before are not counted with those that come')
  }
  index.put(1, wordsOf(long))
  t.equal(index.spreadBytes(), 0)
})
