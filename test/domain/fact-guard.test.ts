import fc from 'fast-check'
import t from 'tap'
import { factsDiffer } from '../../src/domain/fact-guard.js'
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
  fc.assert(fc.property(anyText, anyText, (a, b) => factsDiffer(a, b)?.kind === factsDiffer(b, a)?.kind), { numRuns: 1500 })
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

t.test('long texts are compared in bounded time', async (t) => {
  const long = 'The committee discussed the budget of the new library and the parking places. '.repeat(400)
  const started = process.hrtime.bigint()
  t.equal(factsDiffer(long, `${long} `), null)
  t.ok(Number(process.hrtime.bigint() - started) / 1e6 < 3000)
})
