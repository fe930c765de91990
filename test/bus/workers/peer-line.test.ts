/** The line between two workers: what is heard is what was sent, wherever the bytes are cut. */
import { Duplex, Transform } from 'node:stream'
import fc from 'fast-check'
import t from 'tap'
import type { WorkerAnswer, WorkerAsk } from '../../../src/bus/workers/messages.js'
import { createPeerLine } from '../../../src/bus/workers/peer-line.js'
import { until } from '../../support/until.js'

type Message = WorkerAsk | WorkerAnswer

const content = fc.record({ data: fc.uint8Array({ maxLength: 300 }), isDivided: fc.boolean() })
const ticket = fc.constantFrom<{ isTicket?: true }>({}, { isTicket: true })
const number = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const topic = fc.stringMatching(/^[a-z.-]{0,300}$/)
const ask = fc.record({ type: fc.constant('ask' as const), number, topic, leftMs: fc.double({ min: 0, max: 1e9, noNaN: true }) })
const answer = fc.record({ type: fc.constant('answer' as const), number, isRefusal: fc.boolean() })
const message: fc.Arbitrary<Message> = fc
  .tuple(fc.oneof(ask, answer), content, ticket)
  .map(([head, body, isTicket]) => ({ ...head, ...body, ...isTicket }))

/** Returns what comes in to where it is written, in pieces of these lengths. */
function loop(cuts: Iterator<number>): Duplex {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = 0; at < chunk.length;) {
        const { value: length } = cuts.next() as { value: number }
        this.push(chunk.subarray(at, at + length))
        at += length
      }
      done()
    }
  })
}

t.test('what is sent is heard, in order, however the bytes are cut', async (t) => {
  const cutting = fc.infiniteStream(fc.integer({ min: 1, max: 400 }))
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 6 }), cutting, async (messages, cuts) => {
      const heard: Message[] = []
      const line = createPeerLine(loop(cuts), {
        hear: (one) => heard.push({ ...one, data: new Uint8Array(one.data) }),
        ended: () => undefined
      })
      for (const one of messages) line.send(one)
      t.same(heard, [], 'they are written at once, in a later iteration')
      await until(() => heard.length === messages.length)
      t.strictSame(heard, messages)
    }),
    { numRuns: 100 }
  )
})

t.test('a line is full once 64 MiB have not been read, and ends with its socket', async (t) => {
  const socket = new Duplex({ read() {}, write() {} })
  let isEnded = false
  const line = createPeerLine(socket, { hear: () => t.fail('nothing is heard'), ended: () => (isEnded = true) })
  const large: WorkerAnswer = { type: 'answer', number: 1, isRefusal: false, isDivided: false, data: new Uint8Array(16 * 1024 * 1024 - 23) }
  for (let sent = 0; sent < 4; sent++) {
    t.notOk(line.isFull())
    line.send(large)
  }
  t.ok(line.isFull())
  socket.destroy(new Error('the other process has ended'))
  await until(() => isEnded)
})
