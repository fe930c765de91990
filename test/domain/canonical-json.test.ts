import fc from 'fast-check'
import t from 'tap'
import { canonicalJson } from '../../src/domain/canonical-json.js'

const text = (value: unknown, encode?: (value: unknown) => unknown) => [...canonicalJson(value, encode)].join('')

t.test('any plain value comes back as it was', async () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) =>
      Object.is(JSON.stringify(JSON.parse(text(value))), JSON.stringify(JSON.parse(JSON.stringify(sorted(value)))))
    )
  )
})

t.test('an object gives the same text in any order of its keys', async () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const reversed = Object.fromEntries(Object.entries(object).reverse())
      return text(object) === text(reversed)
    })
  )
})

t.test('keys are sorted by code unit, without white space', async (t) => {
  t.equal(
    text({ b: 1, a: [true, null, 'x'], '\u{1f600}': 0, '\uff5e': 0, B: -0.5 }),
    '{"B":-0.5,"a":[true,null,"x"],"b":1,"\u{1f600}":0,"\uff5e":0}'
  )
})

t.test('an undefined property is left out', async (t) => {
  t.equal(text({ a: undefined, b: 1 }), '{"b":1}')
})

t.test('half a surrogate pair is escaped and comes back', async (t) => {
  t.equal(text({ a: '\ud800' }), '{"a":"\\ud800"}')
  t.same(JSON.parse(text({ a: '\ud800' })), { a: '\ud800' })
})

t.test('the encoder may replace any value at its turn', async (t) => {
  const encode = (value: unknown) => (value instanceof Float32Array ? [...value] : value)
  t.equal(text({ v: Float32Array.of(1, 2), w: { v: Float32Array.of(3) } }, encode), '{"v":[1,2],"w":{"v":[3]}}')
})

t.test('a large value comes in several chunks of a bounded size', async (t) => {
  const chunks = [...canonicalJson(Array.from({ length: 50_000 }, (_, at) => at))]
  t.ok(chunks.length > 3)
  t.ok(chunks.every((chunk) => chunk.length < 70_000 && chunk !== ''))
})

t.test('a long text comes in chunks of a bounded size, escaped as in one', async (t) => {
  const long = '\u{1f600}"\\\ud800ä'.repeat(40_000)
  const chunks = [...canonicalJson({ long, short: '\u{1f600}' })]
  t.ok(chunks.every((chunk) => chunk.length < 600_000))
  t.equal(chunks.join(''), JSON.stringify({ long, short: '\u{1f600}' }))
})

t.test('the encoder may give a text in parts', async (t) => {
  t.equal(
    text({ v: Float32Array.of(1), w: 1 }, (value) => (value instanceof Float32Array ? ['ab', 'cd'].values() : value)),
    '{"v":"abcd","w":1}'
  )
})

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)])
  )
}

t.test('a pair of surrogates that would be divided between two chunks is not', async (t) => {
  for (let before = 65_533; before <= 65_537; before++) {
    const long = `${'x'.repeat(before)}\u{1f600}\u{1f600}y`
    t.equal(text(long), JSON.stringify(long), String(before))
  }
})
