import process from 'node:process'
import { connect } from 'nats'
import t, { type Test } from 'tap'
import type { NatsBus } from '../../../src/bus/nats/bus.js'
import { startNatsNodes, until } from '../../support/nats-nodes.js'
import { whyNoNats } from '../../support/nats-server.js'
import { codeOf } from '../../support/runtime.js'

const STREAM = 'ENGRAM_LETTERS'

const reason = whyNoNats()
if (reason !== null && process.env['CI'] === 'true') t.fail(reason)
else if (reason !== null) t.test('letters over NATS', { skip: reason }, async () => undefined)
else {
  delivered()
  kept()
}

/** Collects what a node is handed, and is done with all of it. */
function collect(bus: NatsBus): { readonly bodies: unknown[]; readonly stop: () => void } {
  const bodies: unknown[] = []
  const stop = bus.letters.take(async (body) => {
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
  t.test('letters that two nodes take, are each delivered once', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    const [one, two] = [collect(a), collect(b)]
    const sent = Array.from({ length: 200 }, (_, number) => ({ number, vector: new Float32Array([number]) }))
    await Promise.all(sent.map((body) => (body.number % 2 === 0 ? a : b).letters.append(`id ${body.number}`, body)))
    await until(() => one.bodies.length + two.bodies.length >= sent.length)
    const all = [...one.bodies, ...two.bodies] as typeof sent
    t.strictSame(
      all.sort((left, right) => left.number - right.number),
      sent
    )
    t.ok(one.bodies.length > 0 && two.bodies.length > 0)
    const { streams } = await operator(t, nodes.server.port)
    await a.check()
    await b.check()
    t.equal((await streams.info(STREAM)).state.messages, 0)
  })

  t.test('a letter that is not delivered, or whose delivery fails, comes again, later each time', async (t) => {
    const nodes = await startNatsNodes(t)
    const bus = await nodes.open('a')
    const times: number[] = []
    bus.letters.take(async () => {
      times.push(performance.now())
      if (times.length === 1) return false
      if (times.length === 2) throw new Error('No')
      return true
    })
    await bus.letters.append('1', 'stubborn')
    await until(() => times.length === 3)
    const [first = 0, second = 0, third = 0] = times
    t.ok(second - first >= 95 && third - second >= 195, `${second - first} and ${third - second} ms`)
  })

  t.test('an id, counts once', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    await a.letters.append('1', 'first')
    await b.letters.append('1', 'again')
    await b.letters.append('2', 'second')
    const { bodies } = collect(a)
    await until(() => bodies.includes('second'))
    t.same(bodies.sort(), ['first', 'second'])
  })

  t.test('a node that is slow, has 32 letters in hand, and another one takes the others', async (t) => {
    const nodes = await startNatsNodes(t)
    const [a, b] = [await nodes.open('a'), await nodes.open('b')]
    const held: ((isDone: boolean) => void)[] = []
    a.letters.take(() => new Promise((resolve) => held.push(resolve)))
    await Promise.all(Array.from({ length: 50 }, (_, number) => a.letters.append(String(number), number)))
    await until(() => held.length === 32)
    const { bodies, stop } = collect(b)
    await until(() => bodies.length === 18)
    stop()
    for (let number = 50; number < 60; number++) await a.letters.append(String(number), number)
    t.equal(held.length, 32)
    for (const answer of held) answer(true)
    await until(() => held.length === 42)
  })

  t.test('a letter that no node has written, is dropped', async (t) => {
    const nodes = await startNatsNodes(t)
    const bus = await nodes.open('a')
    const { bodies } = collect(bus)
    await bus.letters.append('1', 'sound')
    const { connection, streams } = await operator(t, nodes.server.port)
    connection.publish('engram.letters', Buffer.from([0xd9, 0xff]))
    await until(() => nodes.lines.length > 0)
    t.match(nodes.lines, [{ level: 'error', message: 'A letter that no node has written was dropped' }])
    await bus.letters.append('2', 'sound too')
    await until(() => bodies.length === 2)
    await bus.check()
    t.equal((await streams.info(STREAM)).state.messages, 0)
  })

  t.test('a letter too large for one message, is refused to its sender', async (t) => {
    const nodes = await startNatsNodes(t)
    const bus = await nodes.open('a')
    await t.rejects(bus.letters.append('1', new Uint8Array(2 ** 20)), { name: 'RangeError' })
  })
}

function kept(): void {
  t.test('letters that were kept, outlive a server that is killed, and are taken when it is back', async (t) => {
    const nodes = await startNatsNodes(t)
    const bus = await nodes.open('a')
    for (let number = 0; number < 10; number++) await bus.letters.append(String(number), number)
    await nodes.server.kill()
    await until(() => !bus.isConnected)
    t.equal(await codeOf(bus.letters.append('10', 10)), 'unreachable')
    const { bodies } = collect(bus)
    await nodes.server.restart()
    await until(() => bodies.length >= 10)
    t.same(new Set(bodies), new Set(Array.from({ length: 10 }, (_, number) => number)))
    await bus.letters.append('10', 10)
    await until(() => bodies.includes(10))
  })

  t.test('a stream that was deleted, is made again by who appends, and taken from again', async (t) => {
    const nodes = await startNatsNodes(t)
    const bus = await nodes.open('a')
    const { bodies } = collect(bus)
    await bus.letters.append('1', 'before')
    await until(() => bodies.length === 1)
    const { streams } = await operator(t, nodes.server.port)
    await streams.delete(STREAM)
    await bus.letters.append('2', 'after')
    await until(() => bodies.length === 2)
    t.same(bodies, ['before', 'after'])
  })

  t.test('a stream with other settings, is given ours and keeps those that are not', async (t) => {
    const nodes = await startNatsNodes(t)
    const { streams } = await operator(t, nodes.server.port)
    const config = { name: STREAM, subjects: ['engram.letters'], retention: 'workqueue' as never, max_msg_size: 100_000, description: 'the operator’s' }
    await streams.add(config)
    await (await nodes.open('a')).letters.append('1', 1)
    const found = (await streams.info(STREAM)).config
    t.match(found, { description: 'the operator’s', max_msg_size: 100_000, max_bytes: 256 * 1024 * 1024, max_age: 86_400_000_000_000 })
    t.match(found, { discard: 'old', duplicate_window: 120_000_000_000, storage: 'file' })
  })
}
