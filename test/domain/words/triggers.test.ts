import fc from 'fast-check'
import t from 'tap'
import { inOneGo } from '../../../src/domain/pieces.js'
import type { Trigger } from '../../../src/domain/session.js'
import { SEARCHED_UNITS_A_PIECE } from '../../../src/domain/text/substring.js'
import { PRODUCTS_A_PIECE } from '../../../src/domain/similarity/vector.js'
import { firedTriggers, foldFully, foldInPieces, type TriggerInput } from '../../../src/domain/words/triggers.js'

const EAST = Float32Array.of(1, 0)

function trigger(own: Partial<Trigger>): Trigger {
  return { id: 't', keyword: null, embedding: null, threshold: 0.75, firedCount: 0, firedTurn: 0, ...own }
}

/** Scale of a model without calibration. */
const scale = (cosine: number) => cosine
const fired = (input: TriggerInput, triggers: readonly Trigger[]) => inOneGo(firedTriggers(input, triggers))
const fires = (keyword: string, text: string) => fired({ text, vector: EAST, scale }, [trigger({ keyword })]).length === 1

const FIRING: readonly (readonly [string, string])[] = [
  ['ship', 'Ship it'],
  ['ship', 'When do we ship?'],
  ['ship', 'ship'],
  ['ship it', 'So,  SHIP\n it now'],
  ['straße', 'DIE STRASSE'],
  ['STRASSE', 'eine Straße'],
  ['straße', 'DIE STRAẞE'],
  ['Größe', 'GRÖSSE'],
  ['ΟΔΟΣ', 'η οδός οδος'],
  ['café', 'the cafe\u0301 is open'],
  ['ﬁle', 'a FILE'],
  ['c++', 'we write C++ here'],
  ['🙂', 'well🙂then'],
  ['東京', '私は東京に住んでいます'],
  ['여권', '여권이 어디 있어요?'],
  ['api', 'APIを使う'],
  ['a', 'b a'],
  ['node', 'node_modules or node'],
  ['ab', 'abab ab'],
  ['a a', 'xa a a']
]
const SILENT: readonly (readonly [string, string])[] = [
  ['ship', 'shipping'],
  ['ship', 'friendship'],
  ['ship', 'ship2'],
  ['node', 'node_modules'],
  ['ship it', 'ship that it'],
  ['cafe', 'café'],
  ['cafe', 'cafe\u0301'],
  ['東京', '京都'],
  [' ', 'anything at all'],
  ['ship', ''],
  ['aa', 'aaa a'],
  ['ab', 'abab xab']
]

for (const [keyword, text] of FIRING) t.test(`keyword "${keyword}" fires in "${text}"`, async (t) => t.ok(fires(keyword, text)))
for (const [keyword, text] of SILENT) t.test(`keyword "${keyword}" is silent in "${text}"`, async (t) => t.notOk(fires(keyword, text)))

t.test('an embedding trigger fires from its threshold on, inclusively', async (t) => {
  const at = (threshold: number) =>
    fired({ text: 'x', vector: Float32Array.of(0.75, Math.sqrt(1 - 0.75 ** 2)), scale }, [trigger({ embedding: EAST, threshold })]).length
  t.equal(at(0.75), 1)
  t.equal(at(0.76), 0)
  t.equal(at(-1), 1)
})

t.test('several triggers are given back in their order, only those that fire', async (t) => {
  const triggers = [trigger({ id: 'a', keyword: 'red' }), trigger({ id: 'b', keyword: 'blue' }), trigger({ id: 'c', embedding: EAST })]
  t.same(
    fired({ text: 'Red wine', vector: EAST, scale }, triggers).map(({ id }) => id),
    ['a', 'c']
  )
})

t.test('folding twice changes nothing more', async (t) => {
  for (const [keyword, text] of [...FIRING, ...SILENT])
    for (const one of [keyword, text]) t.equal(foldFully(foldFully(one)), foldFully(one))
})

/** Characters that fold to another one, to several, or together with their neighbours, and runs longer than one piece. */
const unit = fc.oneof(
  fc.constantFrom(
    'a',
    'B',
    ' ',
    '\n',
    '\u00a0',
    '\u0301',
    '\u0307',
    '\u0338',
    '=',
    'ß',
    'ẞ',
    'Σ',
    'ς',
    'İ',
    '\ufb03',
    '\u0390',
    '\u2057',
    '\u00a8'
  ),
  fc.constantFrom(
    '\u1112',
    '\u1161',
    '\u11ab',
    '\uac00',
    '\uff76',
    '\uff9e',
    '\u3099',
    '\u{1f600}',
    '\ufdfa',
    '\u09c7',
    '\u09be',
    '\u0345'
  ),
  fc.constantFrom('a'.repeat(8_150), 'b '.repeat(4_080), '\u0301'.repeat(8_180), '\u2057'.repeat(8_190))
)

t.test('a text that is folded in pieces is as one that is folded whole', async () => {
  const text = fc.array(unit, { maxLength: 24 }).map((units) => units.join(''))
  fc.assert(
    fc.property(text, (one) => inOneGo(foldInPieces(one)).folded === foldFully(one)),
    { numRuns: 500 }
  )
})

t.test('a keyword fires where a plain reading finds it as a whole phrase', async () => {
  const word = fc.array(fc.constantFrom('a', 'a', 'b', ' ', 'é', '東', '!', '\u2057', 'ß'), { minLength: 1, maxLength: 12 })
  const text = fc.tuple(word, fc.nat(30), word).map(([first, times, last]) => `${first.join('').repeat(times)}${last.join('')}`)
  fc.assert(
    fc.property(
      text,
      word.map((units) => units.join('')),
      (one, keyword) => fires(keyword, one) === standsIn(keyword, one)
    ),
    { numRuns: 2_000 }
  )
})

/** Reference implementation that compares letter by letter. */
function standsIn(keyword: string, text: string): boolean {
  const [phrase, folded] = [foldFully(keyword), foldFully(text)]
  const isEdge = (at: number): boolean => {
    const [before = '', next = ''] = [folded[at - 1], folded[at]]
    if (before === '' || next === '' || [before, next].includes('東')) return true
    return !/\p{L}/u.test(before) || !/\p{L}/u.test(next)
  }
  const places = Array.from({ length: folded.length }, (_, at) => at)
  return phrase !== '' && places.some((at) => folded.startsWith(phrase, at) && isEdge(at) && isEdge(at + phrase.length))
}

function piecesOf(text: string, keywords: readonly string[]): number {
  const work = firedTriggers(
    { text, vector: EAST, scale },
    keywords.map((keyword) => trigger({ keyword }))
  )
  let pieces = 0
  while (work.next().done !== true) pieces++
  return pieces
}

t.test('keywords that nearly repeat themselves take a piece for every so many letters of the text', async (t) => {
  const text = 'a'.repeat(200_000)
  const reading = piecesOf(text, ['b'])
  const keywords = Array.from({ length: 256 }, (_, at) => `ab${'a'.repeat(at + 700)}`)
  const searching = piecesOf(text, keywords) - reading
  t.equal(Math.ceil(searching / 256), Math.ceil(200_000 / SEARCHED_UNITS_A_PIECE))
})

t.test('of a text that folding makes much longer, the beginning is searched', async (t) => {
  const spelt = '\u2057'.repeat(150_000)
  t.ok(fires('here', `here ${spelt}`))
  t.notOk(fires('here', `${spelt} here`))
  t.ok(fires('here', `${'a '.repeat(99_000)} here`))
  const { folded, isWhole } = inOneGo(foldInPieces(spelt))
  t.notOk(isWhole)
  t.ok(folded.length < 450_000, `${folded.length} units`)
})

t.test('embeddings of many numbers take a piece for every so many products', async (t) => {
  const vector = new Float32Array(16_384)
  const triggers = Array.from({ length: 256 }, () => trigger({ embedding: vector }))
  let pieces = 0
  for (const work = firedTriggers({ text: 'x', vector, scale }, triggers); work.next().done !== true;) pieces++
  t.ok(pieces >= (256 * 16_384) / PRODUCTS_A_PIECE - 1, `${String(pieces)} pieces`)
})
