import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { inOneGo } from '../../../src/domain/pieces.js'
import { HttpProblem } from '../../../src/http/contract/problem.js'
import { readJson } from '../../../src/http/wire/json-text.js'

const FIELDS: ReadonlySet<string> = new Set(['a', 'b'])

interface Reading {
  readonly runBytes?: number
  readonly textBytes?: number
  readonly valuesMax?: number
}

function read(text: string, { valuesMax = Infinity, ...sizes }: Reading = {}): unknown {
  return inOneGo(readJson(Buffer.from(text), { ...sizes, isStrict: true, isAnySize: true, sieve: { fields: FIELDS, valuesMax } }))
}

/** What a sieve has to keep of a parsed value. */
function keptOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keptOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).flatMap(([name, field]) => (FIELDS.has(name) ? [[name, keptOf(field)]] : [])))
}

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(fc.integer(), fc.string({ maxLength: 60 }), fc.constant(null)),
    fc.array(tie('value')),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'constructor'), tie('value'))
  )
}))

t.test('of JSON read with a sieve the named fields are kept, in runs of any length', async () => {
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 40 }), (given, runBytes) =>
      isDeepStrictEqual(read(JSON.stringify(given), { runBytes, textBytes: 16 }), keptOf(given))
    ),
    { numRuns: 500 }
  )
})

t.test('what a sieve drops has to be JSON all the same', async (t) => {
  const long = 'x'.repeat(100)
  for (const broken of ['nul', `"${long}\\x"`, `[1,${'1,'.repeat(100)}]`, `{"d":"${long}","e":nul}`])
    t.throws(() => read(`{"c":${broken},"a":1}`, { runBytes: 10, textBytes: 16 }), HttpProblem, broken)
})

t.test('what is kept is bounded, and what is dropped does not count', async (t) => {
  const many = `[${'{},'.repeat(20_000)}{}]`
  t.strictSame(read(`{"c":${many},"a":{"c":${many}}}`, { valuesMax: 2 }), { a: {} })
  for (const text of [`{"a":${many}}`, many, `[${'1,'.repeat(20_000)}1]`, `{"a":[{"b":[{},{},{}]}]}`])
    t.throws(() => read(text, { valuesMax: 4 }), HttpProblem)
  t.strictSame(read('[[],{},1]', { valuesMax: 4 }), [[], {}, 1])
})
