import fc from 'fast-check'
import t from 'tap'
import { inOneGo } from '../../../src/domain/pieces.js'
import { partsMax, splitInPieces, type SplitOptions } from '../../../src/domain/text/split.js'

const byLength = (text: string): number => Math.ceil(text.length / 4)
const byWords = (text: string): number => (text.match(/\S+/g) ?? []).length + 2

const splitText = (text: string, options: SplitOptions): readonly number[] => inOneGo(splitInPieces(text, options))

function parts(text: string, windowTokens: number, countTokens = byLength): string[] {
  const ends = splitText(text, { windowTokens, countTokens })
  return ends.map((end, index) => text.slice(index === 0 ? 0 : ends[index - 1], end))
}

t.test('a text within the window is one part, the empty one too', async (t) => {
  t.same(splitText('short', { windowTokens: 4, countTokens: byLength }), [5])
  t.same(splitText('', { windowTokens: 4, countTokens: byLength }), [0])
})

t.test('a long text is cut at sentence ends', async (t) => {
  t.same(parts('One two. Three four. Five six.', 6), ['One two. Three four. ', 'Five six.'])
})

t.test('a sentence beyond the window is cut between words, a word beyond it between code points', async (t) => {
  t.same(parts('alpha beta gamma delta', 3), ['alpha beta ', 'gamma delta'])
  t.same(parts('😀😀😀😀', 1), ['😀😀', '😀😀'])
})

t.test('parts joined are the text, each fits the window, and none splits a surrogate pair', async () => {
  const piece = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constantFrom('. ', '\n', ' ', '😀', 'word '))
  const anyText = fc.array(piece, { maxLength: 40 })
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 12 }), fc.constantFrom(byLength, byWords), (pieces, window, countTokens) => {
      const text = pieces.join('')
      const cut = parts(text, window, countTokens)
      const isWhole = cut.join('') === text
      const fits = cut.every((part) => countTokens(part) <= window || [...part].length === 1)
      const isPaired = /\p{Cs}/u.test(text) || cut.every((part) => !/\p{Cs}/u.test(part))
      return isWhole && fits && isPaired
    }),
    { numRuns: 1000 }
  )
})

t.test('no text has more parts than windows of its length make', async () => {
  const piece = fc.oneof(
    fc.constantFrom('. ', '\n', ' ', '😀', 'a. ', 'word '),
    fc.nat(40).map((length) => 'w'.repeat(length))
  )
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 120 }), fc.integer({ min: 1, max: 6 }), (pieces, windowTokens) => {
      const text = pieces.join('')
      return splitText(text, { windowTokens, countTokens: byLength }).length <= partsMax(text, 4 * windowTokens)
    }),
    { numRuns: 1000 }
  )
})

t.test('a very long text costs a number of counts in proportion to its parts', async (t) => {
  let calls = 0
  let characters = 0
  const text = 'A sentence of eight words is here now. '.repeat(10_000)
  const ends = splitText(text, { windowTokens: 256, countTokens: (part) => (calls++, (characters += part.length), byLength(part)) })
  t.ok(calls < ends.length * 20, `${calls} counts for ${ends.length} parts`)
  t.ok(characters < text.length * 20, `${characters} characters counted`)
})
