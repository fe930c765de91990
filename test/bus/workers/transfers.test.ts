/** Large messages between workers: what passes over their lines, and how much of them a worker holds. */
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { encodeMessage } from '../../../src/bus/message-codec.js'
import { createWorkerBus } from '../../../src/bus/workers/bus.js'
import type { FromWorker, ToWorker } from '../../../src/bus/workers/messages.js'
import { createSwitchboard } from '../../../src/bus/workers/switchboard.js'
import { DomainError } from '../../../src/domain/errors.js'
import { createSystemClock } from '../../../src/platform/clock.js'
import { codeOf } from '../../support/runtime.js'

const KIB = 1024
const MIB = 1024 * KIB
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
const TOPIC = 'engram.nodes.worker-1.first.large'

/** Two workers of one switchboard, and the bytes of the largest message that passed between a worker and the switchboard. */
function start(t: Test, transferBytesMax?: number, ofSecond = transferBytesMax) {
  const clock = createSystemClock()
  const switchboard = createSwitchboard({ clock })
  const passed = { largest: 0 }
  const copied = <Message extends FromWorker | ToWorker>(message: Message): Message => {
    if ('data' in message) passed.largest = Math.max(passed.largest, message.data.length)
    return structuredClone(message)
  }
  const open = (name: string, bytesMax: number | undefined) => {
    let hear: (message: ToWorker) => void = () => undefined
    const plug = switchboard.plugIn(name, (message, written) => {
      const copy = copied(message)
      queueMicrotask(() => {
        hear(copy)
        written()
      })
    })
    const send = (message: FromWorker) => {
      const copy = copied(message)
      queueMicrotask(() => plug.receive(copy))
    }
    const bus = createWorkerBus({
      ...{ name, clock, logger: SILENT, line: { send, listen: (listener) => (hear = listener) } },
      ...(bytesMax !== undefined && { transferBytesMax: bytesMax })
    })
    t.teardown(() => bus.close())
    return { bus, pullOut: plug.pullOut }
  }
  return { first: open('worker-1', transferBytesMax), second: open('worker-2', ofSecond), passed }
}

t.test('a large request and its answer cross whole, in messages of half a mebibyte', async (t) => {
  const { first, second, passed } = start(t)
  first.bus.serve(TOPIC, async (body, from) => ({ body, from }))
  const body = { bytes: randomBytes(3 * MIB), list: Array.from({ length: 300 }, (_, at) => ({ at, text: 'x'.repeat(2_000) })) }
  const { body: crossed, from } = (await second.bus.request(TOPIC, body, { deadlineMs: 60_000 })) as { body: typeof body; from: string }
  // Byte by byte the assertion would take most of the test's time.
  t.ok(body.bytes.equals(crossed.bytes), 'the same bytes')
  t.same({ ...crossed, bytes: null }, { ...body, bytes: null })
  t.equal(from, 'worker-2')
  t.equal(passed.largest, 512 * KIB)
})

t.test('an answer of many parts that may be given up is fetched without a warning of Node.js', async (t) => {
  const { first, second } = start(t)
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  first.bus.serve(TOPIC, async () => new Uint8Array(8 * MIB))
  await second.bus.request(TOPIC, 1, { deadlineMs: 60_000, signal: new AbortController().signal })
  await new Promise((resolve) => setImmediate(resolve))
  t.same(warnings, [])
})

t.test('who asks is told how large an answer in parts is before they are fetched, and may refuse it', async (t) => {
  const { first, second, passed } = start(t)
  const header = encodeMessage(new Uint8Array(256 * KIB)).length - 256 * KIB
  first.bus.serve(TOPIC, async (body) => new Uint8Array(Number(body)))
  const told: number[] = []
  const ask = (bytes: number, largeAnswer = (size: number) => void told.push(size)) =>
    second.bus.request(TOPIC, bytes - header, { deadlineMs: 60_000, largeAnswer })
  await ask(256 * KIB)
  await ask(256 * KIB + 1)
  t.same(told, [256 * KIB + 1])
  passed.largest = 0
  const refused = ask(2 * MIB, () => {
    throw new DomainError('memory_exhausted', 'No room for it')
  })
  await t.rejects(refused, { code: 'memory_exhausted', message: 'No room for it' })
  t.ok(passed.largest < KIB, 'no part was fetched')
})

t.test('an answer whose worker ends midway is no answer, which says nothing about the request', async (t) => {
  const { first, second } = start(t)
  first.bus.serve(TOPIC, async () => new Uint8Array(2 * MIB))
  const largeAnswer = () => first.pullOut()
  t.equal(await codeOf(second.bus.request(TOPIC, 1, { deadlineMs: 500, largeAnswer })), 'deadline_passed')
})

t.test('answers that are packed or kept at once have a limit, which is free again afterwards', async (t) => {
  const { first, second } = start(t, 4 * MIB)
  const items = (mib: number) => Array.from({ length: mib * 512 }, (_, at) => ({ at, text: 'x'.repeat(2_048) }))
  first.bus.serve(TOPIC, async (body) => items(Number(body)))
  const ask = (mib: number) => second.bus.request(TOPIC, mib, { deadlineMs: 60_000 })
  t.equal(await codeOf(ask(4)), 'limit_reached')
  const codes = await Promise.all(Array.from({ length: 4 }, () => codeOf(ask(2))))
  t.ok(codes.includes('outcome_unknown'), codes.join())
  t.notOk(codes.includes('busy'), 'it was carried out')
  t.equal(((await ask(2)) as unknown[]).length, 1_024)
})

t.test('an answer that its receiver has no room for is not told as if nothing had been done', async (t) => {
  const { first, second } = start(t, undefined, 4 * MIB)
  let done = 0
  first.bus.serve(TOPIC, async () => {
    done += 1
    return new Uint8Array(3 * MIB)
  })
  const codes = await Promise.all(Array.from({ length: 4 }, () => codeOf(second.bus.request(TOPIC, 1, { deadlineMs: 60_000 }))))
  t.equal(done, 4)
  t.ok(codes.includes('outcome_unknown'), codes.join())
  t.notOk(codes.includes('busy'))
})
