import t, { type Test } from 'tap'
import { createWorkerBus } from '../../../src/bus/workers/bus.js'
import type { ToWorker } from '../../../src/bus/workers/messages.js'
import { createSwitchboard } from '../../../src/bus/workers/switchboard.js'
import { createSystemClock } from '../../../src/platform/clock.js'
import type { Clock, Logger, NodeBus } from '../../../src/ports.js'
import { createManualClock, settled } from '../../support/manual-clock.js'
import { codeOf } from '../../support/runtime.js'
import { busContract } from '../contract.js'

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** Creates workers of one switchboard, each with a line that clones every message, as between processes. */
function createWorkers(t: Test, clock: Clock = createSystemClock()) {
  const switchboard = createSwitchboard({ clock })
  function open(name: string): { readonly bus: NodeBus; readonly pullOut: () => void } {
    let hear: (message: ToWorker) => void = () => undefined
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
          const copy = structuredClone(message)
          queueMicrotask(() => (isGone ? undefined : plug.receive(copy)))
        },
        listen: (listener) => (hear = listener)
      },
      clock,
      logger: SILENT
    })
    t.teardown(() => bus.close())
    return {
      bus,
      pullOut() {
        isGone = true
        plug.pullOut()
      }
    }
  }
  return { open }
}

busContract('between workers', async (t) => {
  const { open } = createWorkers(t)
  return { bus: open('worker-1').bus, other: open('worker-2').bus, settled }
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
