/** Words that patterns need, read from their sources. */
import fc from 'fast-check'
import t from 'tap'
import { ENGLISH_FRAMES } from '../../../src/domain/facts/english-frames.js'
import { withoutFrames } from '../../../src/domain/facts/frames.js'
import { GERMAN_FRAMES } from '../../../src/domain/facts/german-frames.js'
import { neededWords, wordsIn } from '../../../src/domain/facts/needed-words.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { FURTHER_DIFFERENT, SAME } from './further-fact-pairs.js'
import { ASKED_ALIKE, ASKED_APART } from './question-pairs.js'

/** Pattern, and the words that it needs. */
const NEEDED = [
  ['look up', 'look up'],
  ['Look UP', 'look up'],
  ['man', 'man'],
  ['höchstens 2, bitte', 'höchstens 2 bitte'],
  ['^so (it goes)$', 'so'],
  ['it ends$', 'it ends'],
  ['at noon|by night', ''],
  ['what (?:is|was) the (cause|reason)', 'what the'],
  ['who (?:(?:(?:may|can) )?be|is) there', 'who there'],
  // A word of which only a part is certain is not needed as a whole.
  ['get(?:ting)? in touch', 'in touch'],
  ['(?:un)lock it', 'it'],
  ['summari[sz]e it', 'it'],
  ['takes? place', 'place'],
  ['aa*b c', 'c'],
  ['\\w+ing late', 'late'],
  ['name\\.x ends', 'ends'],
  ['a.c ends', 'ends'],
  ["won't stop", 'stop'],
  ['wie ?viel kostet', 'kostet'],
  ['möglich,? bald', 'bald'],
  // Neither is what may be missing or is not consumed.
  ['(?:please )*(?:very ){0,2}slowly', ''],
  ['(?:so|as) (?=it is)(?!never )(?<=\\bi )(?<!it )run', ''],
  ['\\p{L}+ \\P{L}now [^a b\\]]+ then', 'then']
] as const

t.test('the words that a pattern needs', async (t) => {
  for (const [pattern, wanted] of NEEDED) t.equal(neededWords(pattern).join(' '), wanted, pattern)
})

t.test('syntax that is not known is an error, not a word', async (t) => {
  for (const pattern of ['\\u{1f600} now', 'now (then', 'now )then', 'a{b} now', 'one [two', '? now'])
    t.throws(() => neededWords(pattern), /cannot be read/, pattern)
})

t.test('whatever a pattern matches has the words that it needs', async (t) => {
  const pieces = [
    'so',
    'it',
    'goes',
    'Öl',
    ', ',
    ' ',
    ' ',
    ' ',
    '(?:a|b c)',
    '(?: as)?',
    'x?',
    '[ab]+',
    '\\w*',
    '\\d{2,3}',
    '.',
    '(it (?:is|was) ){0,2}',
    '|'
  ]
  const pattern = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 }).map((chosen) => chosen.join(''))
  const match = pattern.chain((source) =>
    fc.record({ source: fc.constant(source), text: fc.stringMatching(new RegExp(`^(?:${source})$`)) })
  )
  fc.assert(
    fc.property(match, ({ source, text }) => {
      const words = wordsIn(text)
      return neededWords(source).every((word) => words.has(word))
    }),
    { numRuns: 500 }
  )
  t.pass()
})

t.test('the words of a text', async (t) => {
  t.same([...wordsIn("Öl's 2nd-best, öl!")], ['öl', 's', '2nd', 'best'])
  t.same([...wordsIn('?')], [])
})

t.test('a text is read alike whether or not frames are left out by their words', async (t) => {
  const pairs = [FURTHER_DIFFERENT, SAME, Object.values(ASKED_ALIKE).flat(), Object.values(ASKED_APART).flat()].flat()
  for (const frames of [ENGLISH_FRAMES, GERMAN_FRAMES]) {
    const all = frames.map(([pattern, reading]) => [pattern, reading] as const)
    for (const text of pairs.flat()) {
      const [left, tried] = [inOneGo(withoutFrames(text, frames)), inOneGo(withoutFrames(text, all))]
      if (left !== tried) t.equal(left, tried, text)
    }
    t.ok(frames.filter(([, , needed]) => needed !== undefined && needed.length > 0).length > frames.length * 0.6)
  }
})
