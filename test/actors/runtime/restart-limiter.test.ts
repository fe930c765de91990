import t from 'tap'
import { createRestartLimiter } from '../../../actors/runtime/restart-limiter.js'

t.test('an address that failed five times in 30 s is refused for 30 s and then starts with a clean slate', async (t) => {
  const limiter = createRestartLimiter()
  for (let n = 0; n < 4; n++) limiter.noteFailure('a', n * 1_000)
  t.equal(limiter.isRefused('a', 4_000), false)
  limiter.noteFailure('a', 4_000)
  t.equal(limiter.isRefused('a', 4_000), true)
  t.equal(limiter.isRefused('a', 33_999), true)
  t.equal(limiter.isRefused('a', 34_000), false)
  t.equal(limiter.isRefused('b', 4_000), false)
  limiter.noteFailure('a', 34_000)
  t.equal(limiter.isRefused('a', 34_000), false)
})

t.test('of more failing addresses than are remembered the one that failed longest ago is forgotten', async (t) => {
  const limiter = createRestartLimiter()
  for (let n = 0; n < 5; n++) limiter.noteFailure('first', 0)
  for (let n = 0; n < 999; n++) limiter.noteFailure(`other-${n}`, 1)
  t.equal(limiter.isRefused('first', 2), true)
  limiter.noteFailure('one more', 2)
  t.equal(limiter.isRefused('first', 2), false)
})
