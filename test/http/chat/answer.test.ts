import fc from 'fast-check'
import t from 'tap'
import { inOneGo } from '../../../src/domain/pieces.js'
import { TEXT_LENGTH_MAX } from '../../../src/domain/limits.js'
import { answerOf, createStreamedAnswer } from '../../../src/http/chat/answer.js'
import { chunk, completion, DONE, event, streamed } from '../../support/chat-upstream.js'

/** What is read from `bytes`, cut at these places. */
function read(bytes: Buffer, cuts: readonly number[] = []): string | null {
  const answer = createStreamedAnswer()
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  places.slice(1).forEach((end, at) => inOneGo(answer.push(bytes.subarray(places[at], end))))
  inOneGo(answer.end())
  return answer.text()
}

t.test('an answer in events is read as it was written, cut anywhere, with any line ends and comments', async () => {
  const piece = fc.string({ unit: 'grapheme', maxLength: 8 })
  const noise = fc.constantFrom('', ': comment\n\n', 'id: 5\n', 'retry: 10\n\n', '\n\n', 'event: message\n', ':\n')
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, noise)), fc.constantFrom('\n', '\r', '\r\n'), fc.array(fc.nat(100_000)), (pieces, end, cuts) => {
      const text = pieces.map(([content, before]) => before + chunk(content)).join('') + chunk(null, 'stop') + DONE
      const expected = pieces.map(([content]) => content).join('')
      const bytes = Buffer.from(text.replaceAll('\n', end))
      return read(bytes, cuts) === (expected.trim() === '' ? null : expected.replaceAll('\0', '\ufffd'))
    }),
    { numRuns: 500 }
  )
})

t.test('an event over several lines is one; a byte order mark is none of its text', async (t) => {
  const lines = JSON.stringify({ choices: [{ index: 0, delta: { content: 'Yes.' }, finish_reason: 'stop' }] }, null, 1).split('\n')
  t.equal(read(Buffer.from(`\ufeff${lines.map((line) => `data:${line}\n`).join('')}\n`)), 'Yes.')
})

t.test('any bytes at all are read without a failure', async () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(300)), (bytes, cuts) => read(Buffer.from(bytes), cuts) === null))
  const fragment = fc.constantFrom(
    'data: ',
    '{',
    '}',
    '"choices"',
    ':',
    '[',
    ']',
    'null',
    '\n\n',
    '\r',
    'event',
    'delta',
    '[DONE]',
    '"index":0'
  )
  fc.assert(fc.property(fc.array(fragment), (fragments) => read(Buffer.from(fragments.join(''))) === null))
})

t.test('a whole answer is known as done only once the service says so', async (t) => {
  const answer = createStreamedAnswer()
  inOneGo(answer.push(Buffer.from(chunk('Yes.'))))
  t.strictSame([answer.text(), answer.isDone()], [null, false])
  inOneGo(answer.push(Buffer.from(chunk(null, 'stop'))))
  t.strictSame([answer.text(), answer.isDone()], ['Yes.', false])
  inOneGo(answer.push(Buffer.from(DONE)))
  t.strictSame([answer.text(), answer.isDone()], ['Yes.', true])
  inOneGo(answer.push(Buffer.from(chunk('No.') + event({ error: {} }))))
  t.equal(answer.text(), 'Yes.', 'nothing counts after that')
})

t.test('an answer without [DONE] and without a reason is not whole; either is enough', async (t) => {
  t.equal(read(Buffer.from(chunk('Yes.'))), null)
  t.equal(read(Buffer.from(chunk('Yes.') + DONE)), 'Yes.')
  t.equal(read(Buffer.from(chunk('Yes.', 'length'))), 'Yes.')
})

t.test('an answer or an event above its limit is not held', async (t) => {
  const half = 'x'.repeat(TEXT_LENGTH_MAX / 2)
  t.equal(read(Buffer.from(streamed([half, half])))?.length, TEXT_LENGTH_MAX)
  t.equal(read(Buffer.from(streamed([half, half, 'x']))), null)
  const faces = '\u{1f600}'.repeat(TEXT_LENGTH_MAX / 2)
  t.equal(read(Buffer.from(streamed([faces, faces]))), faces + faces, 'a pair of surrogates is one character')
  t.equal(read(Buffer.from(streamed([faces, faces, 'x']))), null)
  const answer = createStreamedAnswer()
  const megabyte = Buffer.alloc(1_048_576, 'x')
  inOneGo(answer.push(Buffer.from('data: ')))
  for (let at = 0; at < 5; at++) inOneGo(answer.push(megabyte))
  inOneGo(answer.push(Buffer.from(`\n\n${streamed(['Yes.'])}`)))
  inOneGo(answer.end())
  t.equal(answer.text(), null)
})

t.test('of an answer in one piece the first choice counts', async (t) => {
  const of = (value: unknown) => inOneGo(answerOf(Buffer.from(JSON.stringify(value))))
  t.equal(of(completion('Yes.')), 'Yes.')
  t.equal(of(completion('Yes.', {}, 'length')), 'Yes.')
  t.equal(of(completion('\u{1f600}'.repeat(TEXT_LENGTH_MAX)))?.length, 2 * TEXT_LENGTH_MAX)
  t.equal(
    of({ choices: [{ message: { content: [{ type: 'text', text: 'Yes' }, { type: 'image' }, { type: 'text', text: 'No' }] } }] }),
    'Yes\nNo'
  )
  for (const nothing of [
    completion(null),
    completion('  '),
    completion('x', { tool_calls: [{}] }),
    completion('x', { function_call: {} }),
    completion('x', {}, 'content_filter'),
    completion('x'.repeat(TEXT_LENGTH_MAX + 1)),
    completion('\u{1f600}'.repeat(TEXT_LENGTH_MAX + 1)),
    { ...completion('x'), error: { message: 'x' } },
    { choices: [{ index: 1, message: { content: 'x' } }] },
    { choices: [] },
    null,
    'x'
  ])
    t.equal(of(nothing), null)
  t.equal(inOneGo(answerOf(Buffer.from('{'))), null)
})

t.test('an answer that is given up holds nothing, and is none when it comes to its end', async (t) => {
  const answer = createStreamedAnswer()
  const bytes = Buffer.from(streamed(['a', 'b']))
  inOneGo(answer.push(Buffer.from(`data: ${'x'.repeat(1_000)}`)))
  t.ok(answer.chars() >= 1_000, 'what is no whole event yet is held')
  answer.giveUp()
  t.equal(answer.chars(), 0)
  inOneGo(answer.push(bytes))
  inOneGo(answer.end())
  t.strictSame([answer.chars(), answer.text()], [0, null])
})

t.test('an answer of more values than a text has is none, in one piece and in events', async (t) => {
  const message = { role: 'assistant', content: 'Yes.' }
  const many = Array.from({ length: 100_000 }, () => ({}))
  const whole = (answer: object) => inOneGo(answerOf(Buffer.from(JSON.stringify(answer))))
  t.equal(whole({ choices: [{ message }, ...many] }), null)
  t.equal(whole({ choices: [{ message: { ...message, audio: many } }], logprobs: many }), 'Yes.')
  t.equal(read(Buffer.from(event({ choices: [{ delta: message, finish_reason: 'stop' }, ...many] }))), null)
  t.equal(read(Buffer.from(event({ choices: [{ delta: { ...message, audio: many }, finish_reason: 'stop' }] }))), 'Yes.')
})

t.test('a long event is read in pieces of work', async (t) => {
  const answer = createStreamedAnswer()
  const audio = Array.from({ length: 100_000 }, () => ({ a: 1 }))
  const work = answer.push(Buffer.from(event({ choices: [{ delta: { content: 'Yes.', audio }, finish_reason: 'stop' }] })))
  let pieces = 1
  while (work.next().done !== true) pieces += 1
  t.equal(answer.text(), 'Yes.')
  t.ok(pieces > 50, `${String(pieces)} pieces`)
})
