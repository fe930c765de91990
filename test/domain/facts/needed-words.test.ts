/** Words that patterns need, read from their sources. */
import t from 'tap'
import { ENGLISH_FRAMES } from '../../../src/domain/facts/english-frames.js'
import { withoutFrames } from '../../../src/domain/facts/frames.js'
import { GERMAN_FRAMES } from '../../../src/domain/facts/german-frames.js'
import { hasNeeded, neededWords, wordsIn } from '../../../src/domain/facts/needed-words.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { FURTHER_DIFFERENT, SAME } from './further-fact-pairs.js'
import { ASKED_ALIKE, ASKED_APART } from './question-pairs.js'

/** Pattern, and its clauses: words of one clause are separated by "/", clauses by a space. */
const NEEDED = [
  ['look up', 'look up'],
  ['Look UP', 'look up'],
  ['man', 'man'],
  ['höchstens zwei', 'höchstens zwei'],
  ['in order to|so as to', 'in/so'],
  ['at noon|', ''],
  ['what (?:is|was) the (cause|reason)', 'what is/was the cause/reason'],
  ['(?:can|could) you (?:please )?tell', 'can/could you tell'],
  ['(?:the (?:red|blue) door|gate)', 'the/gate'],
  ['(?:get|take) rid', 'get/take rid'],
  // A word of which only a part is certain is not needed as a whole.
  ['get(?:ting)? in touch', 'in touch'],
  ['summari[sz]e it', 'it'],
  ['takes? place', 'place'],
  ['\\w+ing late', 'late'],
  ['wie ?viel kostet', 'kostet'],
  ['(?:un)?lock it', 'it'],
  ['(?:re|un)lock it', 'it'],
  ['lock(?:ed| it) now', 'now'],
  ['name\\.x ends', 'ends'],
  ['möglich,? bald', 'möglich bald'],
  ['möglich(?:,| oder) bald', 'möglich bald'],
  ['(?:a |b )?c', 'c'],
  ['(?:a|b )?c', ''],
  // Neither is what may be missing, is repeated, or is not consumed.
  ['(?:please )*(?:very ){0,2}slowly', ''],
  ['so (?:slowly)? it goes', 'so it goes'],
  ['so (?:very )+slowly', 'so'],
  ['(?:not ){1,2}here now (?=it is)', 'now'],
  ['(?!never )(?<=\\bi )(?<!it )run (?!off) home', 'home'],
  ['[^a b]+ c.d ends$', 'ends'],
  ['\\p{L}+ \\P{L}now then', 'then']
] as const

t.test('the words that a pattern needs', async (t) => {
  for (const [pattern, wanted] of NEEDED) {
    const clauses = neededWords(pattern)
    t.equal(clauses.map((clause) => clause.join('/')).join(' '), wanted, pattern)
  }
})

t.test('a text has one word of each clause, in any case', async (t) => {
  const clauses = neededWords('(?:can|could) i swim')
  t.ok(hasNeeded(wordsIn('Could I,"swim"?'), clauses))
  t.notOk(hasNeeded(wordsIn('Could I swimming?'), clauses))
  t.notOk(hasNeeded(wordsIn('Would I swim?'), clauses))
  t.ok(hasNeeded(wordsIn(''), []))
  t.same([...wordsIn("Öl's 2nd-best!")], ['öl', 's', '2nd', 'best'])
})

t.test('a text is read alike whether or not frames are left out by their words', async (t) => {
  const pairs = [FURTHER_DIFFERENT, SAME, Object.values(ASKED_ALIKE).flat(), Object.values(ASKED_APART).flat()].flat()
  for (const frames of [ENGLISH_FRAMES, GERMAN_FRAMES]) {
    const all = frames.map(([pattern, reading]) => [pattern, reading] as const)
    for (const text of pairs.flat()) {
      const [left, tried] = [inOneGo(withoutFrames(text, frames)), inOneGo(withoutFrames(text, all))]
      if (left !== tried) t.equal(left, tried, text)
    }
    t.ok(frames.filter(([, , needed]) => needed !== undefined && needed.length > 0).length > frames.length * 0.85)
  }
})
