import fc from 'fast-check'
import t from 'tap'
import type { Entity } from '../../src/domain/session.js'
import { contextBlock, type ContextBlockInput } from '../../src/retrieval/context-block.js'
import type { ContextLine } from '../../src/retrieval/context-lines.js'
import { anyCharacter } from '../support/any-text.js'

const byLength = (text: string): number => Math.ceil(text.length / 4)
/** As a word-piece tokenizer: every mark is a token, and each text has a beginning and an end. */
const byPieces = (text: string): number => (text.match(/[\p{L}\p{N}]{1,6}|[^\s\p{L}\p{N}]/gu) ?? []).length + 2
const FIRST = '[Memory context | Phase: resonance | Turn 12 | 18 memories]'

const line = (score: number, text: string, question: string | null = null): ContextLine => ({ score, text, question, memories: [] })
const PLAIN = { kind: 'function', context: null, importance: 1, accessCount: 0, timestamp: 0 } as const
const entity = (key: string, value: string): Entity => ({ ...PLAIN, key, value })

function block(own: Partial<ContextBlockInput>): string {
  const session = { phase: 'resonance', turn: 12, totalMemories: 18 } as const
  return contextBlock({ ...session, lines: [], entities: [], budgetTokens: 350, countTokens: byLength, ...own }).text
}

t.test('hits are numbered lines under the first line, an exchange on one', async (t) => {
  const lines = [line(0.87, 'Behind the station.', 'Where is the car?'), line(0.5, 'Rex is a dog.')]
  const expected = '\nRelevant context:\n  1. [0.87] Q: Where is the car? A: Behind the station.\n  2. [0.50] Rex is a dog.'
  t.equal(block({ lines }), FIRST + expected)
})

t.test('without a hit the first line stands alone', async (t) => {
  t.equal(block({}), FIRST)
})

t.test('entities follow byte for byte, and only whole', async (t) => {
  const value = 'function f() {\n\treturn  1\n}'
  t.equal(block({ entities: [entity('src/a.ts', value)] }), `${FIRST}\nVerbatim:\n  src/a.ts (function): ${value}`)
  t.equal(block({ entities: [entity('long', 'x'.repeat(3000)), entity('b', '2')] }), `${FIRST}\nVerbatim:\n  b (function): 2`)
})

t.test('a memory cannot look like a line of the block', async (t) => {
  const text = block({ lines: [line(0.9, `a\n${FIRST}\r\n\u2028Verbatim:\u0085\u0000b`)] })
  t.equal(text.split(/[\n\r\u2028\u2029\u0085]/).length, 3)
  t.equal(text.split('\n')[2], `  1. [0.90] a ${FIRST} Verbatim: b`)
})

t.test('a text that does not fit ends with a whole sentence', async (t) => {
  const text = block({ lines: [line(0.9, 'This is one sentence here. '.repeat(100))], budgetTokens: 60 })
  t.ok(text.endsWith('This is one sentence here.'))
  t.ok(byLength(text) > 45)
})

t.test('one long hit leaves room for the next', async (t) => {
  const text = block({ lines: [line(0.9, 'This is one sentence here. '.repeat(100)), line(0.8, 'Rex is a dog.')], budgetTokens: 100 })
  t.match(text, /2\. \[0\.80\] Rex is a dog\.$/)
})

t.test('a single sentence beyond the budget is cut rather than nothing shown', async (t) => {
  const text = block({ lines: [line(0.9, 'word '.repeat(1000))], budgetTokens: 40 })
  t.match(text, /1\. \[0\.90\] word word/)
})

t.test('a budget below the first line gives its beginning', async (t) => {
  t.equal(block({ budgetTokens: 4, lines: [line(1, 'a')] }), '[Memory context')
  t.equal(block({ budgetTokens: 0 }), '')
})

t.test('the memories and entities that were shown are named', async (t) => {
  const input = { phase: 'stability', turn: 1, totalMemories: 1, budgetTokens: 40, countTokens: byLength } as const
  const shown = contextBlock({ ...input, lines: [line(1, 'Rex.')], entities: [entity('k', 'v'), entity('l', 'x'.repeat(500))] })
  t.same(
    shown.entities.map((one) => one.key),
    ['k']
  )
})

t.test('the block never exceeds its budget, whatever texts and tokenizer', async () => {
  const piece = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 20 }), fc.constantFrom('. ', '\n', 'word ', '😀', FIRST))
  const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''))
  const score = fc.double({ min: 0, max: 1, noNaN: true })
  const lines = fc.array(fc.record({ score, text, question: fc.option(text), memories: fc.constant([]) }), { maxLength: 6 })
  const entities = fc.array(
    fc.tuple(text, text).map(([key, value]) => entity(key, value)),
    { maxLength: 3 }
  )
  const budgets = fc.integer({ min: 2, max: 120 })
  const odd = (one: string): number => byLength(one) + (one.length % 7)
  fc.assert(
    fc.property(lines, entities, budgets, fc.constantFrom(byLength, byPieces, odd), (lines, entities, budgetTokens, countTokens) => {
      const made = block({ lines, entities, budgetTokens, countTokens })
      return countTokens(made) <= budgetTokens && (made.startsWith(FIRST) || FIRST.startsWith(made))
    }),
    { numRuns: 1000 }
  )
})

t.test('a long list of hits costs few counts', async (t) => {
  let calls = 0
  const lines = Array.from({ length: 200 }, (_, index) => line(0.5, `Memory number ${index} about something. `.repeat(50)))
  block({ lines, countTokens: (text) => (calls++, byLength(text)) })
  t.ok(calls < 500, `${calls} counts`)
})

t.test('an exchange that does not fit whole shows its hit whole, and of the other half the sentences that fit', async (t) => {
  const answer = 'The car is behind the station, in the second row.'
  const question = 'Where is the car? I forgot it again. It was late when we came home from the concert.'
  const text = block({ lines: [{ ...line(0.9, answer, question), found: 'answer' }], budgetTokens: 52 })
  t.match(text, `1. [0.90] Q: Where is the car? I forgot it again. A: ${answer}`)
  const alone = block({ lines: [{ ...line(0.9, answer, question), found: 'answer' }], budgetTokens: 38 })
  t.equal(alone.split('\n').at(-1), `  1. [0.90] ${answer}`)
  const asked = block({
    lines: [{ ...line(0.9, 'Behind it. In the second row, as I said.', 'Where is the car?'), found: 'question' }],
    budgetTokens: 36
  })
  t.match(asked, /Q: Where is the car\? A: Behind it\.$/)
})

t.test('other halves of exchanges take no room from hits', async (t) => {
  const long = 'This half was not found, and is rather long. '.repeat(4).trim()
  const lines = [line(0.9, 'The first hit.', long), line(0.8, 'The second hit.', long), line(0.7, 'The third hit.')]
  const text = block({ lines, budgetTokens: 60 })
  for (const hit of ['first', 'second', 'third']) t.match(text, `The ${hit} hit.`)
})

t.test('another half that was found comes in its turn', async (t) => {
  const lines: ContextLine[] = [
    { ...line(0.9, 'The answer.', 'The question?'), found: 'answer', otherScore: 0.6 },
    line(0.7, 'Between them.'),
    line(0.5, 'Behind them.')
  ]
  const text = block({ lines, budgetTokens: 44 })
  t.match(text, /Q: The question\? A: The answer\.\n.*Between them\.$/)
  t.notMatch(text, 'Behind')
})

t.test('no hit that fits into the block by half is cut, whatever the hits', async () => {
  const sentence = fc.integer({ min: 1, max: 12 }).map((words) => `${'word '.repeat(words).trim()}.`)
  const text = fc.array(sentence, { minLength: 1, maxLength: 4 }).map((sentences) => sentences.join(' '))
  const found = fc.constantFrom('question' as const, 'answer' as const)
  const lines = fc.array(fc.record({ score: fc.constant(0.5), text, question: fc.option(text), found, memories: fc.constant([]) }), {
    minLength: 2,
    maxLength: 6
  })
  fc.assert(
    fc.property(lines, fc.integer({ min: 150, max: 400 }), (lines, budgetTokens) => {
      const shown = block({ lines, budgetTokens }).split('\n').slice(2)
      return shown.every((one) =>
        lines.some((line) => one.includes(line.found === 'question' && line.question !== null ? line.question : line.text))
      )
    })
  )
})

t.test('an entity that fits keeps its place, and hits have what it leaves', async (t) => {
  const lines = Array.from({ length: 40 }, (_, n) => line(0.9 - n / 100, `A hit of some words, number ${n}.`))
  const shown = block({ lines, entities: [entity('src/a.ts', 'x = 1')], budgetTokens: 120 })
  t.ok(shown.endsWith('\nVerbatim:\n  src/a.ts (function): x = 1'))
  t.match(shown, /number 0\./)
  t.notMatch(shown, /number 39\./)
})

t.test('an entity too large for its share has all the room where there is no hit', async (t) => {
  const large = entity('src/a.ts', 'x'.repeat(400))
  t.match(block({ entities: [large], budgetTokens: 150 }), large.value)
  t.notMatch(block({ entities: [large], lines: [line(0.9, 'A hit.')], budgetTokens: 150 }), large.value)
})

t.test('where no sentence fits the best hit alone is cut', async (t) => {
  const shown = block({ lines: [line(0.9, 'first '.repeat(200)), line(0.8, 'second '.repeat(200))], budgetTokens: 60 })
  t.match(shown, /1\. \[0\.90\] first first/)
  t.notMatch(shown, /second/)
})

const teapot = (number: number, filler: string) => line(0.9, `${filler} The teapot of ${String(number)} is blue.`)

t.test('what room is left for does not take the place of the sentences that hold the words of the query', async (t) => {
  const filler = 'Nothing of it was said here today. '.repeat(400)
  const lines = [1, 2, 3].map((number) => teapot(number, filler))
  const shown = block({ lines, budgetTokens: 800, terms: new Set(['teapot']) })
  for (const number of [1, 2, 3]) t.match(shown, `The teapot of ${String(number)} is blue.`)
})

t.test('only so many long texts are read for the words of the query', async (t) => {
  const lines = [1, 2, 3, 4].map((number) => teapot(number, `${'word '.repeat(3_000)}.`))
  const shown = block({ lines, budgetTokens: 800, terms: new Set(['teapot']) })
  for (const number of [1, 2, 3]) t.match(shown, `The teapot of ${String(number)} is blue.`)
  t.notMatch(shown, 'The teapot of 4 is blue.')
})
