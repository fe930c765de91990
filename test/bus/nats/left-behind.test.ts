/** Nothing remains of a finished request or of a closed bus. */
import { getEventListeners } from 'node:events'
import { connect, headers } from 'nats'
import t from 'tap'
import { createNatsBus } from '../../../src/bus/nats/bus.js'
import { encodeMessage } from '../../../src/bus/message-codec.js'
import { createManualClock } from '../../support/manual-clock.js'
import { startNatsNodes } from '../../support/nats-nodes.js'
import { allNeed } from '../../support/needs.js'
import { codeOf } from '../../support/runtime.js'
import { until } from '../../support/until.js'

const MIB = 1024 * 1024
const DOOR = 'engram.nodes.a.first.asks'
const NOBODYS = 'engram.nodes.a.first.nobodys'
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

allNeed(t, 'nats-server')

t.test('a signal whose request is over has no listener any more, however the request ended', async (t) => {
  const nodes = await startNatsNodes(t)
  const clock = createManualClock()
  const [a, b] = [await nodes.open('a'), await nodes.open('b', { clock })]
  let isAsked = false
  a.serve(DOOR, async (body) => {
    isAsked = true
    return body === 'answer' ? 1 : new Promise(() => undefined)
  })
  await a.check()
  const { signal } = new AbortController()
  t.equal(await b.request(DOOR, 'answer', { deadlineMs: 1_000, signal }), 1)
  t.equal(await codeOf(b.request(NOBODYS, 1, { deadlineMs: 1_000, signal })), 'unreachable')
  isAsked = false
  const late = codeOf(b.request(DOOR, 'wait', { deadlineMs: 1_000, signal }))
  await until(() => isAsked)
  t.equal(getEventListeners(signal, 'abort').length, 1)
  await clock.advance(1_000)
  t.equal(await late, 'deadline_passed')
  t.same(getEventListeners(signal, 'abort'), [])
})

t.test('a large request that nobody takes is not kept until its deadline', async (t) => {
  const { server } = await startNatsNodes(t)
  const bus = await createNatsBus({
    url: server.url,
    name: 'b',
    clock: createManualClock(),
    logger: SILENT,
    transferBytesMax: 4 * MIB
  })
  t.teardown(() => bus.close())
  const body = new Uint8Array(2 * MIB)
  for (let nth = 0; nth < 3; nth++) t.equal(await codeOf(bus.request(NOBODYS, body, { deadlineMs: 60_000 })), 'unreachable')
})

for (const [crowded, other] of [
  ['a', 'b'],
  ['b', 'a']
] as const)
  t.test(
    `an answer without room at ${crowded === 'a' ? 'its sender' : 'its receiver'} is not told as if nothing had been done`,
    async (t) => {
      const nodes = await startNatsNodes(t)
      const opened = { [other]: await nodes.open(other), [crowded]: await nodes.open(crowded, { transferBytesMax: 4 * MIB }) }
      let done = 0
      opened['a']?.serve(DOOR, async () => {
        done += 1
        return new Uint8Array(3 * MIB)
      })
      await opened['a']?.check()
      const answers = Array.from({ length: 4 }, async () => opened['b']?.request(DOOR, 1, { deadlineMs: 60_000 }))
      const codes = await Promise.all(answers.map((answer) => codeOf(answer)))
      t.equal(done, 4)
      t.ok(codes.includes('outcome_unknown'), codes.join())
      t.notOk(codes.includes('busy'))
    }
  )

t.test('a bus that is closed ends what waits for an answer, and keeps no large answer that nobody fetched', async (t) => {
  const nodes = await startNatsNodes(t)
  const clock = createManualClock()
  const bus = await nodes.open('a', { clock })
  let isAsked = false
  bus.serve(DOOR, async () => new Uint8Array(2 * MIB))
  bus.serve('engram.nodes.a.first.waits', () => {
    isAsked = true
    return new Promise(() => undefined)
  })
  await bus.check()
  const foreign = await connect({ servers: `127.0.0.1:${nodes.server.port}` })
  t.teardown(() => foreign.close())
  let tickets = 0
  foreign.subscribe('_INBOX.b.a.token', { callback: () => void (tickets += 1) })
  const fields = headers()
  fields.set('Engram-Left-Ms', '60000')
  foreign.publish(`${DOOR}.b`, encodeMessage(1), { headers: fields, reply: '_INBOX.b.a.token' })
  await until(() => tickets === 1)
  const waits = codeOf(bus.request('engram.nodes.a.first.waits', 1, { deadlineMs: 60_000 }))
  await until(() => isAsked)
  await bus.close()
  t.equal(await waits, 'deadline_passed')
  t.equal(clock.pending, 0)
})
