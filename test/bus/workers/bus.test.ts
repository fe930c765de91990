import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Duplex, PassThrough } from 'node:stream'
import t, { type Test } from 'tap'
import { createWorkerBus } from '../../../src/bus/workers/bus.js'
import { encodeMessage } from '../../../src/bus/message-codec.js'
import type { ToWorker, WorkerLine } from '../../../src/bus/workers/messages.js'
import { createPeerLine } from '../../../src/bus/workers/peer-line.js'
import { createSwitchboard } from '../../../src/bus/workers/switchboard.js'
import { createSystemClock } from '../../../src/platform/clock.js'
import type { Clock, Logger, NodeBus } from '../../../src/ports.js'
import { createManualClock, settled } from '../../support/manual-clock.js'
import { codeOf } from '../../support/runtime.js'
import { socketPair } from '../../support/socket-pair.js'
import { until } from '../../support/until.js'
import { busContract } from '../contract.js'

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

interface OpenWorker {
  readonly bus: NodeBus
  readonly pullOut: () => void
  /** Types of what it sent to the switchboard. */
  readonly sent: readonly string[]
  readonly meet: Parameters<NonNullable<WorkerLine['meet']>>[0]
}

/** Creates workers of one switchboard, each with a line that clones every message, as between processes. */
function createWorkers(t: Test, clock: Clock = createSystemClock()) {
  const switchboard = createSwitchboard({ clock })
  function open(name: string): OpenWorker {
    let hear: (message: ToWorker) => void = () => undefined
    let meet: OpenWorker['meet'] = () => undefined
    const sent: string[] = []
    let isGone = false
    const plug = switchboard.plugIn(name, (message, written) => {
      const copy = structuredClone(message)
      queueMicrotask(() => {
        if (!isGone) hear(copy)
        written()
      })
    })
    const bus = createWorkerBus({
      name,
      line: {
        send(message) {
          sent.push(message.type)
          const copy = structuredClone(message)
          queueMicrotask(() => (isGone ? undefined : plug.receive(copy)))
        },
        listen: (listener) => (hear = listener),
        meet: (listener) => (meet = listener)
      },
      clock,
      logger: SILENT
    })
    t.teardown(() => bus.close())
    return {
      bus,
      sent,
      meet: (...met) => meet(...met),
      pullOut() {
        isGone = true
        plug.pullOut()
      }
    }
  }
  return { open }
}

/** Gives the workers `a` and `b` a line to each other. */
async function introduce(t: Test, a: OpenWorker, b: OpenWorker): Promise<readonly [Socket, Socket]> {
  const ends = await socketPair(t)
  a.meet('b', ends[0])
  b.meet('a', ends[1])
  return ends
}

busContract('between workers', async (t) => {
  const { open } = createWorkers(t)
  return { bus: open('worker-1').bus, other: open('worker-2').bus, settled }
})

busContract('between workers with a line to each other', async (t) => {
  const { open } = createWorkers(t)
  const [a, b] = [open('a'), open('b')]
  await introduce(t, a, b)
  return { bus: a.bus, other: b.bus, settled }
})

t.test('workers: what one asks the other takes their own line, also large messages, and once it has ended the switchboard', async (t) => {
  const { open } = createWorkers(t)
  const [a, b] = [open('a'), open('b')]
  const [end, otherEnd] = await introduce(t, a, b)
  a.bus.serve('engram.nodes.a.first.echo', async (body, from) => ({ body, from }))
  const echo = (body: unknown) => b.bus.request('engram.nodes.a.first.echo', body, { deadlineMs: 5_000 })
  const bodies = [1, 'ä', 'a'.repeat(100_000), new Uint8Array(3 * 1024 * 1024)]
  t.same(
    await Promise.all(bodies.map(echo)),
    bodies.map((body) => ({ body, from: 'b' }))
  )
  t.notOk([...a.sent, ...b.sent].some((type) => type === 'ask' || type === 'answer'))
  end.destroy()
  await once(otherEnd, 'close')
  t.same(await echo('again'), { body: 'again', from: 'b' })
  t.ok(b.sent.includes('ask'))
})

t.test('workers: one that has closed its bus is unreachable for the others', async (t) => {
  const { open } = createWorkers(t)
  const [a, b] = [open('a'), open('b')]
  await introduce(t, a, b)
  a.bus.serve('engram.nodes.a.first.echo', async (body) => body)
  await a.bus.close()
  t.equal(await codeOf(b.bus.request('engram.nodes.a.first.echo', 1, { deadlineMs: 5_000 })), 'unreachable')
})

t.test('workers: the line to the next process of a name takes the place of the last, whose end is no loss', async (t) => {
  const { open } = createWorkers(t)
  const [a, b] = [open('a'), open('b')]
  const [last, otherLast] = await introduce(t, a, b)
  await introduce(t, a, b)
  last.destroy()
  await once(otherLast, 'close')
  a.bus.serve('engram.nodes.a.second.echo', async (body) => body)
  t.equal(await b.bus.request('engram.nodes.a.second.echo', 1, { deadlineMs: 5_000 }), 1)
  t.notOk(b.sent.includes('ask'))
})

t.test('workers: of one that reads nothing, asks are refused once 64 MiB wait for it, and answers to it are dropped', async (t) => {
  const { open } = createWorkers(t)
  const a = open('a')
  const written: Buffer[] = []
  const sending = new PassThrough().on('data', (chunk: Buffer) => written.push(chunk))
  createPeerLine(sending, { hear: () => undefined, ended: () => undefined }).send({
    ...{ type: 'ask', number: 1, topic: 'engram.nodes.a.first.echo', leftMs: 5_000, isDivided: false },
    data: encodeMessage('a')
  })
  await until(() => written.length > 0)
  const socket = new Duplex({ read() {}, write() {} })
  a.meet('b', socket)
  let asked = 0
  a.bus.serve('engram.nodes.a.first.echo', async (body) => {
    asked += 1
    return body
  })
  const body = new Uint8Array(255 * 1024)
  const ask = () => codeOf(a.bus.request('engram.nodes.b.first.any', body, { deadlineMs: 60_000 }))
  const waiting = Array.from({ length: 258 }, ask)
  t.equal(await Promise.race(waiting), 'busy')
  const { writableLength } = socket
  socket.push(written[0])
  await until(() => asked === 1)
  await settled()
  t.equal(socket.writableLength, writableLength)
  await a.bus.close()
  t.equal((await Promise.all(waiting)).filter((code) => code === 'deadline_passed').length, waiting.length - 1)
})

t.test('workers: numbers, maps, vectors and long lists arrive as they were sent, with the name of the worker that asks', async (t) => {
  const { open } = createWorkers(t)
  const [first, second] = [open('worker-1').bus, open('worker-2').bus]
  first.serve('echo', async (body, from) => ({ body, from }))
  const body = {
    map: new Map([['a', 1]]),
    vector: Float32Array.of(0.5, -1),
    nothing: undefined,
    list: Array.from({ length: 300 }, (_, at) => ({ at, text: `text ${at}` }))
  }
  t.strictSame(await second.request('echo', body, { deadlineMs: 5_000 }), { body, from: 'worker-2' })
})

t.test('workers: what one served is unreachable once its process ended, and what it was asked is never answered', async (t) => {
  const clock = createManualClock()
  const { open } = createWorkers(t, clock)
  const [first, second] = [open('worker-1'), open('worker-2')]
  first.bus.serve('slow', () => new Promise(() => undefined))
  const asked = codeOf(second.bus.request('slow', null, { deadlineMs: 1_000 }))
  await settled()
  first.pullOut()
  t.equal(await codeOf(second.bus.request('slow', null, { deadlineMs: 1_000 })), 'unreachable')
  await clock.advance(1_000)
  t.equal(await asked, 'deadline_passed')
})

t.test('workers: an outbox message, kept for a worker that is away and for its next process, and once for one id', async (t) => {
  const { open } = createWorkers(t)
  const sender = open('worker-1')
  await sender.bus.outbox.append('worker-2', 'm1', { told: 1 })
  await sender.bus.outbox.append('worker-2', 'm1', { told: 'twice' })
  const first = open('worker-2')
  const took: unknown[] = []
  first.bus.outbox.take((body) => {
    took.push(body)
    return new Promise(() => undefined)
  })
  await settled()
  first.pullOut()
  const next = open('worker-2')
  next.bus.outbox.take(async (body, { isRepeated }) => {
    took.push({ body, isRepeated })
    return true
  })
  await settled()
  t.strictSame(took, [{ told: 1 }, { body: { told: 1 }, isRepeated: true }])
})

t.test('workers: an outbox message that was not delivered comes again, later each time', async (t) => {
  const clock = createManualClock()
  const { open } = createWorkers(t, clock)
  const { bus } = open('worker-1')
  let tries = 0
  bus.outbox.take(async () => ++tries === 3)
  await settled()
  await bus.outbox.append('worker-1', 'm1', null)
  await settled()
  t.equal(tries, 1)
  await clock.advance(100)
  t.equal(tries, 2)
  await clock.advance(100)
  t.equal(tries, 2)
  await clock.advance(100)
  t.equal(tries, 3)
  await clock.advance(60_000)
  t.equal(tries, 3)
})

t.test('workers: outbox messages beyond what is kept, unreachable', async (t) => {
  const { open } = createWorkers(t)
  const { bus } = open('worker-1')
  const body = new Uint8Array(40 * 1024 * 1024)
  await bus.outbox.append('worker-2', 'm1', body)
  t.equal(await codeOf(bus.outbox.append('worker-2', 'm2', body)), 'unreachable')
})
