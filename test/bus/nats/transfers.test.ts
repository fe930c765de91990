import { createHash, randomBytes } from 'node:crypto'
import { connect, headers, type Msg } from 'nats'
import t, { type Test } from 'tap'
import { encodeMessage } from '../../../src/bus/message-codec.js'
import { connectNats } from '../../../src/bus/nats/connection.js'
import { createExchange } from '../../../src/bus/nats/exchange.js'
import { createTransfers } from '../../../src/bus/nats/transfers.js'
import { DomainError } from '../../../src/domain/errors.js'
import { createSystemClock } from '../../../src/platform/clock.js'
import { createManualClock } from '../../support/manual-clock.js'
import { startNatsNodes } from '../../support/nats-nodes.js'
import { startNatsServer } from '../../support/nats-server.js'
import { allNeed } from '../../support/needs.js'
import { codeOf } from '../../support/runtime.js'
import { startTcpProxy } from '../../support/tcp-proxy.js'
import { until } from '../../support/until.js'

const MIB = 1024 * 1024
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

allNeed(t, 'nats-server')
large()
brokenOff()

function digest(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

function large(): void {
  t.test('a request of 20 MB and an answer of 60 MB cross whole, and small requests pass between their parts', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    const [request, answer] = [randomBytes(20 * MIB), randomBytes(60 * MIB)]
    a.serve('engram.nodes.a.first.large', async (body) => ({ heard: digest(body as Uint8Array), answer }))
    a.serve('engram.nodes.a.first.small', async (body) => body)
    await a.check()
    let isOver = false
    const crossing = b.request('engram.nodes.a.first.large', request, { deadlineMs: 60_000 }).finally(() => (isOver = true))
    let small = 0
    await until(
      () => isOver,
      async () => {
        await b.request('engram.nodes.a.first.small', 1, { deadlineMs: 5_000 })
        small += 1
      }
    )
    const { heard, answer: came } = (await crossing) as { heard: string; answer: Uint8Array }
    t.equal(heard, digest(request))
    t.equal(digest(came), digest(answer))
    t.ok(small > 10, `${small} small ones`)
    t.same(nodes.lines, [])
  })

  t.test('who asked is told how large an answer is before a part of it is fetched, and may refuse it', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    const answers = { large: randomBytes(5 * MIB), small: randomBytes(1_000) }
    a.serve('engram.nodes.a.first.give', async (body) => answers[body as keyof typeof answers])
    await a.check()
    const told: number[] = []
    const ask = (body: keyof typeof answers, largeAnswer: (bytes: number) => void) =>
      b.request('engram.nodes.a.first.give', body, { deadlineMs: 20_000, largeAnswer })
    await ask('small', (bytes) => void told.push(bytes))
    t.same(told, [], 'one message is no large answer')
    t.equal(digest((await ask('large', (bytes) => void told.push(bytes))) as Uint8Array), digest(answers.large))
    t.same(told, [encodeMessage(answers.large).length])
    const refused = ask('large', () => {
      throw new DomainError('memory_exhausted', 'The node is full')
    })
    await t.rejects(refused, { code: 'memory_exhausted' })
  })

  t.test('bodies about as large as a message cross all the same', async (t) => {
    const nodes = await startNatsNodes(t, { config: 'max_payload: 65536' })
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    a.serve('engram.nodes.a.first.echo', async (body) => body)
    await a.check()
    for (const size of [64_000, 64_500, 64_507, 64_508, 64_512, 64_513, 65_536, 129_024, 300_000]) {
      const body = randomBytes(size)
      const came = (await b.request('engram.nodes.a.first.echo', body, { deadlineMs: 10_000 })) as Uint8Array
      t.equal(digest(came), digest(body), `${size} bytes`)
    }
  })

  t.test('many large requests at the same time cross all', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    a.serve('engram.nodes.a.first.large', async (body) => digest(body as Uint8Array))
    await a.check()
    const bodies = Array.from({ length: 20 }, () => randomBytes(4 * MIB))
    const heard = await Promise.all(bodies.map((body) => b.request('engram.nodes.a.first.large', body, { deadlineMs: 60_000 })))
    t.same(heard, bodies.map(digest))
  })

  t.test('a connection that is lost in the middle delays a large answer and does not break it', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    const answer = randomBytes(60 * MIB)
    a.serve('engram.nodes.a.first.large', async () => answer)
    await a.check()
    const witness = await connect({ servers: `127.0.0.1:${nodes.server.port}`, reconnect: false })
    let parts = 0
    witness.subscribe('engram.nodes.a.*.parts.*', { callback: () => (parts += 1) })
    await witness.flush()
    const asked = b.request('engram.nodes.a.first.large', 1, { deadlineMs: 60_000 })
    await until(() => parts > 10)
    t.ok(parts < 110, `${parts} of 120 parts were asked for`)
    await nodes.server.kill()
    await until(() => !b.isConnected)
    await nodes.server.restart()
    t.equal(digest((await asked) as Uint8Array), digest(answer))
  })
}

/** One node's end, with nothing above it. */
async function openEnd(t: Test, url: string, name: string, clock = createSystemClock(), bytesMax?: number) {
  const link = await connectNats({ url, name, clock, logger: SILENT })
  const exchange = createExchange({ link, clock, name })
  const transfers = createTransfers({ link, exchange, clock, name, bytesMax })
  t.teardown(() => link.close())
  return { link, exchange, transfers }
}

function ticketFor(bytes: number): Uint8Array {
  return encodeMessage({ id: 'none', process: 'gone', bytes, partBytes: 512 * 1024 })
}

function brokenOff(): void {
  t.test('a request whose sender dies midway is never handed over', async (t) => {
    const nodes = await startNatsNodes(t)
    const bus = await nodes.open('a')
    let handed = 0
    bus.serve('engram.nodes.a.first.large', async () => (handed += 1))
    await bus.check()
    const sender = await connect({ servers: `127.0.0.1:${nodes.server.port}` })
    let parts = 0
    const dead = new Promise<void>((resolve) => {
      const callback = (_: unknown, message: Msg) => {
        parts += 1
        if (parts > 8) void sender.close().then(resolve)
        else message.respond(new Uint8Array(512 * 1024), { headers: message.headers! })
      }
      sender.subscribe('engram.nodes.b.first.parts.a', { callback })
    })
    const heir = await connect({ servers: `127.0.0.1:${nodes.server.port}` })
    t.teardown(() => heir.close())
    const answered = new Promise<unknown>((resolve) => {
      heir.subscribe('_INBOX.b.a.answer', { callback: (_, message) => resolve(message.headers?.get('Engram-Form')) })
    })
    await heir.flush()
    const fields = headers()
    fields.set('Engram-Left-Ms', '60000')
    fields.set('Engram-Form', 'ticket')
    const ticket = encodeMessage({ id: 'x', process: 'first', bytes: 40 * MIB, partBytes: 512 * 1024 })
    sender.publish('engram.nodes.a.first.large.b', ticket, { headers: fields, reply: '_INBOX.b.a.answer' })
    await dead
    t.equal(await answered, 'refusal')
    t.equal(handed, 0)
  })

  t.test('an answer whose sender dies midway is no answer, which says nothing about the request', async (t) => {
    const nodes = await startNatsNodes(t)
    const proxy = await startTcpProxy(nodes.server)
    t.teardown(() => proxy.stop())
    const [a, b] = [await nodes.open('a', { url: `nats://127.0.0.1:${proxy.port}` }), await nodes.open('b')]
    a.serve('engram.nodes.a.first.large', async () => {
      proxy.stall()
      // The ticket was written before the line is dead, the parts never come.
      setImmediate(() => void proxy.stop())
      return new Uint8Array(8 * MIB)
    })
    await a.check()
    t.equal(await codeOf(b.request('engram.nodes.a.first.large', 1, { deadlineMs: 1_000 })), 'deadline_passed')
  })

  t.test('what is assembled and what is kept have their limits, and their room is free again afterwards', async (t) => {
    const server = await startNatsServer()
    t.teardown(() => server.stop())
    const clock = createManualClock()
    const { transfers } = await openEnd(t, server.url, 'a', clock)
    const options = { from: 'gone', untilMs: 60_000 }
    t.equal(await codeOf(transfers.fetch(ticketFor(400 * MIB + 1), options)), 'limit_reached')
    const abort = new AbortController()
    const first = codeOf(transfers.fetch(ticketFor(300 * MIB), { ...options, signal: abort.signal }))
    t.equal(await codeOf(transfers.fetch(ticketFor(300 * MIB), options)), 'busy')
    abort.abort()
    const settling = async (outcome: Promise<string>) => {
      let found = ''
      void outcome.then((code) => (found = code))
      await until(
        () => found !== '',
        () => clock.advance(100)
      )
      return found
    }
    t.equal(await settling(first), 'unreachable')
    t.equal(await settling(codeOf(transfers.fetch(ticketFor(400 * MIB), options))), 'unreachable')
    t.equal(await settling(codeOf(transfers.fetch(ticketFor(400 * MIB), options))), 'unreachable')
    t.equal(await codeOf(transfers.fetch(encodeMessage({ id: 1 }), options)), 'TypeError: Not a ticket')

    const large = new Uint8Array(300 * MIB)
    const kept = transfers.offer(large, { to: 'b', keepMs: 1_000 })
    t.throws(() => transfers.offer(large, { to: 'b', keepMs: 1_000 }), { code: 'busy' })
    kept.withdraw()
    kept.withdraw()
    transfers.offer(large, { to: 'b', keepMs: 1_000 })
    await clock.advance(1_000)
    transfers.offer(large, { to: 'b', keepMs: 1_000 })
    transfers.close()
    transfers.close()
    t.equal(clock.pending, 0)
  })

  t.test('a node of little memory keeps and assembles less at a time', async (t) => {
    const server = await startNatsServer()
    t.teardown(() => server.stop())
    const clock = createManualClock()
    const { transfers } = await openEnd(t, server.url, 'a', clock, 64 * MIB)
    const keep = (mib: number, to: string) => transfers.offer(new Uint8Array(mib * MIB), { to, keepMs: 1_000 })
    t.throws(() => keep(51, 'b'), { code: 'limit_reached' })
    const first = keep(40, 'b')
    t.throws(() => keep(30, 'c'), { code: 'busy' })
    first.withdraw()
    keep(30, 'c')
    const options = { from: 'b', untilMs: 1_000 }
    t.equal(await codeOf(transfers.fetch(ticketFor(51 * MIB), options)), 'limit_reached')
    transfers.close()
  })

  t.test('what is kept can be fetched until it was fetched, or withdrawn', async (t) => {
    const server = await startNatsServer()
    t.teardown(() => server.stop())
    const [a, b] = [await openEnd(t, server.url, 'a'), await openEnd(t, server.url, 'b')]
    await a.link.flush(2_000)
    const data = randomBytes(3 * MIB)
    const options = { from: 'a', untilMs: Number.MAX_SAFE_INTEGER }
    const { ticket } = a.transfers.offer(data, { to: 'b', keepMs: 60_000 })
    t.equal(digest(await b.transfers.fetch(ticket, options)), digest(data))
    t.equal(await codeOf(b.transfers.fetch(ticket, options)), 'unreachable')
    const withdrawn = a.transfers.offer(data, { to: 'b', keepMs: 60_000 })
    withdrawn.withdraw()
    t.equal(await codeOf(b.transfers.fetch(withdrawn.ticket, options)), 'unreachable')
  })
}
