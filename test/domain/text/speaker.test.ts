import fc from 'fast-check'
import t from 'tap'
import { speakerOf } from '../../../src/domain/text/speaker.js'

const FORMATS: readonly (readonly [format: string, line: string])[] = [
  ['a name and a colon', 'Ann: I moved to Graz'],
  ['a full-width colon', 'Ann： I moved to Graz'],
  ['a time in brackets', '[13:56] Ann: I moved to Graz'],
  ['a date and time in brackets', '[2023-05-08 13:56:01] Ann: I moved to Graz'],
  ['words in brackets', '[1:56 pm on 8 May, 2023] Ann: I moved to Graz'],
  ['a time in parentheses', '(13:56) Ann: I moved to Graz'],
  ['a plain time', '13:56 Ann: I moved to Graz'],
  ['a plain time of the afternoon', '1:56 PM Ann: I moved to Graz'],
  ['a plain time, words for its date', '1:56 pm on 8 May, 2023 | Ann: I moved to Graz'],
  ['a plain date, and a time of the afternoon behind it', '8 May, 2023, 1:56 pm | Ann: I moved to Graz'],
  ['a date and time as ISO 8601 has it', '2023-05-08T13:56:01Z Ann: I moved to Graz'],
  ['an export of WhatsApp on Android', '08/05/2023, 13:56 - Ann: I moved to Graz'],
  ['an export of WhatsApp on iOS', '\u200e[08.05.23, 13:56:01] Ann: I moved to Graz'],
  ['a time behind the name', 'Ann (13:56): I moved to Graz'],
  ['a time in brackets behind the name', 'Ann [13:56]: I moved to Graz'],
  ['words in brackets close behind the name', 'Ann(on her phone): I moved to Graz'],
  ['bold type', '**Ann:** I moved to Graz'],
  ['bold type, the colon outside', '**Ann**: I moved to Graz'],
  ['an item of a list', '- Ann: I moved to Graz'],
  ['a quotation', '> Ann: I moved to Graz'],
  ['a chat log', '<Ann> I moved to Graz'],
  ['a chat log with a time', '13:56 <@Ann> I moved to Graz'],
  ['a subtitle', '<v Ann>I moved to Graz'],
  ['a mention', '@Ann: I moved to Graz'],
  ['a line of its own with a time', 'Ann  [1:56 PM]\nI moved to Graz'],
  ['a line of its own with a dash', 'Ann — 13:56\nI moved to Graz']
]

for (const [format, line] of FORMATS) {
  t.test(`a transcript with ${format} names its speaker`, async (t) => {
    t.equal(speakerOf(line), 'Ann')
    t.equal(speakerOf(line.replace('Ann', 'Dr. Jean-Luc O’Neil')), 'Dr. Jean-Luc O’Neil', 'of several words')
    t.equal(speakerOf(line.replace('Ann', 'Jörg')), 'Jörg')
  })
}

t.test('a text without a speaker names none', async (t) => {
  const texts = [
    '',
    'I moved to Graz',
    'See https://example.org: it is there',
    '13:56',
    '[x](y) and so on',
    'at 13:56: nothing',
    '<b>Ann</b> moved'
  ]
  for (const text of texts) t.equal(speakerOf(text), null, text)
})

t.test('the beginning of any text is read in a moment', async (t) => {
  const piece = fc.constantFrom('[', '(', '1', ':', ' ', 'Ann', '>', '*', '-', ',', 'May', 'pm', '\n', '<')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 300 }), (pieces) => {
      const name = speakerOf(pieces.join(''))
      return name === null || name.length <= 32
    })
  )
  // A repetition of few characters, on which a backtracking pattern would never finish.
  const rows = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('').repeat(160))
  fc.assert(fc.property(fc.string({ maxLength: 3 }), rows, (first, row) => speakerOf(first + row) !== ''))
  t.equal(speakerOf('1 May '.repeat(60)), null)
})
