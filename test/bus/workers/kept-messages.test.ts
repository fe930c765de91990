import t from 'tap'
import { createKeptMessages } from '../../../src/bus/workers/kept-messages.js'
import type { ToWorker } from '../../../src/bus/workers/messages.js'
import { createManualClock } from '../../support/manual-clock.js'

function start() {
  const clock = createManualClock()
  const kept = createKeptMessages({ clock })
  const sent: string[] = []
  const send = (message: ToWorker) => {
    if (message.type === 'deliver') sent.push(`${message.id}${message.isRepeated ? ' again' : ''}`)
  }
  return {
    ...{ clock, kept, send },
    keep: (id: string, bytes = 1, to = 'w') => kept.keep({ to, id, data: new Uint8Array(bytes) }),
    done: (id: string, isDone = true) => kept.settle('w', { id, isDone }),
    /** Since it was asked last. */
    delivered: () => sent.splice(0)
  }
}

t.test('a message is delivered at once, or when its worker is there', async (t) => {
  const { kept, send, keep, delivered } = start()
  t.equal(keep('a'), true)
  t.same(delivered(), [])
  kept.take('w', send)
  t.same(delivered(), ['a'])
  keep('b')
  keep('c', 1, 'another')
  t.same(delivered(), ['b'])
})

t.test('a message that was delivered comes no more, and its id counts for two minutes', async (t) => {
  const { clock, kept, send, keep, done, delivered } = start()
  kept.take('w', send)
  keep('a')
  done('a')
  done('a', false)
  done('nobody’s')
  t.same(delivered(), ['a'])
  await clock.advance(119_999)
  t.equal(keep('a'), true)
  t.same(delivered(), [])
  await clock.advance(1)
  t.equal(keep('a'), true)
  t.same(delivered(), ['a'])
})

t.test('a message that was not delivered comes again after a tenth of a second, doubled each time up to half a minute', async (t) => {
  const { clock, kept, send, keep, done, delivered } = start()
  kept.take('w', send)
  keep('a')
  for (const waitMs of [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000]) {
    delivered()
    done('a', false)
    await clock.advance(waitMs - 1)
    t.same(delivered(), [], `${String(waitMs)} ms`)
    await clock.advance(1)
    t.same(delivered(), ['a again'])
  }
})

t.test('the next that is due is looked for, whatever others wait for', async (t) => {
  const { clock, kept, send, keep, done, delivered } = start()
  kept.take('w', send)
  for (const id of ['slow', 'quick']) keep(id)
  done('slow', false)
  await clock.advance(100)
  done('slow', false)
  done('quick', false)
  delivered()
  await clock.advance(100)
  t.same(delivered(), ['quick again'])
  await clock.advance(100)
  t.same(delivered(), ['slow again'])
})

t.test('a worker has sixteen at a time', async (t) => {
  const { kept, send, keep, done, delivered } = start()
  kept.take('w', send)
  for (let at = 0; at < 18; at++) keep(`m${String(at)}`)
  t.equal(delivered().length, 16)
  done('m3')
  t.same(delivered(), ['m16'])
  done('m4', false)
  t.same(delivered(), ['m17'], 'one that has to wait holds nobody up')
})

t.test('a worker that leaves is sent nothing, and its next process all that was not delivered', async (t) => {
  const { clock, kept, send, keep, done, delivered } = start()
  kept.take('w', send)
  for (const id of ['a', 'b', 'c']) keep(id)
  done('a')
  done('b', false)
  delivered()
  kept.leave('w', () => undefined)
  keep('d')
  t.same(delivered(), ['d'], 'it was another process that left')
  kept.leave('w', send)
  kept.leave('nobody', send)
  done('c')
  await clock.advance(1_000)
  keep('e')
  t.same(delivered(), [])
  kept.take('w', send)
  t.same(delivered(), ['c again', 'd again', 'b again', 'e'])
})

t.test('messages wait in 64 MB for all workers, and what is delivered or too old makes room', async (t) => {
  const { clock, kept, send, keep, done } = start()
  const half = 32 * 1024 * 1024
  t.equal(keep('a', half), true)
  t.equal(keep('b', half, 'another'), true)
  t.equal(keep('c'), false)
  t.equal(keep('a'), true, 'it is kept already')
  kept.take('w', send)
  done('a')
  t.equal(keep('c', half), true)
  t.equal(keep('d'), false)
  await clock.advance(120_000)
  t.equal(keep('e', half), true)
  t.equal(keep('f', 1, 'another'), true)
})
