import fc from 'fast-check'
import t from 'tap'
import { createFactGuard, type FactGuard, factsDiffer } from '../../../src/domain/facts/fact-guard.js'
import { FACT_COMPARED_LENGTH_MAX, FACT_COMPARISONS_MAX, FACT_QUOTATIONS_MAX, FACT_WORDS_MAX } from '../../../src/domain/limits.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { DIFFERENT } from './fact-pairs.js'
import { FURTHER_DIFFERENT, SAME } from './further-fact-pairs.js'

for (const [kind, pairs] of Object.entries({ ...DIFFERENT, 'facts of all kinds': FURTHER_DIFFERENT })) {
  t.test(`texts that differ in ${kind} are told apart`, async (t) => {
    for (const [a, b] of pairs) t.not(factsDiffer(a, b), null, `${a} | ${b}`)
  })
}

t.test('a paraphrase in the same facts passes', async (t) => {
  for (const [a, b] of SAME) t.equal(factsDiffer(a, b)?.kind, undefined, `${a} | ${b}`)
})

t.test('a typical difference is named by its kind', async (t) => {
  t.same(factsDiffer('How do I enable 2FA?', 'How do I disable 2FA?'), { kind: 'opposite' })
  t.same(factsDiffer('I have two cats', 'I have three cats'), { kind: 'number' })
  t.same(factsDiffer('I can log in', 'I cannot log in'), { kind: 'negation' })
  t.same(factsDiffer('Convert PDF to Word', 'Convert Word to PDF'), { kind: 'order' })
})

const texts = [...Object.values(DIFFERENT).flat(2), ...FURTHER_DIFFERENT.flat(), ...SAME.flat()]
const anyText = fc.oneof(fc.constantFrom(...texts), fc.string({ maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 40 }))

t.test('the guard answers the same whichever text comes first', async () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => factsDiffer(a, b)?.kind === factsDiffer(b, a)?.kind),
    { numRuns: 1500 }
  )
})

t.test('a text has the same facts as itself, whatever its spacing and final stop', async () => {
  fc.assert(fc.property(fc.constantFrom(...texts), (text) => factsDiffer(text, ` ${text.replaceAll(' ', '  ')} `) === null))
})

t.test('one number changed in a long text is found', async () => {
  const word = fc.constantFrom('server', 'meeting', 'report', 'house', 'green', 'index', 'cook', 'travel', 'paper')
  const words = fc.array(word, { minLength: 5, maxLength: 60 })
  fc.assert(
    fc.property(words, fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 9999 }), (list, one, other) => {
      fc.pre(one !== other)
      const say = (number: number) => `The ${list.join(' ')} needs ${number} of them`
      return factsDiffer(say(one), say(other)) !== null
    })
  )
})

t.test('a text of more words than are compared differs, unless only its white space is another', async (t) => {
  const long = 'The committee discussed the budget of the new library and the parking places. '.repeat(400)
  t.equal(factsDiffer(long, ` ${long.replaceAll(' ', '  ')} `), null)
  t.same(factsDiffer(long, `${long}Yes.`), { kind: 'unread' })
  t.same(factsDiffer(long, long.replace('budget', 'bud get')), { kind: 'unread' })
  t.same(factsDiffer(long, long.replace('. The', '.The')), { kind: 'unread' })
  const words = (count: number) => 'all '.repeat(count)
  t.equal(factsDiffer(`${words(FACT_WORDS_MAX - 1)}Anna`, `${words(FACT_WORDS_MAX - 1)}Anna.`), null)
  t.same(factsDiffer(`${words(FACT_WORDS_MAX)}Anna`, `${words(FACT_WORDS_MAX)}Anna.`), { kind: 'unread' })
})

t.test('a text of more quotations than are looked for differs', async (t) => {
  const quoting = (count: number) => Array.from({ length: count }, (_, at) => `"${at}"`).join(' ')
  t.equal(factsDiffer(`I said ${quoting(FACT_QUOTATIONS_MAX)}`, `I said ${quoting(FACT_QUOTATIONS_MAX)}.`), null)
  t.same(factsDiffer(`I said ${quoting(FACT_QUOTATIONS_MAX + 1)}`, `I said ${quoting(FACT_QUOTATIONS_MAX + 1)}.`), { kind: 'unread' })
})

t.test('a guard compares so many texts and no more, and those again', async (t) => {
  const guard = createFactGuard('I have a cat')
  for (let at = 0; at < FACT_COMPARISONS_MAX - 1; at++) t.same(differs(guard, `I have ${at + 2} cats`), { kind: 'number' })
  t.equal(guard.isSpent(), false)
  t.equal(differs(guard, 'I have a cat!'), null)
  t.equal(guard.isSpent(), true)
  t.same(differs(guard, 'I have a cat!!'), { kind: 'unread' })
  t.equal(differs(guard, 'I have a cat!'), null, 'what was compared before is known')
  t.equal(differs(guard, 'I have a cat'), null, 'the same text is none to compare')
})

t.test('a guard compares so much text and no more', async (t) => {
  const guard = createFactGuard('I have a cat')
  const texts = Array.from({ length: FACT_COMPARISONS_MAX }, (_, at) => `${'so '.repeat(1_000)}${at}`)
  const compared = texts.filter((text) => !guard.isSpent() && differs(guard, text) !== null).length
  t.equal(compared, Math.ceil(FACT_COMPARED_LENGTH_MAX / `${'so '.repeat(1_000)}9`.length))
})

t.test('texts are compared in pieces of some expressions, some words or a check of many', async (t) => {
  const pieces = (own: string, other: string): number => [...createFactGuard(own).differs(other)].length
  const question = 'Could you please tell me how I can reset my password?'
  t.ok(pieces(question, `${question} Now.`) - pieces('Rain', 'Rain now') >= 3, 'frames are tried in eights')
  const long = (words: number): string => Array.from({ length: words }, (_, at) => `thing${String(at)}`).join(' ')
  t.ok(pieces(long(380), `${long(380)}.`) - pieces(long(60), `${long(60)}.`) >= 8, 'more words take more pieces')
  const guard = createFactGuard(question)
  t.ok([...guard.differs('How can I reset my PIN?')].length > 0)
  t.equal([...guard.differs('How can I reset my PIN?')].length, 0, 'what was compared is known')
})

function differs(guard: FactGuard, other: string) {
  return inOneGo(guard.differs(other))
}
