/** Outbox messages at a stop, from strangers, and without what keeps them; and what a connection tells of itself. */
import { connect } from 'nats'
import t, { type Test } from 'tap'
import { encodeMessage } from '../../../src/bus/message-codec.js'
import { connectNats } from '../../../src/bus/nats/connection.js'
import { createManualClock } from '../../support/manual-clock.js'
import { startNatsNodes } from '../../support/nats-nodes.js'
import { startNatsServer } from '../../support/nats-server.js'
import { allNeed } from '../../support/needs.js'
import { until } from '../../support/until.js'

const STREAM = 'ENGRAM_OUTBOX_a'
const DELIVERY = 'engram.nodes.a.outbox'

allNeed(t, 'nats-server')

async function operator(t: Test, port: number) {
  const connection = await connect({ servers: `127.0.0.1:${port}` })
  t.teardown(() => connection.close())
  return { connection, streams: (await connection.jetstreamManager()).streams }
}

t.test('what a node delivers while it is closed is given back, and comes at once to its next process', async (t) => {
  const nodes = await startNatsNodes(t)
  const first = await nodes.open('a')
  let isOut = false
  first.outbox.take(() => {
    isOut = true
    return new Promise(() => undefined)
  })
  await first.outbox.append('a', '1', 'slow')
  await until(() => isOut)
  await first.close()
  const startedMs = performance.now()
  const came: unknown[] = []
  const next = await nodes.open('a')
  next.outbox.take(async (body, { isRepeated }) => came.push(body, isRepeated) > 0)
  await until(() => came.length > 0)
  t.same(came, ['slow', true])
  t.ok(performance.now() - startedMs < 30_000, 'long before it would come again by itself')
})

t.test('a node stops as soon as it has what is on its way to it, and no later', async (t) => {
  const clock = createManualClock()
  for (const count of [1, 10, 60]) {
    const nodes = await startNatsNodes(t)
    const bus = await nodes.open('a', { clock })
    for (let number = 0; number < count; number++) await bus.outbox.append('a', String(number), number)
    const came: unknown[] = []
    const stop = bus.outbox.take(async (body) => {
      came.push(body)
      stop()
      return true
    })
    await until(() => came.length > 0)
    let isClosed = false
    void bus.close().then(() => (isClosed = true))
    // The clock stands still: what waits for its second waits for ever.
    await until(() => isClosed)
    const next = await nodes.open('a', { clock })
    const rest = new Set<unknown>(came)
    next.outbox.take(async (body) => rest.add(body).size > 0)
    await until(() => rest.size === count)
  }
})

t.test('nobody but the server hands a node outbox messages', async (t) => {
  const nodes = await startNatsNodes(t)
  const bus = await nodes.open('a')
  const came: unknown[] = []
  bus.outbox.take(async (body) => came.push(body) > 0)
  await bus.outbox.append('a', '1', 'first')
  await until(() => came.length > 0)
  const { connection } = await operator(t, nodes.server.port)
  const said: string[] = []
  connection.subscribe('said.>', { callback: (_, { subject }) => void said.push(subject) })
  const foreign = encodeMessage('foreign')
  connection.publish(DELIVERY, foreign)
  connection.publish(DELIVERY, foreign, { reply: 'said.elsewhere' })
  connection.publish(DELIVERY, foreign, { reply: `$JS.ACK.${STREAM}.node.1.9.9.1.0` })
  await connection.flush()
  await bus.outbox.append('a', '2', 'second')
  await until(() => came.length > 1)
  t.same([came, said, nodes.lines], [['first', 'second'], [], []])
})

t.test('a stream that is not as it has to be is named once, and again when it was put right meanwhile', async (t) => {
  const nodes = await startNatsNodes(t)
  const clock = createManualClock()
  const bus = await nodes.open('a', { clock })
  bus.outbox.take(async () => true)
  await bus.outbox.append('a', '1', 1)
  const { streams } = await operator(t, nodes.server.port)
  const named = () => nodes.lines.filter(({ message }) => message === 'Outbox messages for this node cannot be kept').length
  /** As long as from one look to the next; slowly, so that the server answers before its time is over by this clock. */
  const look = async () => {
    for (let step = 0; step < 62; step++) {
      await clock.advance(500)
      await bus.check()
    }
  }
  const { config } = await streams.info(STREAM)
  const set = (name: string) => streams.update(STREAM, { ...config, subjects: ['engram.outbox.a.*', name] })
  await set('more')
  await look()
  t.equal(named(), 1)
  await look()
  t.equal(named(), 1)
  await streams.update(STREAM, config)
  await look()
  await set('more')
  await look()
  t.equal(named(), 2)
})

t.test('a listener for reconnections that was cancelled is not called, and the others are', async (t) => {
  const nodes = await startNatsNodes(t)
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const clock = createManualClock()
  const link = await connectNats({ url: nodes.server.url, name: 'a', clock, logger })
  t.teardown(() => link.close())
  const heard: string[] = []
  const cancel = link.onReconnect(() => heard.push('first'))
  link.onReconnect(() => heard.push('second'))
  cancel()
  await nodes.server.kill()
  await until(() => !link.isReady)
  await nodes.server.restart()
  await until(
    () => heard.length > 0,
    () => clock.advance(250)
  )
  t.same(heard, ['second'])
})

t.test('what the server refuses is logged with its reason', async (t) => {
  const config = 'authorization { users [{ user: u, password: p, permissions: { publish: { deny: "engram.others" } } }] }'
  const server = await startNatsServer({ config })
  t.teardown(() => server.stop())
  const lines: object[] = []
  const logger = { debug() {}, info() {}, warn: (fields: object, message: string) => void lines.push({ ...fields, message }), error() {} }
  const link = await connectNats({ url: `nats://u:p@127.0.0.1:${server.port}`, name: 'a', clock: createManualClock(), logger })
  t.teardown(() => link.close())
  link.publish('engram.others', new Uint8Array())
  await until(() => lines.length > 0)
  t.same(lines, [{ reason: 'PERMISSIONS_VIOLATION', message: 'NATS refused something' }])
})
