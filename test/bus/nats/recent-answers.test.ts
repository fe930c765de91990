/** Which answers are given again after a reconnection. */
import t from 'tap'
import type { NatsLink } from '../../../src/bus/nats/connection.js'
import { createRecentAnswers } from '../../../src/bus/nats/recent-answers.js'
import { createManualClock } from '../../support/manual-clock.js'

function start() {
  const clock = createManualClock()
  const given: string[] = []
  const listeners = new Set<() => void>()
  const link = {
    publish: (topic: string) => given.push(topic) > 0,
    onReconnect(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  } as object as NatsLink
  const answers = createRecentAnswers({ link, clock })
  return {
    clock,
    answers,
    give: (reply: string, bytes = 1) => answers.give({ reply, data: new Uint8Array(bytes), headers: {} }),
    /** What was given since the last time. */
    given: () => given.splice(0),
    reconnect() {
      for (const listener of listeners) listener()
      return given.splice(0)
    }
  }
}

t.test('answers of the last six seconds are given again in their order, with each reconnection', async (t) => {
  const { clock, give, given, reconnect } = start()
  give('first')
  await clock.advance(4_000)
  give('second')
  t.same(given(), ['first', 'second'])
  await clock.advance(1_999)
  t.same(reconnect(), ['first', 'second'])
  t.same(reconnect(), ['first', 'second'])
  await clock.advance(1)
  t.same(reconnect(), ['second'])
  await clock.advance(4_000)
  t.same(reconnect(), [])
  t.equal(clock.pending, 0, 'nothing stays')
  give('third')
  t.same(given(), ['third'])
  await clock.advance(6_000)
  t.same(reconnect(), [])
})

t.test('of more than four mebibytes the oldest are not given again', (t) => {
  const { give, given, reconnect } = start()
  for (const reply of ['a', 'b', 'c', 'd', 'e']) give(reply, 1024 * 1024)
  t.same(given(), ['a', 'b', 'c', 'd', 'e'])
  t.same(reconnect(), ['b', 'c', 'd', 'e'])
  give('huge', 5 * 1024 * 1024)
  t.same(given(), ['huge'])
  t.same(reconnect(), [])
  give('f')
  t.same(given(), ['f'])
  t.same(reconnect(), ['f'])
  t.end()
})

t.test('once closed, none are kept', (t) => {
  const { clock, answers, give, given, reconnect } = start()
  give('a')
  given()
  answers.close()
  answers.close()
  t.same(reconnect(), [])
  t.equal(clock.pending, 0)
  t.end()
})
