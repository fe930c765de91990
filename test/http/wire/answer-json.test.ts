import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import t from 'tap'
import { processorOf } from '../../../actors/scheduling/processor.js'
import type { RunFairly } from '../../../src/http/contract/contracts.js'
import { inPieces, toLongAnswer, weightOnTheWay } from '../../../src/http/plugins/large-answers.js'
import { jsonParts, sizeOfAnswer, toJsonObject } from '../../../src/http/wire/answer-json.js'
import { createSystemClock } from '../../../src/platform/clock.js'

/** `workedMs`: milliseconds that the work has taken so far. */
function answerOf(data: unknown, workedMs = () => 0): Promise<string | Readable> {
  const { takePieces } = processorOf({ ...createSystemClock(), monotonicMs: workedMs })
  const runFairly: RunFairly = (work) => takePieces('a', work)
  return toLongAnswer(data, sizeOfAnswer(data), runFairly)
}

const values: Readonly<Record<string, unknown>> = {
  text: 'a "quoted" text',
  number: 1.5,
  nothing: null,
  'empty object': {},
  'empty list': [],
  list: [1, 'two', null, undefined, Number.NaN, { three: [4] }],
  object: { a: 1, gone: undefined, list: [{ b: 'c' }, [], {}], none: [], 'odd "name"': { d: [1, 2] }, last: undefined },
  date: new Date(0),
  'objects by their entries': {
    scores: toJsonObject<unknown>([
      ['b', 1],
      ['odd "name"', { c: [2] }],
      ['gone', undefined],
      ['__proto__', 3]
    ]),
    none: toJsonObject([])
  },
  'only a missing field': { gone: undefined }
}

for (const [name, value] of Object.entries(values)) {
  t.test(`${name}: the parts are what JSON.stringify gives`, async (t) => {
    t.equal([...jsonParts(value)].join(''), JSON.stringify(value))
  })
}

t.test('each item of a list is a part of its own, and each entry of an object that is given by them', async (t) => {
  const items = Array.from({ length: 5 }, (_, at) => 'x'.repeat(1_000 + at))
  for (const value of [items, { items }, { items: toJsonObject(items.map((item, at) => [String(at), item])) }]) {
    t.ok([...jsonParts(value)].every((part) => part.length < 1_100))
    const { chars, longest } = sizeOfAnswer(value)
    t.ok(longest >= 1_004 && longest < 1_100)
    t.ok(chars >= 5_010 && chars < 5_500)
  }
})

t.test('a size is that of all fields and items, each with some characters about it', async (t) => {
  t.same(sizeOfAnswer({ a: 'xy', n: 1, l: [{ b: 'c' }, null, [2, 'd']] }), { chars: 77, longest: 26 })
  t.same(sizeOfAnswer(['x']), { chars: 9, longest: 9 })
  t.same(sizeOfAnswer(5), { chars: 0, longest: 0 })
})

t.test('an answer of some characters is one text, a long one a stream of the same JSON', async (t) => {
  t.equal(await answerOf({ a: [1] }), '{"a":[1]}')
  const long = {
    id: 's',
    items: Array.from({ length: 40 }, (_, at) => ({ at, text: `${'x'.repeat(at)}${'\u{1f600}'.repeat(50_000)}` })),
    total: 40
  }
  const answer = await answerOf(long)
  t.ok(answer instanceof Readable)
  t.equal(await text(answer as Readable), JSON.stringify(long))
})

t.test('an answer is one text up to 256 Ki characters, and beyond that a stream of pieces of 64 Ki', async (t) => {
  const whole = 256 * 1024
  const sized = (chars: number) => answerOf({ a: 'x'.repeat(chars - 8) })
  t.type(await sized(whole), 'string')
  const stream = await sized(whole + 1)
  t.ok(stream instanceof Readable)
  t.same(weightOnTheWay(stream), { heap: 64 * 1024 + 2 * (whole + 1), buffers: 128 * 1024 })
  const untilAdmitted = () => Promise.resolve()
  t.type(inPieces('x'.repeat(whole), untilAdmitted), 'string')
  const pieces = inPieces('x'.repeat(whole + 1), untilAdmitted)
  t.same(weightOnTheWay(pieces), { heap: whole + 1, buffers: 128 * 1024 })
  const sizes: number[] = []
  for await (const piece of pieces as Readable) sizes.push((piece as Buffer).length)
  t.same(sizes, [65_536, 65_536, 65_536, 65_536, 1])
  t.equal(weightOnTheWay('x'), null)
})

t.test('the pieces of a long answer part no character, wherever they end', async (t) => {
  // U+FF5E is above all surrogates.
  const items = Array.from({ length: 80 }, (_, at) => `${'x'.repeat(65_480 + at)}${'\u{1f600}\uff5e'.repeat(20)}`)
  const bytes = await buffer((await answerOf({ items })) as Readable)
  t.ok(bytes.equals(Buffer.from(JSON.stringify({ items }))))
})

t.test('a long list is read no further than its answer is', async (t) => {
  let read = 0
  const items = Array.from({ length: 100 }, () => ({
    get text() {
      read++
      return 'x'.repeat(100_000)
    }
  }))
  const answer = (await answerOf({ items })) as Readable
  // Each is looked at once for its length.
  const before = read
  answer.read()
  await new Promise<void>((resolve) => answer.once('readable', resolve))
  t.ok(read - before < 10, `${read - before} of 100 items made before anybody reads on`)
  answer.destroy()
})

t.test('a long answer is worked on for two milliseconds an iteration of the event loop, however fast it is read', async (t) => {
  let read = 0
  const items = Array.from({ length: 100 }, () => ({
    get text() {
      read++
      return 'x'.repeat(100_000)
    }
  }))
  const answer = (await answerOf({ items }, () => read)) as Readable
  const before = read
  answer.resume()
  let last = before
  let most = 0
  const ended = new Promise<void>((resolve) => answer.once('end', resolve))
  const look = setImmediate(function again() {
    most = Math.max(most, read - last)
    last = read
    if (!answer.readableEnded) setImmediate(again)
  })
  await ended
  clearImmediate(look)
  most = Math.max(most, read - last)
  t.equal(read - before, 100)
  t.ok(most < 10, `${most} of 100 items in one turn`)
})
