/** Requests and answers on one server, as both ends and others see them. */
import { connect, headers } from 'nats'
import t, { type Test } from 'tap'
import { connectNats } from '../../../src/bus/nats/connection.js'
import { type Asked, createExchange } from '../../../src/bus/nats/exchange.js'
import type { Logger } from '../../../src/ports.js'
import { createManualClock, settled } from '../../support/manual-clock.js'
import { type NatsServer, startNatsServer } from '../../support/nats-server.js'
import { allNeed } from '../../support/needs.js'
import { codeOf } from '../../support/runtime.js'
import { until } from '../../support/until.js'

const DOOR = 'engram.nodes.a.first.asks'
const DATA = Uint8Array.of(1)

allNeed(t, 'nats-server')

async function start(t: Test) {
  const server = await startNatsServer()
  t.teardown(() => server.stop())
  const witness = await connect({ servers: `127.0.0.1:${server.port}` })
  t.teardown(() => witness.close())
  return { server, witness }
}

async function open(t: Test, server: NatsServer, name: string) {
  const clock = createManualClock()
  const lines: string[] = []
  const at = (level: string) => (_: object, message: string) => void lines.push(`${level}: ${message}`)
  const logger: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  const link = await connectNats({ url: server.url, name, clock, logger })
  t.teardown(() => link.close())
  return { clock, lines, link, exchange: createExchange({ link, clock, name }) }
}

/** The code with which the request has failed by now, or its state. */
async function outcome(asked: Promise<unknown>): Promise<string> {
  let code = 'waits'
  void codeOf(asked).then((found) => (code = found))
  await settled()
  return code
}

t.test('a question without time, or that was aborted, is not sent', async (t) => {
  const { server, witness } = await start(t)
  const { exchange, clock, link } = await open(t, server, 'b')
  const knocks: string[] = []
  witness.subscribe('engram.>', { callback: (_, { subject }) => void knocks.push(subject) })
  await witness.flush()
  for (const waitMs of [0, -1]) t.equal(await outcome(exchange.ask({ topic: DOOR, data: DATA, waitMs })), 'deadline_passed')
  const aborted = exchange.ask({ topic: DOOR, data: DATA, waitMs: 1_000, signal: AbortSignal.abort() })
  t.equal(await outcome(aborted), 'deadline_passed')
  t.equal(
    await codeOf(exchange.ask({ topic: 'engram.news', data: DATA, waitMs: 1_000 })),
    'RangeError: Only the door of a node can be asked'
  )
  link.publish('engram.last', DATA)
  await until(() => knocks.length > 0)
  t.same(knocks, ['engram.last'])
  t.equal(clock.pending, 0)
})

t.test('a question waits for as long as it says, and for its abort', async (t) => {
  const { server, witness } = await start(t)
  const { exchange, clock } = await open(t, server, 'b')
  witness.subscribe('engram.>', { callback: () => undefined })
  await witness.flush()
  const asked = codeOf(exchange.ask({ topic: DOOR, data: DATA, waitMs: 1_000 }))
  const abort = new AbortController()
  const aborted = exchange.ask({ topic: DOOR, data: DATA, waitMs: 1_000, signal: abort.signal })
  await clock.advance(999)
  abort.abort()
  t.equal(await outcome(aborted), 'deadline_passed')
  t.equal(clock.pending, 1)
  await clock.advance(1)
  t.equal(await asked, 'deadline_passed')
  t.equal(clock.pending, 0)
})

t.test('a question that nobody listens to, or that cannot be sent, is over at once and leaves nothing behind', async (t) => {
  const { server } = await start(t)
  const { exchange, clock, link } = await open(t, server, 'b')
  const ask = (data = DATA) => exchange.ask({ topic: DOOR, data, waitMs: 1_000 })
  t.equal(await codeOf(ask()), 'unreachable')
  t.match(await codeOf(ask(new Uint8Array(2 * 1024 * 1024))), /MAX_PAYLOAD_EXCEEDED/)
  t.equal(clock.pending, 0)
  await server.kill()
  await until(() => !link.isReady)
  const pending = clock.pending
  t.equal(await codeOf(ask()), 'unreachable')
  t.equal(clock.pending, pending)
})

t.test('an answer counts when it says that it comes from the door that was asked', async (t) => {
  const { server, witness } = await start(t)
  const { exchange, clock } = await open(t, server, 'b')
  const answer = (door?: string) => {
    const fields = headers()
    if (door !== undefined) fields.set('Engram-Door', door)
    return { headers: fields }
  }
  witness.subscribe(`${DOOR}.b`, {
    callback: (_, message) => {
      for (const door of [undefined, '', 'engram.nodes.a.second.asks', `${DOOR}.b`]) message.respond(Uint8Array.of(2), answer(door))
      message.respond(Uint8Array.of(4), answer(DOOR))
    }
  })
  await witness.flush()
  const { data } = await exchange.ask({ topic: DOOR, data: DATA, waitMs: 1_000 })
  t.same([...data], [4])
  t.equal(clock.pending, 0)
})

t.test('who is not waited for is not answered, and who knocks in another’s name or wants its answer elsewhere is not heard', async (t) => {
  const { server, witness } = await start(t)
  const { exchange, link, lines } = await open(t, server, 'a')
  const heard: Asked[] = []
  exchange.serve(DOOR, (asked) => {
    heard.push(asked)
    asked.answer(Uint8Array.of(2), { Own: '1' })
  })
  await link.flush(2_000)
  const answers: unknown[] = []
  witness.subscribe('_INBOX.>', {
    callback: (_, { subject, headers: own, data }) => void answers.push([subject, own?.get('Engram-Door'), own?.get('Own'), ...data])
  })
  for (const reply of ['_INBOX.c.a.token', '_INBOX.b.c.token', '_INBOX.b.a.', 'engram.news']) witness.publish(`${DOOR}.b`, DATA, { reply })
  witness.publish(`${DOOR}.b`, DATA)
  witness.publish(`${DOOR}.b`, DATA, { reply: '_INBOX.b.a.token' })
  await until(() => answers.length > 0)
  t.same(answers, [['_INBOX.b.a.token', DOOR, '1', 2]])
  t.same(
    heard.map(({ from, message }) => [from, message.reply]),
    [
      ['b', ''],
      ['b', '_INBOX.b.a.token']
    ]
  )
  t.same(lines, [])
})

t.test('a closed exchange ends what waits, and hears no answer', async (t) => {
  const { server, witness } = await start(t)
  const { exchange, clock, link, lines } = await open(t, server, 'b')
  const replies: string[] = []
  witness.subscribe(`${DOOR}.b`, { callback: (_, { reply }) => void replies.push(reply ?? '') })
  await witness.flush()
  const ask = (signal?: AbortSignal) => codeOf(exchange.ask({ topic: DOOR, data: DATA, waitMs: 1_000, signal }))
  const asked = [ask(), ask(new AbortController().signal)]
  await until(() => replies.length === 2)
  t.equal(new Set(replies).size, 2)
  for (const reply of replies) t.match(reply, /^_INBOX\.b\.a\.[\w-]{22}$/)
  exchange.close()
  exchange.close()
  t.same(await Promise.all(asked), ['deadline_passed', 'deadline_passed'])
  t.equal(clock.pending, 0)
  // Nobody listens where answers came, once the server knows.
  await link.flush(2_000)
  const gone = await codeOf(witness.request('_INBOX.b.a.token', DATA, { timeout: 5_000 }))
  t.match(gone, /503/)
  t.same(lines, [])
})
