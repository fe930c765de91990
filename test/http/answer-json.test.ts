import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import t from 'tap'
import { jsonParts, longestPart } from '../../src/http/answer-json.js'
import { toAnswer } from '../../src/http/large-answers.js'

const values: Readonly<Record<string, unknown>> = {
  text: 'a "quoted" text',
  number: 1.5,
  nothing: null,
  'empty object': {},
  'empty list': [],
  list: [1, 'two', null, undefined, Number.NaN, { three: [4] }],
  object: { a: 1, gone: undefined, list: [{ b: 'c' }, [], {}], none: [], 'odd "name"': { d: [1, 2] }, last: undefined },
  date: new Date(0),
  'only a missing field': { gone: undefined }
}

for (const [name, value] of Object.entries(values)) {
  t.test(`${name}: the parts are what JSON.stringify gives`, async (t) => {
    t.equal([...jsonParts(value)].join(''), JSON.stringify(value))
  })
}

t.test('each item of a list is a part of its own', async (t) => {
  const items = Array.from({ length: 5 }, (_, at) => 'x'.repeat(1_000 + at))
  for (const value of [items, { items }]) {
    t.ok([...jsonParts(value)].every((part) => part.length < 1_100))
    t.ok(longestPart(value) >= 1_004)
    t.ok(longestPart(value) < 1_100)
  }
})

t.test('an answer of a few characters is one text, a long one a stream of the same JSON', async (t) => {
  t.equal(toAnswer({ a: [1] }), '{"a":[1]}')
  const long = { id: 's', items: Array.from({ length: 40 }, (_, at) => ({ at, text: `${'x'.repeat(at)}${'\u{1f600}'.repeat(50_000)}` })), total: 40 }
  const answer = toAnswer(long)
  t.ok(answer instanceof Readable)
  t.equal(await text(answer as Readable), JSON.stringify(long))
})

t.test('a long list is read no further than its answer is', async (t) => {
  let read = 0
  const items = Array.from({ length: 100 }, () => ({
    get text() {
      read++
      return 'x'.repeat(100_000)
    }
  }))
  const answer = toAnswer({ items }) as Readable
  // Each is looked at once for its length.
  const before = read
  answer.read()
  await new Promise<void>((resolve) => answer.once('readable', resolve))
  t.ok(read - before < 10, `${read - before} of 100 items made before anybody reads on`)
  answer.destroy()
})
