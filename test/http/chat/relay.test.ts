/** How much of a streamed answer is processed at once, and whose share of the processor that takes. */
import { Readable } from 'node:stream'
import t from 'tap'
import { inOneGo, type Pieces } from '../../../src/domain/pieces.js'
import { answerOf } from '../../../src/http/chat/answer.js'
import { relayAnswer } from '../../../src/http/chat/relay.js'
import { chunk, completion, DONE, streamed } from '../../support/chat-upstream.js'
import { until } from '../../support/until.js'

/** A queue of work that runs when the test says so. */
function createTurns() {
  const waiting: { readonly work: Pieces<void>; readonly done: () => void }[] = []
  return {
    waiting,
    runFairly: (work: Pieces<void>) => new Promise<void>((done) => waiting.push({ work, done })),
    /** Runs what has waited longest. Returns the number of its pieces. */
    give(): number {
      const turn = waiting.shift()
      let pieces = 0
      while (turn?.work.next().done === false) pieces += 1
      turn?.done()
      return pieces
    }
  }
}

function relay(body: Readable, runFairly: (work: Pieces<void>) => Promise<void>) {
  const kept: string[] = []
  const keep = async (text: string): Promise<void> => void kept.push(text)
  return { kept, answer: relayAnswer(body, { runFairly, keep, holds: () => undefined }) }
}

t.test('a piece of a stream is read in a turn of its subject, some kilobytes at a time, and passed on after it', async (t) => {
  const { waiting, runFairly, give } = createTurns()
  const bytes = Buffer.from(streamed(Array.from({ length: 1_000 }, () => 'a')))
  const { answer, kept } = relay(Readable.from([bytes], { objectMode: false }), runFairly)
  const passed: Buffer[] = []
  answer.on('data', (piece: Buffer) => passed.push(piece))
  await until(() => waiting.length === 1)
  t.strictSame(passed, [], 'its turn has not come')
  t.ok(give() >= bytes.length / 10_000)
  await until(() => waiting.length === 1)
  t.ok(Buffer.concat(passed).equals(bytes))
  give()
  await until(() => answer.readableEnded)
  t.strictSame(kept, ['a'.repeat(1_000)])
})

t.test('what comes while a stream waits for its turn is read and passed on as one', async (t) => {
  const { waiting, runFairly, give } = createTurns()
  const pieces = Array.from({ length: 100 }, (_, at) => chunk(String(at % 10)))
  const body = new Readable({ read: () => undefined })
  const { answer } = relay(body, runFairly)
  const passed: Buffer[] = []
  answer.on('data', (piece: Buffer) => passed.push(piece))
  for (const piece of [...pieces, DONE]) body.push(piece)
  body.push(null)
  let turns = 0
  while (!answer.readableEnded) {
    await until(() => waiting.length === 1 || answer.readableEnded)
    if (waiting.length === 1) turns += 1
    give()
  }
  t.ok(turns < 10, `${String(turns)} turns`)
  t.equal(Buffer.concat(passed).toString(), pieces.join('') + DONE)
})

t.test('an answer whose reader leaves while its last piece waits for its turn is kept', async (t) => {
  const { waiting, runFairly, give } = createTurns()
  const { answer, kept } = relay(Readable.from([Buffer.from(streamed(['Yes.']))], { objectMode: false }), runFairly)
  answer.on('error', () => undefined)
  await until(() => waiting.length === 1)
  answer.destroy()
  give()
  await until(() => kept.length === 1)
  t.strictSame(kept, ['Yes.'])
})

t.test('a long answer in one piece is read in pieces of work, whatever is beside its text', async (t) => {
  const logprobs = Array.from({ length: 50_000 }, () => ({ token: 'a', logprob: -1, bytes: [97] }))
  const body = Buffer.from(JSON.stringify({ ...completion('Yes.'), logprobs }))
  const work = answerOf(body)
  let pieces = 1
  let next = work.next()
  for (; next.done !== true; next = work.next()) pieces += 1
  t.equal(next.value, 'Yes.')
  t.ok(pieces > 100, `${String(pieces)} pieces`)
  t.equal(inOneGo(answerOf(body)), 'Yes.')
})
