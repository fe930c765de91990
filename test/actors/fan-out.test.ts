import t from 'tap'
import { fanOut } from '../../actors/fan-out.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { nextTurn } from '../../src/platform/turns.js'
import { createManualClock } from '../support/manual-clock.js'

t.test('many asks, are answered in the order of their items, at most 16 at a time', async (t) => {
  let asked = 0
  let most = 0
  const answers = await fanOut(Array.from({ length: 50 }, (_, at) => at), createSystemClock(), async (item) => {
    asked += 1
    most = Math.max(most, asked)
    for (let turn = 0; turn < item % 3; turn++) await nextTurn()
    asked -= 1
    return item * 2
  })
  t.equal(most, 16)
  t.same(answers, Array.from({ length: 50 }, (_, at) => at * 2))
})

t.test('no items, give no answers', async (t) => {
  t.same(await fanOut([], createManualClock(), async () => t.fail('nobody to ask')), [])
})

t.test('a rejection, is passed on when those under way have settled, and nobody else is asked', async (t) => {
  let asked = 0
  let settled = 0
  const refused = fanOut(Array.from({ length: 100 }, (_, at) => at), createManualClock(), async (item) => {
    asked += 1
    if (item === 3) throw new Error('no')
    await nextTurn()
    settled += 1
  })
  await t.rejects(refused, { message: 'no' })
  t.equal(asked, 16)
  t.equal(settled, 15)
})

t.test('asks that are answered without any wait, let the event loop turn every few milliseconds', async (t) => {
  const clock = createManualClock()
  const turns: number[] = []
  let elapsedMs = 0
  const busy = {
    monotonicMs: () => elapsedMs,
    after(_: number, listener: () => void) {
      turns.push(elapsedMs)
      return clock.after(0, listener)
    },
  }
  const work = fanOut(Array.from({ length: 100 }, (_, at) => at), busy, async () => void (elapsedMs += 1))
  while (clock.pending > 0 || turns.length === 0) await clock.advance(0)
  await work
  t.ok(turns.length >= 5, `${turns.length} turns`)
  // Sixteen asks may be under way when it is time.
  turns.reduce((before, at) => {
    t.ok(at - before <= 4 + 16)
    return at
  }, 0)
})
