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
    ...['0 0 0', '118 572 0', '152 614 593', '855 743 1000', '928 901 1000', '174 728 667', '222 775 302', '977 1000 990'],
    ...['740 825 1000', '447 883 500', '888 928 1000', '441 900 0', '163 852 790', '6 711 0', '181 846 685', '450 853 1000'],
    ...['155 797 1000', '25 778 580', '256 884 790', '771 900 1000', '971 1000 1000', '0 340 333', '357 909 1000', '910 1000 1000'],
    ...['974 1000 950', '746 976 790', '315 908 1000', '2 638 1000', '977 1000 1000', '931 1000 1000', '128 867 868', '367 916 938']
  ])
})
