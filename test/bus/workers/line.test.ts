/** What a worker's bus sends to the switchboard, and how it handles what it receives. */
import t from 'tap'
import { decodeMessage, encodeMessage } from '../../../src/bus/message-codec.js'
import { createWorkerBus } from '../../../src/bus/workers/bus.js'
import type { FromWorker, ToWorker } from '../../../src/bus/workers/messages.js'
import type { Logger } from '../../../src/ports.js'
import { createManualClock, settled } from '../../support/manual-clock.js'
import { codeOf } from '../../support/runtime.js'

function start() {
  const clock = createManualClock()
  const said: FromWorker[] = []
  const lines: string[] = []
  const at = (level: string) => (_: object, message: string) => void lines.push(`${level}: ${message}`)
  const logger: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  let hear: (message: ToWorker) => void = () => undefined
  const bus = createWorkerBus({
    name: 'own',
    line: { send: (message) => said.push(message), listen: (listener) => (hear = listener) },
    clock,
    logger
  })
  // The door for parts of large messages.
  said.splice(0)
  return {
    ...{ clock, bus, lines },
    /** Since it was asked last. */
    said: () => said.splice(0),
    hear: async (message: ToWorker) => {
      hear(message)
      await settled()
    }
  }
}

/** The code with which the request has failed by now, or its state. */
async function outcome(asked: Promise<unknown>): Promise<string> {
  let code = 'waits'
  void codeOf(asked).then((found) => (code = found))
  await settled()
  return code
}

function asked(leftMs: number, data = encodeMessage(1)): ToWorker {
  return { type: 'asked', number: 5, topic: 'asks', from: 'other', leftMs, data, isDivided: false }
}

function answered(number: number, data: Uint8Array, isRefusal = false): ToWorker {
  return { type: 'answered', number, data, isDivided: false, isRefusal }
}

/** Codes of the refusals sent. */
function codes(said: readonly FromWorker[]): unknown[] {
  return said.map((message) =>
    message.type === 'answer' && message.isRefusal ? (decodeMessage(message.data) as { code: string }).code : message.type
  )
}

t.test('a topic is served and listened to until its last handler and listener are gone, which is said once', async (t) => {
  const { bus, said } = start()
  const stops = [bus.serve('asks', async () => 1), bus.subscribe('news', () => undefined), bus.subscribe('news', () => undefined)]
  t.same(said(), [
    { type: 'serve', topic: 'asks' },
    { type: 'subscribe', topic: 'news' }
  ])
  const [unserve, first, second] = stops
  unserve?.()
  unserve?.()
  t.same(said(), [{ type: 'unserve', topic: 'asks' }])
  first?.()
  t.same(said(), [])
  second?.()
  second?.()
  t.same(said(), [{ type: 'unsubscribe', topic: 'news' }])
  bus.serve('asks', async () => 2)
  bus.subscribe('news', () => undefined)
  said()
  unserve?.()
  second?.()
  t.same(said(), [], 'others by now')
})

t.test('outbox messages are taken until the last who takes them stops, and are not delivered where nobody takes them', async (t) => {
  const { bus, said, hear } = start()
  const deliver: ToWorker = { type: 'deliver', id: 'm1', data: encodeMessage('told'), isRepeated: true }
  await hear(deliver)
  const heard: unknown[] = []
  const stopFirst = bus.outbox.take(() => Promise.reject(new Error('No')))
  await hear(deliver)
  const stop = bus.outbox.take(async (body, { isRepeated }) => heard.push(body, isRepeated) > 0)
  await hear(deliver)
  stopFirst()
  stop()
  stop()
  t.same(heard, ['told', true])
  t.same(said(), [
    { type: 'delivered', id: 'm1', isDone: false },
    { type: 'take' },
    { type: 'delivered', id: 'm1', isDone: false },
    { type: 'take' },
    { type: 'delivered', id: 'm1', isDone: true },
    { type: 'leave' }
  ])
})

t.test('a bus that is closed says what it leaves, once, and from then on neither says nor hears anything', async (t) => {
  const { bus, said, hear, clock, lines } = start()
  let done: (isDone: boolean) => void = () => undefined
  const heard: unknown[] = []
  bus.serve('asks', async (body) => heard.push(body))
  bus.subscribe('news', (body) => heard.push(body))
  bus.outbox.take(() => new Promise((resolve) => (done = resolve)))
  await hear({ type: 'deliver', id: 'm1', data: encodeMessage(1), isRepeated: false })
  const waits = bus.request('asks', 1, { deadlineMs: 1_000 })
  const late = codeOf(waits)
  await settled()
  said()
  await bus.close()
  t.match(said(), [
    { type: 'unserve', topic: /^engram\.nodes\.own\..*\.parts$/ },
    { type: 'unserve', topic: 'asks' },
    { type: 'unsubscribe', topic: 'news' },
    { type: 'leave' }
  ])
  t.equal(await late, 'deadline_passed')
  t.equal(clock.pending, 0)
  await bus.close()
  bus.publish('news', 1)
  done(true)
  await hear(asked(1_000))
  await hear({ type: 'published', topic: 'news', data: encodeMessage(1) })
  t.equal(await outcome(bus.request('asks', 1, { deadlineMs: 1_000 })), 'unreachable')
  t.equal(await outcome(bus.check()), 'unreachable')
  t.same([said(), heard, lines], [[], [], []])
})

t.test('a bus that took no outbox messages leaves none as it is closed', async (t) => {
  const { bus, said } = start()
  await bus.close()
  t.match(said(), [{ type: 'unserve', topic: /parts$/ }])
})

t.test('a request without time or that was aborted is not said, and one that is over meanwhile is withdrawn', async (t) => {
  const { bus, said, hear, clock } = start()
  t.equal(await outcome(bus.request('asks', 1, { deadlineMs: 0 })), 'deadline_passed')
  t.equal(await outcome(bus.request('asks', 1, { deadlineMs: -1 })), 'deadline_passed')
  t.equal(await outcome(bus.request('asks', 1, { deadlineMs: 1_000, signal: AbortSignal.abort() })), 'deadline_passed')
  t.same(said(), [])
  const abort = new AbortController()
  const aborted = codeOf(bus.request('asks', 1, { deadlineMs: 1_000, signal: abort.signal }))
  const slow = codeOf(bus.request('asks', 2, { deadlineMs: 1_000 }))
  await settled()
  t.match(said(), [
    { type: 'ask', number: 1, topic: 'asks', leftMs: 1_000 },
    { type: 'ask', number: 2 }
  ])
  abort.abort()
  t.equal(await aborted, 'deadline_passed')
  t.same(said(), [{ type: 'withdraw', number: 1 }])
  await clock.advance(999)
  t.same(said(), [])
  await clock.advance(1)
  t.equal(await slow, 'deadline_passed')
  t.same(said(), [{ type: 'withdraw', number: 2 }])
  await hear(answered(2, encodeMessage('late')))
  t.equal(clock.pending, 0)
})

t.test('a request that was answered leaves no timer, and an abort afterwards is not said', async (t) => {
  const { bus, said, hear, clock } = start()
  const abort = new AbortController()
  const first = bus.request('asks', 1, { deadlineMs: 1_000, signal: abort.signal })
  const second = codeOf(bus.request('asks', 2, { deadlineMs: 1_000, signal: abort.signal }))
  await settled()
  said()
  await hear(answered(1, encodeMessage('an answer')))
  await hear({ type: 'unreachable', number: 2 })
  t.equal(await first, 'an answer')
  t.equal(await second, 'unreachable')
  t.equal(clock.pending, 0)
  abort.abort()
  t.same(said(), [])
})

t.test('a refusal that is none is an internal error', async (t) => {
  const { bus, hear } = start()
  const refused = bus.request('asks', 1, { deadlineMs: 1_000 })
  const rejected = t.rejects(refused, { code: 'internal', message: 'Internal error' })
  await settled()
  await hear(answered(1, encodeMessage('nonsense'), true))
  await rejected
})

t.test('an ask is answered, or refused by what serves nothing of it, and a failure is logged', async (t) => {
  const { bus, said, hear, lines } = start()
  await hear(asked(1_000))
  t.same(codes(said()), ['unreachable'])
  t.same(lines, [])
  const stop = bus.serve('asks', async (body, from) => ({ body, from }))
  said()
  await hear(asked(1_000))
  t.same(said(), [{ type: 'answer', number: 5, data: encodeMessage({ body: 1, from: 'other' }), isDivided: false, isRefusal: false }])
  stop()
  bus.serve('asks', () => Promise.reject(new RangeError('a secret')))
  said()
  await hear(asked(1_000))
  t.same(codes(said()), ['internal'])
  t.same(lines, ['error: A request from another worker failed'])
})

t.test('an ask that nobody waits for any more is not handed over', async (t) => {
  const { bus, said, hear } = start()
  const handed: unknown[] = []
  bus.serve('asks', async (body) => handed.push(body))
  said()
  await hear(asked(0, encodeMessage('late')))
  t.same([handed, said()], [[], []])
  await hear(asked(1, encodeMessage('in time')))
  t.same(handed, ['in time'])
})

t.test('the switchboard has two seconds for a check and to keep an outbox message', async (t) => {
  const { bus, hear, clock, said } = start()
  const [check, append] = [codeOf(bus.check()), codeOf(bus.outbox.append('other', 'm1', 'told'))]
  t.same(said(), [
    { type: 'check', number: 1 },
    { type: 'keep', number: 2, to: 'other', id: 'm1', data: encodeMessage('told') }
  ])
  await clock.advance(1_999)
  t.same(said(), [])
  await clock.advance(1)
  t.equal(await check, 'deadline_passed')
  t.equal(await append, 'unreachable')
  const checked = bus.check()
  await hear({ type: 'done', number: 3 })
  await checked
})
