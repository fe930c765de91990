import fc from 'fast-check'
import t from 'tap'
import { questionShare, sentenceEnds, sentenceEndsInPieces } from '../../../src/domain/text/sentences.js'
import { anyCharacter } from '../../support/any-text.js'

function sentences(text: string): string[] {
  const ends = sentenceEnds(text)
  return ends.map((end, index) => text.slice(index === 0 ? 0 : ends[index - 1], end))
}

t.test('a text is cut behind its sentences, white space included', async (t) => {
  t.same(sentences('One. Two! Three?  Four'), ['One. ', 'Two! ', 'Three?  ', 'Four'])
  t.same(sentences('He said "Go." Then left.'), ['He said "Go." ', 'Then left.'])
  t.same(sentences('first line\nsecond line'), ['first line\n', 'second line'])
  t.same(sentences('東京です。大阪です。'), ['東京です。', '大阪です。'])
  t.same(sentences('أين الجواز؟ في الدرج.'), ['أين الجواز؟ ', 'في الدرج.'])
  t.same(sentences('我很好!你呢?好。'), ['我很好!', '你呢?', '好。'])
  t.same(sentences('ผมอยู่บ้าน คุณอยู่ไหน'), ['ผมอยู่บ้าน ', 'คุณอยู่ไหน'])
  t.same(sentences('Ո՞վ է։ Ես եմ։'), ['Ո՞վ է։ ', 'Ես եմ։'])
  t.same(sentences('Πού είσαι\u037e Εδώ.'), ['Πού είσαι\u037e ', 'Εδώ.'])
  t.same(sentences('मैं घर पर हूँ। तुम कहाँ हो?'), ['मैं घर पर हूँ। ', 'तुम कहाँ हो?'])
})

t.test('abbreviations, initials, list numbers and decimals end no sentence', async (t) => {
  for (const text of ['Dr. Smith met J. Doe at 3.14 p', 'See fig. 2', 'z.B. so', 'Haus Nr. 5', '1. First item'])
    t.same(sentences(text), [text], text)
  t.same(sentences('Who is the Dr? She is.'), ['Who is the Dr? ', 'She is.'], 'where it is a full stop')
})

t.test('an empty text has no sentence', async (t) => {
  t.same(sentenceEnds(''), [])
})

t.test('a row of empty lines is one gap, and is walked through once', async (t) => {
  for (const line of ['\n ', '\r\n\t', ' \n', '\n\u00a0']) {
    const text = `One.${line.repeat(5_000)}Two.`
    let looks = 0
    const watched = Object.assign(Object(text) as string & object, { charAt: (at: number) => (looks++, text.charAt(at)) })
    t.same(sentenceEnds(watched), [text.length - 4, text.length])
    t.ok(looks <= text.length, `${String(looks)} looks at ${String(text.length)} characters`)
  }
})

t.test('the sentences of a long text are found in pieces', async (t) => {
  const work = sentenceEndsInPieces('Yes. '.repeat(10_000))
  let pauses = 0
  let next = work.next()
  for (; next.done !== true; next = work.next()) pauses += 1
  t.equal(next.value.length, 10_000)
  t.equal(pauses, 9)
})

t.test('sentences joined are the text, whatever the text', async () => {
  const piece = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 8 }), fc.constantFrom('. ', '? ', '\n', '。', 'Dr. '))
  const anyText = fc.array(piece, { maxLength: 12 })
  fc.assert(
    fc.property(anyText, (pieces) => {
      const text = pieces.join('')
      const ends = sentenceEnds(text)
      const isAscending = ends.every((end, index) => end > (index === 0 ? 0 : (ends[index - 1] as number)))
      return isAscending && sentences(text).join('') === text
    }),
    { numRuns: 2000 }
  )
})

t.test('the share of questions goes by length', async (t) => {
  t.equal(questionShare('No question.'), 0)
  t.equal(questionShare('Really?'), 1)
  t.equal(questionShare('أين الجواز؟'), 1)
  t.equal(questionShare('12345678. Really?'), 0.4117647058823529)
  t.equal(questionShare(''), 0)
})
