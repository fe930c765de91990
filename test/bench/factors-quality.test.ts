/** Floors for the effects of the factors of retrieval, below what was measured when they were written. */
import t from 'tap'
import { answersOf, type SetName } from '../../bench/quality/factors/answers.js'
import { textsOf } from '../../bench/quality/factors/measure.js'
import { meanOf } from '../../bench/quality/statistics.js'

const FLOORS: readonly (readonly [SetName, number])[] = [
  ['marked, asked vaguely', 0.95],
  ['plain beside it, asked by its words', 0.8],
  ['part of a compound or derived word', 0.7],
  ['other half of an exchange, asked in wrong spelling', 0.58],
  ['other half of an exchange, stand-in', 0.68]
]

t.test('questions that a factor of retrieval answers are answered', async (t) => {
  const answers = answersOf(textsOf([]))
  for (const [set, floor] of FLOORS) t.ok(meanOf(answers[set]) >= floor, `${set}: ${meanOf(answers[set])}`)
})
