import t from 'tap'
import { writtenAt } from '../../../../actors/session/record/written-at.js'
import { SET_BACK_S_MAX } from '../../../../src/domain/limits.js'

t.test('what is written has the time of the clock, which may stand still', async (t) => {
  t.equal(writtenAt(1_000, 990), 1_000)
  t.equal(writtenAt(1_000, 1_000), 1_000)
})

t.test('with a clock that was set back it comes after what was written before', async (t) => {
  let last = 1_700_003_600
  for (const now of [1_700_003_599.5, 1_700_000_000, 1_700_000_001]) {
    const at = writtenAt(now, last)
    t.ok(at > last && at < last + 1)
    last = at
  }
  t.equal(writtenAt(last + 1, last), last + 1, 'until the clock has caught up')
})

t.test('a time too far ahead to be meant is not gone on from', async (t) => {
  t.equal(writtenAt(1_000, 1_000 + SET_BACK_S_MAX + 1), 1_000)
  t.equal(writtenAt(1_000, Number.MAX_VALUE), 1_000)
})
