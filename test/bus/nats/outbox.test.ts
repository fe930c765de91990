import { connect } from 'nats'
import t, { type Test } from 'tap'
import type { NatsBus } from '../../../src/bus/nats/bus.js'
import { setUpOutbox } from '../../../src/bus/nats/outbox-setup.js'
import { createSystemClock } from '../../../src/platform/clock.js'
import { createManualClock } from '../../support/manual-clock.js'
import { startNatsNodes } from '../../support/nats-nodes.js'
import { allNeed } from '../../support/needs.js'
import { codeOf } from '../../support/runtime.js'
import { until } from '../../support/until.js'

const STREAM = 'ENGRAM_OUTBOX_a'
const OURS = {
  name: STREAM,
  subjects: ['engram.outbox.a.*'],
  retention: 'workqueue',
  storage: 'file',
  discard: 'old',
  max_age: 120_000_000_000,
  max_bytes: 32 * 1024 * 1024,
  duplicate_window: 120_000_000_000
}
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

allNeed(t, 'nats-server')
delivered()
kept()

/** Collects the messages delivered to a node, and acknowledges all of them. */
function collect(bus: NatsBus): { readonly bodies: unknown[]; readonly stop: () => void } {
  const bodies: unknown[] = []
  const stop = bus.outbox.take(async (body) => {
    bodies.push(body)
    return true
  })
  return { bodies, stop }
}

/** JetStream as its operator sees it. */
async function operator(t: Test, port: number) {
  const connection = await connect({ servers: `127.0.0.1:${port}` })
  t.teardown(() => connection.close())
  return { connection, streams: (await connection.jetstreamManager()).streams }
}

function delivered(): void {
  t.test('outbox messages for two nodes are each delivered once, to the node that it is for', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    const [one, two] = [collect(a), collect(b)]
    const sent = Array.from({ length: 200 }, (_, number) => ({ number, vector: new Float32Array([number]) }))
    await Promise.all(
      sent.map((body) => (body.number % 3 === 0 ? a : b).outbox.append(body.number % 2 === 0 ? 'a' : 'b', `id ${body.number}`, body))
    )
    await until(() => one.bodies.length + two.bodies.length >= sent.length)
    const all = [...one.bodies, ...two.bodies] as typeof sent
    t.strictSame(
      all.sort((left, right) => left.number - right.number),
      sent
    )
    t.ok(
      (one.bodies as typeof sent).every(({ number }) => number % 2 === 0),
      'each node its own'
    )
    const { streams } = await operator(t, nodes.server.port)
    await a.check()
    await b.check()
    t.equal((await streams.info(STREAM)).state.messages, 0)
  })

  t.test('an outbox message that is not delivered, or whose delivery fails, comes again, later each time', async (t) => {
    const nodes = await startNatsNodes(t)
    const bus = await nodes.open('a')
    const times: number[] = []
    const repeated: boolean[] = []
    bus.outbox.take(async (_, { isRepeated }) => {
      repeated.push(isRepeated)
      times.push(performance.now())
      if (times.length === 1) return false
      if (times.length === 2) throw new Error('No')
      return true
    })
    await bus.outbox.append('a', '1', 'stubborn')
    await until(() => times.length === 3)
    const [first = 0, second = 0, third = 0] = times
    t.same(repeated, [false, true, true])
    t.ok(second - first >= 95 && third - second >= 195, `${second - first} and ${third - second} ms`)
  })

  t.test('an id counts once', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    await a.outbox.append('a', '1', 'first')
    await b.outbox.append('a', '1', 'again')
    await b.outbox.append('a', '2', 'second')
    const { bodies } = collect(a)
    await until(() => bodies.includes('second'))
    t.same(bodies.sort(), ['first', 'second'])
  })

  t.test('a node that is slow has 32 outbox messages in hand, and gets more as it is done with them', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    const held: ((isDone: boolean) => void)[] = []
    a.outbox.take(() => new Promise((resolve) => held.push(resolve)))
    await Promise.all(Array.from({ length: 50 }, (_, number) => b.outbox.append('a', String(number), number)))
    await until(() => held.length === 32)
    await a.check()
    t.equal(held.length, 32)
    for (const answer of held) answer(true)
    await until(() => held.length === 50)
  })

  t.test('a node that stops taking while outbox messages come strands none: all are there at once for its next process', async (t) => {
    const nodes = await startNatsNodes(t)
    const sender = await nodes.open('b')
    const delivered = new Set<unknown>()
    let bus = await nodes.open('a')
    const startedMs = performance.now()
    const sent = 400
    const sending = Promise.all(Array.from({ length: sent }, (_, number) => sender.outbox.append('a', String(number), number)))
    while (delivered.size < sent) {
      const stop = bus.outbox.take(async (body) => {
        delivered.add(body)
        return true
      })
      const before = delivered.size
      await until(() => delivered.size > before || delivered.size === sent)
      stop()
      await bus.close()
      bus = await nodes.open('a')
    }
    await sending
    t.ok(performance.now() - startedMs < 30_000, 'long before they would come again by themselves')
  })

  t.test('an outbox message that no node has written is dropped', async (t) => {
    const nodes = await startNatsNodes(t)
    const bus = await nodes.open('a')
    const { bodies } = collect(bus)
    await bus.outbox.append('a', '1', 'sound')
    const { connection, streams } = await operator(t, nodes.server.port)
    connection.publish('engram.outbox.a.b', Buffer.from([0xd9, 0xff]))
    await until(() => nodes.lines.length > 0)
    t.match(nodes.lines, [{ level: 'error', message: 'An outbox message that no node has written was dropped' }])
    await bus.outbox.append('a', '2', 'sound too')
    await until(() => bodies.length === 2)
    await bus.check()
    t.equal((await streams.info(STREAM)).state.messages, 0)
  })

  t.test('an outbox message too large for one message is refused to its sender', async (t) => {
    const nodes = await startNatsNodes(t)
    const bus = await nodes.open('a')
    await t.rejects(bus.outbox.append('a', '1', new Uint8Array(2 ** 20)), { name: 'RangeError' })
  })
}

function kept(): void {
  t.test('outbox messages that were kept outlive a server that is killed, and are taken when it is back', async (t) => {
    const nodes = await startNatsNodes(t)
    const bus = await nodes.open('a')
    for (let number = 0; number < 10; number++) await bus.outbox.append('a', String(number), number)
    await nodes.server.kill()
    await until(() => !bus.isConnected)
    t.equal(await codeOf(bus.outbox.append('a', '10', 10)), 'unreachable')
    const { bodies } = collect(bus)
    await nodes.server.restart()
    await until(() => bodies.length >= 10)
    t.same(new Set(bodies), new Set(Array.from({ length: 10 }, (_, number) => number)))
    await bus.outbox.append('a', '10', 10)
    await until(() => bodies.includes(10))
  })

  t.test('a stream that was deleted is missed at once by a node that appends, and made again by the node that it is for', async (t) => {
    const nodes = await startNatsNodes(t)
    const clock = createManualClock()
    const [a, b] = [await nodes.open('a', { clock }), await nodes.open('b')]
    const { bodies } = collect(a)
    await b.outbox.append('a', '1', 'before')
    await until(() => bodies.length === 1)
    const { streams } = await operator(t, nodes.server.port)
    await streams.delete(STREAM)
    t.equal(await codeOf(b.outbox.append('a', '2', 'missed')), 'unreachable')
    await clock.advance(30_000)
    // The server announces a stream a moment before that stream listens.
    let sent = ''
    await until(
      () => sent === 'fulfilled',
      async () => (sent = await codeOf(b.outbox.append('a', '3', 'after')))
    )
    await until(() => bodies.length === 2)
    t.same(bodies, ['before', 'after'])
  })

  t.test(
    'a stream that takes in or lets out more than outbox messages is refused at the start and later, and changed by no node',
    async (t) => {
      const others = {
        subjects: { subjects: ['engram.outbox.a.*', 'engram.nodes.>'] },
        republish: { republish: { src: '>', dest: 'elsewhere.>' } },
        retention: { retention: 'limits' as never }
      }
      for (const [name, settings] of Object.entries(others)) {
        const nodes = await startNatsNodes(t)
        const { streams, connection } = await operator(t, nodes.server.port)
        const sound = await nodes.open('a')
        collect(sound)
        await sound.outbox.append('a', '1', 1)
        await streams.delete(STREAM)
        await streams.add({ ...OURS, ...settings } as never)
        const sentence = new RegExp(`ENGRAM_OUTBOX_a is not as it has to be \\(${name}\\): npm run nats:init`)
        await t.rejects(nodes.open('a'), { name: 'Error', message: sentence }, name)
        t.match((await streams.info(STREAM)).config, settings, 'changed by none')
        await connection.close()
        await nodes.server.restart()
        const named = () => nodes.lines.filter(({ level }) => level === 'error')
        await until(() => named().length > 0)
        t.match(named(), [{ message: 'Outbox messages for this node cannot be kept', fields: { problem: sentence } }])
        const lost = nodes.lines.filter(({ message }) => message === 'NATS is out of reach')
        t.equal(lost.length, 1, 'the one that was refused at the start had no connection any more')
      }
    }
  )

  t.test('nats:init makes the stream of each node and no other, and keeps what the operator has set beside', async (t) => {
    const nodes = await startNatsNodes(t)
    const { streams, connection } = await operator(t, nodes.server.port)
    const consumers = (await connection.jetstreamManager()).consumers
    const setUp = (...ids: string[]) => setUpOutbox({ url: nodes.server.url, nodes: ids, clock: createSystemClock(), logger: SILENT })
    await setUp('a', 'gone')
    t.match((await streams.info(STREAM)).config, OURS)
    await streams.update(STREAM, { description: 'the operator’s', subjects: ['engram.outbox.a.*', 'more'], max_msg_size: 100_000 })
    await streams.add({ name: 'OTHER', subjects: ['other'] })
    await consumers.delete(STREAM, 'node')
    await consumers.add(STREAM, { durable_name: 'node', ack_policy: 'explicit' as never })
    await setUp('a', 'b')
    await setUp('a', 'b')
    t.match((await streams.info(STREAM)).config, { ...OURS, description: 'the operator’s', max_msg_size: 100_000 })
    t.strictSame((await streams.names().next()).sort(), ['ENGRAM_OUTBOX_a', 'ENGRAM_OUTBOX_b', 'OTHER'])
    t.match(
      (await consumers.list(STREAM).next()).map(({ config }) => config),
      [{ durable_name: 'node', deliver_subject: 'engram.nodes.a.outbox', max_ack_pending: 32, ack_wait: 65_000_000_000 }]
    )
    await (await nodes.open('a')).outbox.append('a', '1', 1)
  })
}
