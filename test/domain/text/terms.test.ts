import fc from 'fast-check'
import t from 'tap'
import { isNegation } from '../../../src/domain/text/stop-words.js'
import { contentTerms, termsOf } from '../../../src/domain/text/terms.js'
import { anyCharacter } from '../../support/any-text.js'

t.test('content terms are stems in order without stop words', async (t) => {
  t.same(contentTerms('How do I reset my passwords?'), ['reset', 'password'])
  t.same(contentTerms('She bought two paintings and painted again'), ['buy', 'two', 'paint', 'paint'])
  t.same(contentTerms('Plan B is not plan C'), ['plan', 'b', 'plan', 'c'])
  t.same(contentTerms('the of and'), [])
})

t.test('German text is stemmed as German', async (t) => {
  t.same(contentTerms('Wie kann ich meine Passwörter für die Häuser ändern?'), ['passwort', 'haus', 'and'])
  t.same(contentTerms('Das Passwort und das Haus'), ['passwort', 'haus'])
})

t.test('accents of Latin letters make no difference marks of other scripts do', async (t) => {
  t.same(contentTerms('café'), contentTerms('cafe'))
  t.not(contentTerms('की')[0], contentTerms('क')[0])
})

t.test('words are the same with the marks that many leave out, and with letters that stand for each other', async (t) => {
  for (const [one, other] of [
    ['ΟΔΌΣ', 'οδος'],
    ['IŞIK', 'ışık'],
    ['łódź', 'lodz'],
    ['smørrebrød', 'smorrebrod'],
    ['đường', 'duong'],
    ['ёлка', 'елка'],
    ['كِتَاب', 'كتاب'],
    ['أحمد', 'احمد'],
    ['کتاب', 'كتاب'],
    ['שָׁלוֹם', 'שלום']
  ] as const) {
    t.same(contentTerms(one), contentTerms(other), one)
  }
  t.not(contentTerms('йод')[0], contentTerms('иод')[0])
})

t.test('negations are stop words that can be told apart', async (t) => {
  t.same(
    termsOf("I don't").map(({ term, isStop }) => [term, isStop]),
    [
      ['i', true],
      ['do', true],
      ['not', true]
    ]
  )
})

t.test('words that negate, in both languages', async (t) => {
  const negations = 'no not nor never none without nicht kein keine keinen keinem keiner nie ohne'
  for (const word of negations.split(' ')) t.ok(isNegation(word), word)
  for (const word of ['and', 'und', 'noch', 'toString']) t.notOk(isNegation(word), word)
})

t.test('a blob becomes a short term that differs from another blob of the same beginning', async (t) => {
  const [a, b] = [contentTerms(`${'x1'.repeat(5000)}a`)[0] ?? '', contentTerms(`${'x1'.repeat(5000)}b`)[0] ?? '']
  t.ok(a.length < 80)
  t.not(a, b)
})

t.test('terms of any text are never empty', async () => {
  const anyText = fc.string({ unit: anyCharacter, maxLength: 60 })
  fc.assert(
    fc.property(anyText, (text) => contentTerms(text).every((term) => term !== '')),
    { numRuns: 1000 }
  )
})
