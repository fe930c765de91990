import t from 'tap'
import { orTimeout } from '../../src/platform/or-timeout.js'
import { createManualClock, settled } from '../support/manual-clock.js'

t.test('work that is done in time gives its result, and leaves no timer', async (t) => {
  const clock = createManualClock()
  t.equal(await orTimeout(Promise.resolve('done'), { clock, limitMs: 10 }), 'done')
  await t.rejects(orTimeout(Promise.reject(new Error('Failed')), { clock, limitMs: 10 }), { message: 'Failed' })
  t.equal(clock.pending, 0)
})

t.test('work that takes longer is waited for no longer than that', async (t) => {
  const clock = createManualClock()
  let isOver = false
  const waited = orTimeout(new Promise(() => undefined), { clock, limitMs: 10 }).finally(() => (isOver = true))
  await clock.advance(9)
  await settled()
  t.notOk(isOver)
  await clock.advance(1)
  t.equal(await waited, undefined)
})
