import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { inOneGo } from '../../../src/domain/pieces.js'
import { HttpProblem } from '../../../src/http/contract/problem.js'
import { readJson } from '../../../src/http/wire/json-text.js'
import { anyCharacter } from '../../support/any-text.js'

const REFUSED = Symbol('refused')

function orRefused(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return REFUSED
  }
}

const atOnce = (body: Buffer): unknown => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))

/** Compares values, the signs of zeros, and the order of names. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other) && JSON.stringify(one) === JSON.stringify(other)
}

function isReadAlike(body: Buffer, runBytes: number, textBytes?: number): boolean {
  return isSame(
    orRefused(() => inOneGo(readJson(body, { runBytes, ...(textBytes !== undefined && { textBytes }) }))),
    orRefused(() => atOnce(body))
  )
}

const runBytes = fc.integer({ min: 1, max: 40 })
// Few names, so that some repeat; integers among them, which objects order differently. Two backslashes: once JSON.parse of Node.js 24.21
// (V8 13.6) has seen a single backslash as a name, it takes a quotation mark for one.
const name = fc.constantFrom('a', 'b', '2', '10', '', 'é', '"', '\\\\', '[{,:', 'constructor')
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(fc.double(), fc.string({ unit: anyCharacter }), fc.boolean(), fc.constant(null)).map((value) => JSON.stringify(value)),
    fc.constantFrom(
      '-0',
      '1e400',
      '0.1e-7',
      '123456789012345678901234567890',
      '"\\ud800"',
      '"\\"\\\\"',
      '"[{\\"],:"',
      `"${'\\\\'.repeat(60)}\\""`
    ),
    fc.array(tie('json')).map((items) => `[${items.join(' , ')}]`),
    fc
      .array(fc.tuple(name, tie('json')))
      .map((fields) => `{${fields.map(([key, value]) => `${JSON.stringify(key)} :${value}`).join(',')}\n}`)
  )
}))

t.test('JSON read in runs of any length is what it is when parsed at once', async (t) => {
  fc.assert(
    fc.property(json, runBytes, (text, bytes) => isReadAlike(Buffer.from(text), bytes)),
    { numRuns: 500 }
  )
  t.pass()
})

t.test('JSON with long texts in parts of any length is what it is when parsed at once', async (t) => {
  const unit = fc.constantFrom('a', 'é', '語', '😀', '\\n', '\\"', '\\\\', '\\u00e9', '\\ud83d', '\\ude00', '\\', '\u0001')
  const text = fc.array(unit, { minLength: 5, maxLength: 60 }).map((units) => `"${units.join('')}"`)
  const around = fc.constantFrom(
    '@',
    '[@]',
    '[1,@,2]',
    '{"a":@}',
    '{"a":1,"b":@,"c":@}',
    '[@ @]',
    '[@:1]',
    '{"a":@:1}',
    '[[@],{"a":[@]}',
    '@1'
  )
  let valid = 0
  fc.assert(
    fc.property(around, text, runBytes, fc.integer({ min: 16, max: 40 }), (shape, value, bytes, textBytes) => {
      const body = Buffer.from(shape.replaceAll('@', value))
      if (orRefused(() => atOnce(body)) !== REFUSED) valid++
      return isReadAlike(body, bytes, textBytes)
    }),
    { numRuns: 3_000 }
  )
  t.ok(valid > 300, 'many are JSON')
})

t.test('JSON: a long text is read some a piece, and no name of a field is as long', async (t) => {
  const escapes = '\\u0041\\"'.repeat(100_000)
  const work = readJson(Buffer.from(`{"text":"${escapes}"}`))
  let pieces = 1
  let next = work.next()
  for (; next.done !== true; next = work.next()) pieces += 1
  t.strictSame(next.value, { text: 'A"'.repeat(100_000) })
  t.ok(pieces > 800_000 / 65_536 + 100_000 / 4_096, `${pieces} pieces`)
  try {
    inOneGo(readJson(Buffer.from(`{"${escapes}":1}`)))
    t.fail('it was read')
  } catch (error) {
    t.match(error, { detail: [{ msg: 'JSON with a field name of more than 65536 bytes' }] })
  }
})

t.test('JSON damaged anywhere is refused, or read alike where it is still JSON', async (t) => {
  const wrong = fc.constantFrom(
    '[',
    ']',
    '{',
    '}',
    '"',
    ',',
    ':',
    '\\',
    ' ',
    '1',
    '-',
    '.',
    'e',
    '\u0001',
    'nu',
    '[]',
    '""',
    '],[',
    '\ufeff'
  )
  const damage = fc.record({
    at: fc.nat(),
    removed: fc.nat({ max: 2 }),
    added: fc.oneof(
      wrong.map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 2 })
    )
  })
  const damaged = fc.tuple(json, fc.array(damage, { minLength: 1, maxLength: 3 })).map(([text, damages]) => {
    let body = Buffer.from(text)
    for (const { at, removed, added } of damages) {
      const place = at % (body.length + 1)
      body = Buffer.concat([body.subarray(0, place), added, body.subarray(place + removed)])
    }
    return body
  })
  let valid = 0
  fc.assert(
    fc.property(damaged, runBytes, (body, bytes) => {
      if (orRefused(() => atOnce(body)) !== REFUSED) valid++
      return isReadAlike(body, bytes)
    }),
    { numRuns: 3_000 }
  )
  t.ok(valid > 100, 'some are JSON still')
})

t.test('JSON is read alike with a mark of the byte order, with one too many, or with nothing in it', async (t) => {
  for (const text of [
    '\ufeff[1,2]',
    '\ufeff\ufeff1',
    '[1,\ufeff2]',
    ' ',
    '\ufeff',
    '1 2',
    '[1,2',
    '1]',
    '[1],[2]',
    '][',
    '[1,]',
    '[,1]',
    '{"a":1,}',
    '{"a":1[2,3]}',
    '[[1,2][3,4]]'
  ]) {
    for (const bytes of [1, 3, 100]) t.ok(isReadAlike(Buffer.from(text), bytes), `${JSON.stringify(text)} by ${bytes} bytes`)
  }
})

t.test('JSON whose first bytes are in part those of a mark is read from its beginning', async (t) => {
  t.equal(inOneGo(readJson(Buffer.from('"¿"'))), '¿')
})

t.test('JSON: a long text ends at its quote however many backslashes stand before that', async (t) => {
  for (let pairs = 0; pairs < 4; pairs++) {
    for (const end of ['', '\\"']) {
      const value = ['x'.repeat(100) + '\\'.repeat(pairs) + end, [1, 2]]
      for (const bytes of [1, 10, 1_000]) t.ok(isReadAlike(Buffer.from(JSON.stringify(value)), bytes), `${pairs} pairs${end}`)
    }
  }
})

const readBy = (text: string, runBytes: number, isStrict = false) =>
  orRefused(() => inOneGo(readJson(Buffer.from(text), { runBytes, isStrict })))

t.test('JSON: keys that could reach a prototype are dropped wherever the runs begin, and nothing is polluted', async (t) => {
  for (const bytes of [1, 4, 100]) {
    for (const [text, rest] of [
      ['{"a":1,"__proto__":1}', '{"a":1}'],
      ['[1,{"b":2,"\\u005f_proto__":{"polluted":[3]}}]', '[1,{"b":2}]'],
      ['{"__proto__":{"__proto__":{"polluted":1}},"a":{"__proto__":null}}', '{"a":{}}'],
      ['{"constructor":{"a":1,"prototype":{"polluted":1}}}', '{}'],
      ['{"constructor":{"a":1},"prototype":1}', '{"constructor":{"a":1},"prototype":1}'],
      ['{"constructor":{"prototype":1},"a":2,"constructor":3}', '{"constructor":3,"a":2}']
    ] as const) {
      const value = readBy(text, bytes)
      t.equal(JSON.stringify(value), rest, text)
      t.ok([Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value) as object), 'its prototype is its own')
    }
    t.notOk('polluted' in {})
  }
})

t.test('JSON: words for numbers that are none are read as infinities, unless only JSON will do', async (t) => {
  for (const bytes of [1, 4, 100]) {
    t.same(readBy('[NaN,Infinity,-Infinity , 1]', bytes), [Infinity, Infinity, -Infinity, 1])
    t.same(readBy('{"a":[1,NaN],"NaN":NaN,"b":{"c":-Infinity}}', bytes), { a: [1, Infinity], NaN: Infinity, b: { c: -Infinity } })
    t.same(readBy('["NaN","\\"NaN",NaN,"-Infinity\\\\",Infinity]', bytes), ['NaN', '"NaN', Infinity, '-Infinity\\', Infinity])
    for (const text of ['[NaN]', '{"a":-Infinity}']) t.equal(readBy(text, bytes, true), REFUSED, text)
    const malformed = [
      'nan',
      '-NaN',
      '+Infinity',
      '--Infinity',
      '1NaN',
      'NaN1',
      'Infinity5',
      'Infinity.5',
      'NaNNaN',
      'Infinit',
      'NaN,',
      '-'
    ]
    for (const word of malformed) t.equal(readBy(`[${word}]`, bytes), REFUSED, word)
    t.equal(readBy('{NaN:1}', bytes), REFUSED, 'no name of a field')
  }
})

t.test('JSON: a body full of such words costs no more than so many numbers', async (t) => {
  const list = (word: string) => Buffer.from(`[${Array.from({ length: 200_000 }, () => word).join(',')}]`)
  const piecesOf = (body: Buffer): number => {
    const work = readJson(body)
    let pieces = 1
    while (work.next().done !== true) pieces++
    return pieces
  }
  t.equal(piecesOf(list('NaN')), piecesOf(list('100')))
})

t.test(
  'JSON of many new names, of large objects, of short texts, of numbers or of nested lists is read in pieces of a bounded number of bytes',
  async (t) => {
    const many = (count: number, item: (at: number) => string) => Array.from({ length: count }, (_, at) => item(at)).join(',')
    const fields = (count: number, from: number) => `{${many(count, (at) => `"n${from + at}":1`)}}`
    // Each byte is looked at, 64 KiB at a time, and parsed, 16 KiB and one item at a time.
    for (const [what, text, count] of [
      ['new names', `[${many(200, (at) => fields(99, at * 99))}]`, 21],
      ['large objects', `[${many(3, (at) => fields(9_000, at * 9_000))}]`, 31],
      ['short texts', `{"a":[${many(40_000, (at) => `"${at}"`)}]}`, 31],
      ['numbers', `[[${many(100_000, () => '0')}],1]`, 31],
      ['lists with a list at their end', `${`["${'x'.repeat(15_000)}",`.repeat(60)}1${']'.repeat(60)}`, 132],
      ['nested lists', `${'['.repeat(60)}${many(300, (at) => `[["${'x'.repeat(900)}${at}"]]`)}${']'.repeat(60)}`, 82]
    ] as const) {
      const work = readJson(Buffer.from(text))
      let pieces = 1
      while (work.next().done !== true) pieces++
      t.equal(pieces, count, what)
    }
  }
)

t.test('JSON: ten thousand lists and objects are read, and one more for every forty bytes', async (t) => {
  const lists = (count: number) => Buffer.from(`[${Array.from({ length: count }, () => '[]').join(',')}]`)
  t.equal((inOneGo(readJson(lists(10_809))) as unknown[]).length, 10_809)
  t.throws(() => inOneGo(readJson(lists(10_810))), HttpProblem)
  t.equal((inOneGo(readJson(lists(10_810), { isAnySize: true })) as unknown[]).length, 10_810)
})

t.test('JSON: long values without a comma between them are refused before any is parsed', async (t) => {
  const list = JSON.stringify(Array.from({ length: 40_000 }, (_, at) => at))
  const work = readJson(Buffer.from(`[${list}${list}]`))
  let pieces = 0
  const outcome = orRefused(() => {
    while (work.next().done !== true) pieces++
  })
  t.equal(outcome, REFUSED)
  t.ok(pieces <= (2 * list.length) / 65_536, `${pieces} pieces`)
})
