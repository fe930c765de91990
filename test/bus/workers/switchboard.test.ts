/** What the switchboard passes on, and to whom, as seen on the lines of its workers. */
import t from 'tap'
import { decodeMessage } from '../../../src/bus/message-codec.js'
import type { FromWorker, ToWorker } from '../../../src/bus/workers/messages.js'
import { createSwitchboard } from '../../../src/bus/workers/switchboard.js'
import { createManualClock } from '../../support/manual-clock.js'

const DATA = Uint8Array.of(1)

function start() {
  const switchboard = createSwitchboard({ clock: createManualClock() })
  return (name: string) => {
    const heard: ToWorker[] = []
    const unread: (() => void)[] = []
    const plug = switchboard.plugIn(name, (message, written) => {
      heard.push(message)
      unread.push(written)
    })
    return {
      ...plug,
      /** Since it was asked last. */
      heard: () => heard.splice(0),
      /** The worker has read all that was sent to it. */
      reads: () => unread.splice(0).forEach((written) => written())
    }
  }
}

function ask(number: number, topic = 'asks'): FromWorker {
  return { type: 'ask', number, topic, leftMs: 1_000, data: DATA, isDivided: false }
}

function answer(number: number): FromWorker {
  return { type: 'answer', number, data: DATA, isDivided: true, isRefusal: false }
}

t.test('an ask goes to the worker that serves its topic, and its answer back under the asker’s own number', async (t) => {
  const open = start()
  const [server, asker] = [open('server'), open('asker')]
  server.receive({ type: 'serve', topic: 'asks' })
  asker.receive(ask(7))
  asker.receive(ask(8))
  t.same(
    server.heard(),
    [1, 2].map((number) => ({ type: 'asked', number, topic: 'asks', from: 'asker', leftMs: 1_000, data: DATA, isDivided: false }))
  )
  server.receive(answer(2))
  t.same(asker.heard(), [{ type: 'answered', number: 8, data: DATA, isDivided: true, isRefusal: false }])
  server.receive(answer(2))
  server.receive(answer(3))
  t.same(asker.heard(), [], 'an ask is answered once')
})

t.test('an ask is answered by nobody but the worker that was asked', async (t) => {
  const open = start()
  const [server, asker, other] = [open('server'), open('asker'), open('other')]
  server.receive({ type: 'serve', topic: 'asks' })
  asker.receive(ask(1))
  other.receive(answer(1))
  t.same(asker.heard(), [])
  server.receive(answer(1))
  t.equal(asker.heard().length, 1)
})

t.test('an ask that was withdrawn is not answered, and others are', async (t) => {
  const open = start()
  const [server, asker, other] = [open('server'), open('asker'), open('other')]
  server.receive({ type: 'serve', topic: 'asks' })
  asker.receive(ask(1))
  asker.receive(ask(2))
  other.receive(ask(1))
  asker.receive({ type: 'withdraw', number: 1 })
  for (const number of [1, 2, 3]) server.receive(answer(number))
  t.match(asker.heard(), [{ type: 'answered', number: 2 }])
  t.match(other.heard(), [{ type: 'answered', number: 1 }])
})

t.test('a topic that is served no longer is unreachable, and served as long as its own worker does not say so', async (t) => {
  const open = start()
  const [server, asker] = [open('server'), open('asker')]
  server.receive({ type: 'serve', topic: 'asks' })
  asker.receive({ type: 'unserve', topic: 'asks' })
  asker.receive(ask(1))
  t.same(asker.heard(), [])
  server.receive({ type: 'unserve', topic: 'asks' })
  asker.receive(ask(2))
  t.same(asker.heard(), [{ type: 'unreachable', number: 2 }])
})

t.test('a worker that was pulled out serves nothing, hears nothing, and takes nothing from the next process of its name', async (t) => {
  const open = start()
  const [first, asker] = [open('server'), open('asker')]
  for (const topic of ['asks', 'left']) first.receive({ type: 'serve', topic })
  first.receive({ type: 'subscribe', topic: 'news' })
  first.receive({ type: 'take' })
  asker.receive({ type: 'serve', topic: 'back' })
  asker.receive(ask(1))
  first.receive(ask(1, 'back'))
  const next = open('server')
  next.receive({ type: 'serve', topic: 'asks' })
  next.receive({ type: 'take' })
  first.heard()
  first.pullOut()
  first.pullOut()
  first.receive(answer(1))
  asker.receive({ type: 'publish', topic: 'news', data: DATA })
  t.match(asker.heard(), [{ type: 'asked', number: 2 }], 'what it was asked is never answered')
  asker.receive(answer(2))
  t.same(first.heard(), [])
  asker.receive(ask(2))
  asker.receive(ask(3, 'left'))
  asker.receive({ type: 'keep', number: 4, to: 'server', id: 'm1', data: DATA })
  t.same(asker.heard(), [
    { type: 'unreachable', number: 3 },
    { type: 'done', number: 4 }
  ])
  t.match(next.heard(), [{ type: 'asked' }, { type: 'deliver', id: 'm1', isRepeated: false }])
})

t.test('what is published reaches each worker once that subscribed to it, the one that publishes too', async (t) => {
  const open = start()
  const [first, second, third] = [open('first'), open('second'), open('third')]
  first.receive({ type: 'subscribe', topic: 'news.*' })
  first.receive({ type: 'subscribe', topic: 'news.a' })
  second.receive({ type: 'subscribe', topic: 'news.b' })
  third.receive({ type: 'subscribe', topic: 'news.a' })
  third.receive({ type: 'unsubscribe', topic: 'news.a' })
  first.receive({ type: 'publish', topic: 'news.a', data: DATA })
  t.same(first.heard(), [{ type: 'published', topic: 'news.a', data: DATA }])
  t.same([second.heard(), third.heard()], [[], []])
})

t.test('a check is answered, and what is kept is delivered until its worker leaves', async (t) => {
  const open = start()
  const worker = open('worker')
  const keep = (number: number, bytes = 1) =>
    worker.receive({ type: 'keep', number, to: 'worker', id: `m${String(number)}`, data: new Uint8Array(bytes) })
  worker.receive({ type: 'check', number: 1 })
  keep(2)
  keep(3, 65 * 1024 * 1024)
  t.same(worker.heard(), [
    { type: 'done', number: 1 },
    { type: 'done', number: 2 },
    { type: 'unreachable', number: 3 }
  ])
  worker.receive({ type: 'take' })
  t.match(worker.heard(), [{ type: 'deliver', id: 'm2' }])
  worker.receive({ type: 'delivered', id: 'm2', isDone: true })
  worker.receive({ type: 'leave' })
  keep(4)
  t.match(worker.heard(), [{ type: 'done', number: 4 }])
  worker.receive({ type: 'take' })
  t.match(worker.heard(), [{ type: 'deliver', id: 'm4' }])
})

t.test('a worker that reads nothing is sent 64 MiB, and no more until it has read', async (t) => {
  const open = start()
  const [slow, other] = [open('slow'), open('other')]
  slow.receive({ type: 'serve', topic: 'asks' })
  slow.receive({ type: 'subscribe', topic: 'news' })
  other.receive({ type: 'serve', topic: 'back' })
  other.receive({ type: 'subscribe', topic: 'news' })
  slow.receive(ask(1, 'back'))
  const large = { data: new Uint8Array(16 * 1024 * 1024), isDivided: false }
  for (let number = 1; number <= 5; number++) other.receive({ type: 'ask', number, topic: 'asks', leftMs: 1_000, ...large })
  t.equal(slow.heard().length, 4)
  const [, ...told] = other.heard()
  t.match(told, [{ type: 'answered', number: 5, isRefusal: true }])
  const refusal = told[0] as Extract<ToWorker, { type: 'answered' }>
  t.match(decodeMessage(refusal.data), { code: 'busy' })
  other.receive({ type: 'publish', topic: 'news', data: DATA })
  other.receive(answer(1))
  t.same(slow.heard(), [])
  t.match(other.heard(), [{ type: 'published' }], 'others are sent all the same')
  slow.reads()
  other.receive({ type: 'publish', topic: 'news', data: DATA })
  other.receive(ask(6))
  t.match(slow.heard(), [{ type: 'published' }, { type: 'asked' }])
})
