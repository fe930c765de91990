import t from 'tap'
import { createSystemClock } from '../../src/platform/clock.js'
import { createSystemIds, createSystemRandomness } from '../../src/platform/random-sources.js'

t.test('the system clock tells epoch seconds and milliseconds that only grow', async (t) => {
  const clock = createSystemClock()
  const [from, now, until] = [Date.now() / 1000, clock.now(), Date.now() / 1000]
  t.ok(now >= from && now <= until)
  const before = clock.monotonicMs()
  await new Promise<void>((resolve) => clock.after(1, resolve))
  t.ok(clock.monotonicMs() > before)
})

t.test('a timer of no time fires in the next iteration of the event loop', async (t) => {
  const clock = createSystemClock()
  for (let round = 0; round < 20; round++) {
    let hasFired = false
    clock.after(0, () => (hasFired = true))
    await new Promise<void>((resolve) => setImmediate(resolve))
    t.ok(hasFired)
  }
})

t.test('a timer that was cancelled does not fire', async (t) => {
  const clock = createSystemClock()
  const cancel = clock.after(0, () => t.fail('it fired'))
  cancel()
  cancel()
  await new Promise<void>((resolve) => clock.after(5, resolve))
})

t.test('ids are version 4 UUIDs and random numbers lie in [0, 1)', async (t) => {
  t.match(createSystemIds().uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const value = createSystemRandomness().next()
  t.ok(value >= 0 && value < 1)
})
