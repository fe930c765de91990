import fc from 'fast-check'
import t from 'tap'
import { contentTerms } from '../../src/domain/text/terms.js'
import { contextBlock } from '../../src/retrieval/context-block.js'
import type { ContextLine } from '../../src/retrieval/context-lines.js'
import { excerpt } from '../../src/retrieval/excerpt.js'

const byLength = (text: string): number => Math.ceil(text.length / 4)
const FILLING = 'The committee agreed that the wording of the third section needed attention. '
const TABLE = `| item | price | stock |\n|---|---|---|\n${Array.from({ length: 80 }, (_, n) => `| widget${n} | ${n * 3 + 1}.00 | ${n * 7 + 2} |`).join('\n')}`

function cut(text: string, query: string, most = 60): string | null {
  return excerpt('', text, { terms: new Set(contentTerms(query)), most, countTokens: byLength, shown: (piece) => piece.trim() })
}

const line = (score: number, text: string): ContextLine => ({ score, text, question: null, memories: [] })

function block(lines: readonly ContextLine[], query: string, budgetTokens = 350): string {
  const session = { phase: 'resonance', turn: 12, totalMemories: 18, entities: [] } as const
  return contextBlock({ ...session, lines, budgetTokens, countTokens: byLength, terms: new Set(contentTerms(query)) }).text
}

t.test('the sentence that holds what was asked is shown wherever it stands, with the beginning and what is beside it', async (t) => {
  const text = `Hi all. ${FILLING.repeat(9)}Finally, the keys for the roof terrace are with Mrs Tanaka in room 12. ${FILLING}See you, Paul`
  const shown = cut(text, 'Who has the keys for the roof terrace?') ?? ''
  t.match(shown, /^Hi all\. … /)
  t.match(shown, 'Mrs Tanaka in room 12')
  t.ok(byLength(shown) <= 60, shown)
})

t.test('of a table the row that was asked for is shown, and its columns', async (t) => {
  const shown = cut(TABLE, 'What is the stock of widget37?') ?? ''
  t.match(shown, '| item | price | stock |')
  t.match(shown, '| widget37 | 112.00 | 261 |')
})

t.test('of an entry of several lines that line is shown which is asked for, not those of the first entries', async (t) => {
  const entries = Array.from({ length: 60 }, (_, n) => `"node${n}": {\n  "port": ${8000 + n},\n  "zone": "eu"\n},`).join('\n')
  t.match(cut(`setup.json\n${entries}`, 'Which port has node41 in setup.json?'), '"node41": { "port": 8041,')
  const list = Array.from({ length: 60 }, (_, n) => `node${n}:\n  image: plain\n  memory: ${n}Mi`).join('\n')
  t.match(cut(list, 'How much memory has node41?'), 'node41: … memory: 41Mi')
})

t.test('without a word of the query, or without a query, a text is shown from its beginning', async (t) => {
  for (const query of ['Who won?', '']) t.match(cut(`One sentence. ${FILLING.repeat(9)}`, query), /^One sentence\. The committee [^…]*$/)
})

t.test('a piece that does not fit is left out, and nothing is shown where none fits', async (t) => {
  t.equal(cut(`${'word '.repeat(200)}. Rex is a dog.`, 'Which dog?'), '… Rex is a dog.')
  t.equal(cut('word '.repeat(200), 'Which word?'), null)
  t.equal(cut('', 'Which word?'), null)
})

/** A sentence of five tokens, with the space before it. An omission mark beside it takes one token. */
const FIVE = (word: string): string => `The ${word.padEnd(13, 'x')}.`

t.test('of what is found the first comes first, then what follows the best piece, then what precedes it', async (t) => {
  const [one, two, dog, four, six] = ['one', 'two', 'dog', 'four', 'six'].map(FIVE)
  const shown = (sentences: readonly (string | undefined)[], most: number): string | null => cut(sentences.join(' '), FIVE('dog'), most)
  const twice = [one, two, dog, four, dog, six]
  t.equal(shown(twice, 6), `… ${dog}`)
  t.equal(shown(twice, 11), `… ${dog} ${four}`, 'no gap is left out between them')
  t.equal(shown(twice, 12), `… ${dog} … ${dog}`)
  t.equal(shown(twice, 17), `… ${dog} ${four} ${dog}`)
  t.equal(shown(twice, 21), `${one} … ${dog} … ${dog}`, 'the beginning, where it takes a quarter of the room at most')
  t.equal(shown(twice, 22), `${one} … ${dog} ${four} ${dog}`, 'before which nothing is left out')
  t.equal(shown([one, two, dog, four, six], 16), `… ${two} ${dog} ${four}`)
  t.equal(cut(`${dog} ${two} The dog and the cat sleep.`, `${dog} The dog and the cat`, 9), '… The dog and the cat sleep.', 'most of it')
})

t.test('an excerpt is no longer than its room, and what is found costs few counts', async (t) => {
  const piece = fc.constantFrom('The dog sleeps. ', 'A cat. ', '\n', 'word ', FILLING, '| dog | 4 |\n')
  const texts = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 80 }), (text, most) => byLength(cut(text, 'the dog, the cat', most) ?? '') <= most)
  )
  let calls = 0
  excerpt('', FILLING.repeat(5000), {
    terms: new Set(['committee']),
    most: 100,
    countTokens: (text) => (calls++, byLength(text)),
    shown: (one) => one.trim()
  })
  t.ok(calls < 50, `${calls} counts`)
})

t.test('room that is left at the end goes to what was cut, a whole text where it fits', async (t) => {
  const text = `${FILLING.repeat(9)}The new gym floor will be teal.`
  const shown = block([line(0.9, text), line(0.3, 'my knee hurts')], 'Which colour will the new gym floor have?')
  t.match(shown, text)
  t.match(shown, '2. [0.30] my knee hurts')
  const long = block([line(0.9, FILLING.repeat(60)), line(0.3, 'my knee hurts')], 'What did the committee say?')
  t.ok(byLength(long) > 300 && byLength(long) <= 350, `${byLength(long)} tokens`)
})
