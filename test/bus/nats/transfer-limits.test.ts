/** How much memory and processing time one node may take of another, to the byte and the millisecond. */
import { connect, headers } from 'nats'
import t, { type Test } from 'tap'
import { encodeMessage } from '../../../src/bus/message-codec.js'
import { connectNats } from '../../../src/bus/nats/connection.js'
import { createExchange } from '../../../src/bus/nats/exchange.js'
import { createTransfers } from '../../../src/bus/nats/transfers.js'
import { createManualClock, settled } from '../../support/manual-clock.js'
import { startNatsServer } from '../../support/nats-server.js'
import { allNeed } from '../../support/needs.js'
import { codeOf } from '../../support/runtime.js'
import { until } from '../../support/until.js'

const MIB = 1024 * 1024
const PART = 4_096
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

allNeed(t, 'nats-server')

/** The end of node `a`, and a client that may be any other node. */
async function start(t: Test, bytesMax?: number) {
  const server = await startNatsServer()
  t.teardown(() => server.stop())
  const clock = createManualClock()
  const link = await connectNats({ url: server.url, name: 'a', clock, logger: SILENT })
  t.teardown(() => link.close())
  const exchange = createExchange({ link, clock, name: 'a' })
  const transfers = createTransfers({ link, exchange, clock, name: 'a', bytesMax })
  const foreign = await connect({ servers: `127.0.0.1:${server.port}` })
  t.teardown(() => foreign.close())
  await link.flush(2_000)
  return { clock, link, transfers, foreign }
}

function ticketFor(parts: number, id = 'x', more: object = {}): Uint8Array {
  return encodeMessage({ id, process: 'p', bytes: parts * PART, partBytes: PART, ...more })
}

t.test('a node has its share of what is kept, and what was given back of it counts no more', async (t) => {
  const { transfers } = await start(t, 64 * MIB)
  const keep = (bytes: number, to: string) => transfers.offer(new Uint8Array(bytes), { to, keepMs: 60_000 })
  t.throws(() => keep(50 * MIB + 1, 'b'), { code: 'limit_reached' })
  const first = keep(20 * MIB, 'b')
  const second = keep(20 * MIB, 'b')
  t.throws(() => keep(10 * MIB + 1, 'b'), { code: 'busy' })
  first.withdraw()
  t.throws(() => keep(30 * MIB + 1, 'b'), { code: 'busy' })
  const third = keep(30 * MIB, 'b')
  t.throws(() => keep(1, 'b'), { code: 'busy' })
  t.throws(() => keep(14 * MIB + 1, 'c'), { code: 'busy' })
  keep(14 * MIB, 'c')
  t.throws(() => keep(1, 'd'), { code: 'busy' })
  second.withdraw()
  third.withdraw()
  keep(50 * MIB, 'b')
  t.throws(() => keep(1, 'b'), { code: 'busy' })
  transfers.close()
  keep(50 * MIB, 'b')
  transfers.close()
})

t.test('a node is asked for four parts of a message at a time, and for sixteen of all messages', async (t) => {
  const { transfers, foreign, clock } = await start(t)
  const asked: string[] = []
  const answers: (() => void)[] = []
  foreign.subscribe('engram.nodes.b.p.parts.a', {
    callback: (_, message) => {
      const part = message.headers?.get('Engram-Part') ?? ''
      if (part.endsWith('end')) return
      const fields = headers()
      fields.set('Engram-Door', 'engram.nodes.b.p.parts')
      fields.set('Engram-Part', part)
      asked.push(part)
      answers.push(() => message.respond(new Uint8Array(PART).fill(Number(part.split(' ')[1]) + 1), { headers: fields }))
    }
  })
  await foreign.flush()
  const fetch = (id: string) => transfers.fetch(ticketFor(6, id), { from: 'b', untilMs: Number.MAX_SAFE_INTEGER })
  const whole = fetch('m0')
  await until(() => asked.length >= 4)
  const others = [1, 2, 3, 4].map((at) => fetch(`m${String(at)}`))
  await until(() => asked.length >= 16)
  await foreign.flush()
  await settled()
  await foreign.flush()
  t.equal(asked.length, 16)
  t.same(asked.slice(0, 4).sort(), ['m0 0', 'm0 1', 'm0 2', 'm0 3'])
  t.equal(asked.filter((part) => part.startsWith('m0')).length, 4)
  answers.shift()?.()
  await until(() => asked.length >= 17)
  await until(
    () => asked.length === 30,
    async () => {
      for (const answer of answers.splice(0)) answer()
      await foreign.flush()
      await settled()
    }
  )
  for (const answer of answers.splice(0)) answer()
  const data = await whole
  for (let at = 0; at < 6; at++) t.same(new Set(data.subarray(at * PART, (at + 1) * PART)), new Set([at + 1]))
  t.equal((await Promise.all(others)).length, 4)
  t.equal(clock.pending, 0)
})

t.test('a part that does not come is asked for again, until five seconds or the time of its message have passed', async (t) => {
  const { transfers, foreign, clock } = await start(t)
  const asked: (string | undefined)[] = []
  foreign.subscribe('engram.nodes.b.p.parts.a', { callback: (_, { headers: own }) => void asked.push(own?.get('Engram-Part')) })
  await foreign.flush()
  const seen = async (wanted: readonly string[]) => {
    await until(() => asked.length >= wanted.length)
    t.same(asked.splice(0), wanted)
  }
  const startMs = clock.monotonicMs()
  const slow = codeOf(transfers.fetch(ticketFor(1), { from: 'b', untilMs: startMs + 60_000 }))
  await seen(['x 0'])
  await clock.advance(2_099)
  t.same(asked, [])
  await clock.advance(1)
  await seen(['x 0'])
  await clock.advance(2_100)
  await seen(['x 0'])
  await clock.advance(900)
  t.equal(await slow, 'unreachable')
  t.equal(clock.monotonicMs() - startMs, 5_100)
  await seen(['x end'])
  const short = codeOf(transfers.fetch(ticketFor(1), { from: 'b', untilMs: clock.monotonicMs() + 1_000 }))
  await seen(['x 0'])
  await clock.advance(1_100)
  t.equal(await short, 'unreachable')
  await seen(['x end'])
  t.equal(await codeOf(transfers.fetch(ticketFor(1), { from: 'b', untilMs: clock.monotonicMs() })), 'unreachable')
  await seen(['x end'])
})

t.test('a ticket that no node gives is none', async (t) => {
  const { transfers } = await start(t)
  const odd = [{ id: 1 }, { id: '' }, { id: 'a.b' }, { process: '*' }, { process: undefined }, { id: 'x'.repeat(65) }]
  const sizes = [{ bytes: 0 }, { bytes: -1 }, { bytes: 0.5 }, { bytes: '1' }, { partBytes: PART - 1 }, { partBytes: Infinity }]
  for (const more of [...odd, ...sizes]) {
    const outcome = await codeOf(transfers.fetch(ticketFor(1, 'x', more), { from: 'b', untilMs: 0 }))
    t.equal(outcome, 'TypeError: Not a ticket', JSON.stringify(more))
  }
  t.equal(await codeOf(transfers.fetch(encodeMessage(null), { from: 'b', untilMs: 0 })), 'TypeError: Not a ticket')
  t.equal(await codeOf(transfers.fetch(ticketFor(1, 'x'.repeat(64)), { from: 'b', untilMs: 0 })), 'unreachable')
})
