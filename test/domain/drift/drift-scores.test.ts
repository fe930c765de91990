/** The scores of one long talk, number for number: a change of a weight shows which turns it moves. */
import t from 'tap'
import { type DriftFold, measureDrift } from '../../../src/domain/drift/drift.js'
import { readDriftWords } from '../../../src/domain/drift/drift-words.js'
import type { Role } from '../../../src/domain/session.js'
import { contentTerms } from '../../../src/domain/text/terms.js'
import { lexicalVector } from '../../../src/domain/words/lexical-features.js'
import { ENGLISH_TALKS } from './topic-talks.js'

/** One after each topic. */
const ASIDES = [
  'Do you have pets?',
  'next topic: the garden party',
  'ok',
  'Happy new year!',
  'My sister plays the cello',
  'About two litres of milk.',
  'Do you like scans of an index?',
  'Another question, how is an index made?'
]

/** Score, dissimilarity and novelty of each user turn, in thousandths. Every third exchange was weakened by isolation. */
function measured(options?: { readonly isLearned: boolean }): string[] {
  const folds: DriftFold[] = []
  const found: string[] = []
  const say = (text: string, role: Role, share = 1): void => {
    const input = { text, words: readDriftWords(contentTerms(text)), vector: lexicalVector(text, 64) }
    const { score, dissimilarity, novelty } = measureDrift(input, folds, options)
    folds.push({ ...input, role, share, dissimilarity: role === 'user' ? dissimilarity : 0 })
    if (role === 'user') found.push([score, dissimilarity, novelty].map((value) => Math.round(value * 1_000)).join(' '))
  }
  for (const [at, { exchanges }] of ENGLISH_TALKS.entries()) {
    for (const [n, [question, answer]] of exchanges.slice(0, 3).entries()) {
      say(question, 'user', n === 2 ? 0.3 : 1)
      say(answer, 'assistant')
    }
    say(ASIDES[at] ?? '', 'user')
  }
  return found
}

t.test('by words', async (t) => {
  t.same(measured(), [
    ...['0 0 0', '2 572 0', '20 614 593', '734 776 1000', '539 901 1000', '283 778 667', '9 827 302', '905 1000 990'],
    ...['541 825 1000', '58 925 500', '538 978 1000', '58 1000 0', '133 852 790', '6 826 0', '333 846 685', '450 881 1000'],
    ...['532 897 1000', '74 778 580', '130 884 790', '545 900 1000', '538 1000 1000', '33 727 333', '152 1000 1000', '394 1000 1000'],
    ...['544 1000 950', '74 1000 790', '187 908 1000', '867 638 1000', '695 1000 1000', '462 1000 1000', '178 867 868', '159 916 938']
  ])
})

t.test('by the vectors of a learned model', async (t) => {
  t.same(measured({ isLearned: true }), [
    ...['0 0 0', '126 572 0', '145 614 593', '879 743 1000', '954 901 1000', '151 728 667', '211 775 302', '989 1000 990'],
    ...['751 825 1000', '501 883 500', '919 928 1000', '450 900 0', '141 852 790', '2 711 0', '150 846 685', '411 853 1000'],
    ...['88 797 1000', '12 778 580', '253 884 790', '786 900 1000', '986 1000 1000', '0 340 333', '383 909 1000', '956 1000 1000'],
    ...['988 1000 950', '838 976 790', '328 908 1000', '0 638 1000', '989 1000 1000', '966 1000 1000', '103 867 868', '396 916 938']
  ])
})
