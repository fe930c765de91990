import t from 'tap'
import { fanOut } from '../../../actors/asking/fan-out.js'
import { createSystemClock } from '../../../src/platform/clock.js'
import { createManualClock } from '../../support/manual-clock.js'

const numbers = (length: number) => Array.from({ length }, (_, at) => at)

t.test('asks that wait for something outside run 16 at a time and are answered in the order of their items', async (t) => {
  const clock = createManualClock()
  let underWay = 0
  let most = 0
  const work = fanOut(numbers(50), clock, async (item) => {
    underWay += 1
    most = Math.max(most, underWay)
    await new Promise<void>((resolve) => clock.after(5 + (item % 3), resolve))
    underWay -= 1
    return item * 2
  })
  while (clock.pending > 0) await clock.advance(1)
  t.same(
    await work,
    numbers(50).map((item) => item * 2)
  )
  t.equal(most, 16)
})

t.test('asks that are answered by work in this process run one after another', async (t) => {
  let underWay = 0
  await fanOut(numbers(50), createSystemClock(), async () => {
    t.equal((underWay += 1), 1)
    for (let step = 0; step < 20; step++) await Promise.resolve()
    underWay -= 1
  })
})

t.test('no items give no answers', async (t) => {
  t.same(await fanOut([], createManualClock(), async () => t.fail('nobody to ask')), [])
})

t.test('a rejection is passed on when those under way have settled, and nobody else is asked', async (t) => {
  const clock = createManualClock()
  let asked = 0
  let answered = 0
  const refused = t.rejects(
    fanOut(numbers(100), clock, async (item) => {
      asked += 1
      await new Promise<void>((resolve) => clock.after(item === 3 ? 4 : 20, resolve))
      if (item === 3) throw new Error('no')
      answered += 1
    }),
    { message: 'no' }
  )
  while (clock.pending > 0) await clock.advance(1)
  await refused
  t.ok(asked >= 4 && asked <= 16, `${asked} were asked`)
  t.equal(answered, asked - 1)
})
