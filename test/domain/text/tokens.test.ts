import fc from 'fast-check'
import t from 'tap'
import { tokensInPieces, tokensOf } from '../../../src/domain/text/tokens.js'
import { anyCharacter } from '../../support/any-text.js'

const words = (text: string): string[] => tokensOf(text).map((token) => token.text)

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ['Hello, World!', ['hello', 'world']],
  ["Caroline's dog", ['caroline', 'dog']],
  ['Caroline’s dog', ['caroline', 'dog']],
  ["I don't, can't, won't", ['i', 'do', 'not', 'can', 'not', 'will', 'not']],
  ['getUserName()', ['getusername', 'get', 'user', 'name']],
  ['HTTPServer', ['httpserver', 'http', 'server']],
  ['max_retry_count = 3', ['max_retry_count', 'max', 'retry', 'count', '3']],
  ['src/domain/main.ts', ['src/domain/main.ts', 'src', 'domain', 'main', 'ts']],
  ['ada@example.org', ['ada@example.org', 'ada', 'example', 'org']],
  ['1,000 items, 3.14', ['1000', 'items', '3.14']],
  ['on 2023-05-08 at 12:30', ['on', '2023-05-08', '2023', '05', '08', 'at', '12:30', '12', '30']],
  ['10am', ['10am', '10', 'am']],
  ['token a81f', ['token', 'a81f']],
  ['C++ and C#', ['c++', 'and', 'c#']],
  ['e-mail and/or well-known', ['email', 'e', 'mail', 'and', 'or', 'wellknown', 'well', 'known']],
  ['end.Next', ['end.next', 'end', 'next']],
  ['red,green,3:blue', ['red', 'green', '3', 'blue']],
  ['_private__name_', ['_private__name_', 'private', 'name']],
  ['東京タワー', ['東京', '京タ', 'タワ', 'ワー']],
  ['第12章在GitHub上', ['第', '12', '章在', 'github', 'git', 'hub', '上']],
  ['AWSのtokyo', ['aws', 'の', 'tokyo']],
  ['5月10日', ['5', '月', '10', '日']],
  ['報告2024.pdf', ['報告', '2024.pdf', '2024', 'pdf']],
  ['여권이 서랍', ['여권', '권이', '서랍']],
  ['여권'.normalize('NFD'), ['여권']],
  ['ﬁne ＦＵＬＬ', ['fine', 'full']],
  ['привет мир', ['привет', 'мир']],
  ['👍', ['👍']],
  ['?! … --', []],
  ['', []]
]

t.test('a text is cut into words, numbers and identifiers with their parts', async (t) => {
  for (const [text, expected] of CASES) t.same(words(text), expected, text)
})

t.test('kinds tell words, numbers and identifiers apart', async (t) => {
  t.same(
    tokensOf('port 8080 of user_id').map((token) => token.kind),
    ['word', 'number', 'word', 'identifier', 'word', 'word']
  )
})

t.test('what a name is made of is marked as its parts', async (t) => {
  t.same(
    tokensOf('src/v2/page-3').map(({ text, kind, isPart }) => [text, kind, isPart]),
    [
      ['src/v2/page-3', 'identifier', false],
      ['src', 'word', true],
      ['v2', 'identifier', true],
      ['page', 'word', true],
      ['3', 'number', true]
    ]
  )
})

t.test('any text is cut without failing, into tokens that are not empty', async () => {
  const anyText = fc.string({ unit: anyCharacter, maxLength: 80 })
  fc.assert(
    fc.property(anyText, (text) => tokensOf(text).every((token) => token.text.length > 0)),
    { numRuns: 2000 }
  )
})

t.test('a long text without spaces is cut in linear time', { timeout: 5000 }, async (t) => {
  for (const unit of ['a', "a'", '1,', 'a.', 'aB', 'ab-', '東']) t.ok(tokensOf(unit.repeat(50_000)).length > 0, unit)
})

t.test('contractions of contractions are taken apart as far as any word has them', async (t) => {
  const texts = (text: string) =>
    tokensOf(text)
      .filter((token) => !token.isPart)
      .map((token) => token.text)
  t.same(texts("shouldn't've"), ['should', 'not'])
  for (const ending of ["n't", "'s"]) t.ok(tokensOf(`a${ending.repeat(60_000)}`).length < 130_000)
})

t.test('of a long run without spaces each two neighbours are a token, wherever it is cut', async (t) => {
  for (const [unit, shift] of [
    ['東京', 0],
    ['𠀀東', 0],
    ['𠀀東', 1],
    ['𠀀𠀁', 1]
  ] as const) {
    const characters = [...'あ'.repeat(shift), ...unit.repeat(20_000)]
    const expected = characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`)
    t.equal(words(characters.join('')).join(' '), expected.join(' '), unit)
  }
})

t.test('runs that are shorter than a piece are read in pieces together', async (t) => {
  const tokens = tokensInPieces(`${'東aB1'.repeat(2_000)} `.repeat(25))
  let pieces = 1
  while (tokens.next().done !== true) pieces++
  t.ok(pieces >= 20, String(pieces))
})
