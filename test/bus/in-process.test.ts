import t from 'tap'
import { createInProcessBus } from '../../src/bus/in-process.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { createManualClock, settled } from '../support/manual-clock.js'
import { codeOf } from '../support/runtime.js'
import { busContract } from './contract.js'

busContract('in process', async () => {
  const bus = createInProcessBus({ clock: createSystemClock() })
  return { bus, other: bus, settled }
})

t.test('a request gets its handler’s answer or error and leaves no timer', async (t) => {
  const clock = createManualClock()
  const bus = createInProcessBus({ clock })
  bus.serve('double', async (body) => Number(body) * 2)
  bus.serve('fail', () => Promise.reject(new RangeError('No')))
  t.equal(await bus.request('double', 21, { deadlineMs: 100 }), 42)
  await t.rejects(bus.request('fail', 1, { deadlineMs: 100 }), new RangeError('No'))
  t.equal(clock.pending, 0)
})

t.test('a request that nobody serves is refused at once', async (t) => {
  const bus = createInProcessBus({ clock: createManualClock() })
  t.equal(await codeOf(bus.request('nobody', 1, { deadlineMs: 100 })), 'unreachable')
  const stop = bus.serve('somebody', async () => 1)
  stop()
  stop()
  t.equal(await codeOf(bus.request('somebody', 1, { deadlineMs: 100 })), 'unreachable')
})

t.test('a request without an answer in time is over and a late answer is dropped', async (t) => {
  const clock = createManualClock()
  const bus = createInProcessBus({ clock })
  let answer: (value: unknown) => void = () => {}
  bus.serve('slow', () => new Promise((resolve) => (answer = resolve)))
  const outcome = codeOf(bus.request('slow', 1, { deadlineMs: 100 }))
  await clock.advance(100)
  t.equal(await outcome, 'deadline_passed')
  answer('late')
  await settled()
})

t.test('a topic has one handler', async (t) => {
  const bus = createInProcessBus({ clock: createManualClock() })
  bus.serve('one', async () => 1)
  t.throws(() => bus.serve('one', async () => 2))
})

t.test('what is published reaches every listener of its topic, in order and never within the call', async (t) => {
  const bus = createInProcessBus({ clock: createManualClock() })
  const heard: string[] = []
  const stop = bus.subscribe('news', (body) => heard.push(`first ${String(body)}`))
  bus.subscribe('news', (body) => heard.push(`second ${String(body)}`))
  bus.subscribe('other', () => heard.push('wrong'))
  bus.publish('news', 1)
  t.same(heard, [])
  await settled()
  stop()
  stop()
  bus.publish('news', 2)
  bus.publish('nobody', 3)
  await settled()
  t.same(heard, ['first 1', 'second 1', 'second 2'])
})

t.test('a closed bus serves nobody and closes twice', async (t) => {
  const bus = createInProcessBus({ clock: createManualClock() })
  bus.serve('one', async () => 1)
  await bus.close()
  await bus.close()
  t.equal(await codeOf(bus.request('one', 1, { deadlineMs: 1 })), 'unreachable')
})

t.test('who stops serving or listening twice leaves those alone that came in between', async (t) => {
  const bus = createInProcessBus({ clock: createManualClock() })
  const unserve = bus.serve('one', async () => 1)
  unserve()
  bus.serve('one', async () => 2)
  unserve()
  t.equal(await bus.request('one', null, { deadlineMs: 100 }), 2)
  const heard: unknown[] = []
  const unsubscribe = bus.subscribe('news', () => undefined)
  unsubscribe()
  bus.subscribe('news', (body) => heard.push(body))
  unsubscribe()
  bus.publish('news', 1)
  await bus.close()
  bus.publish('news', 2)
  await settled()
  t.same(heard, [1])
})
