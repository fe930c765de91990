import fc from 'fast-check'
import t from 'tap'
import { type Ballot, isConsensus, judgeVote, votedFraction } from '../../../src/domain/coordination/votes.js'
import { CLOCK_SKEW_S } from '../../../src/domain/limits.js'

const window = { now: 1_000, windowS: 60 }
const ballot = (votedAt: number | null, attachedAt = 0): Ballot => ({ attachedAt, votedAt })

t.test('a drift of a cluster that was attached is a vote within the window', async (t) => {
  t.equal(judgeVote(ballot(null), 1_000, window), 'counted')
  t.equal(judgeVote(ballot(null), 940.001, window), 'counted')
  t.equal(judgeVote(ballot(null, 950), 950, window), 'counted', 'in the instant of its attachment')
})

t.test('a drift outside the window is late: the window begins after its start', async (t) => {
  t.equal(judgeVote(ballot(null), 940, window), 'late')
  t.equal(judgeVote(ballot(null), 0, window), 'late')
})

t.test('a drift of a cluster that is not attached or was attached later is foreign however old it is', async (t) => {
  t.equal(judgeVote(undefined, 1_000, window), 'foreign')
  t.equal(judgeVote(ballot(null, 999), 999 - CLOCK_SKEW_S - 1, window), 'foreign')
  t.equal(judgeVote(ballot(null, 500), 10, window), 'foreign')
})

t.test('a drift told by a clock that is behind is a vote of the cluster all the same', async (t) => {
  t.equal(judgeVote(ballot(null, 999), 999 - CLOCK_SKEW_S, window), 'counted')
  t.equal(judgeVote(ballot(null, 4_600), 1_000, window), 'counted', 'attached before the clock was set back by an hour')
  t.equal(judgeVote(ballot(null, 4_600), 1_000 - CLOCK_SKEW_S - 1, window), 'foreign')
})

t.test('the fraction of votes counts each attached cluster once', async (t) => {
  t.equal(votedFraction([], window), 0)
  t.equal(votedFraction([ballot(null), ballot(null)], window), 0)
  t.equal(votedFraction([ballot(990), ballot(null)], window), 0.5)
  t.equal(votedFraction([ballot(990), ballot(940)], window), 0.5, 'the window has left one behind')
  t.equal(votedFraction([ballot(990), ballot(941)], window), 1)
  t.equal(votedFraction([ballot(1_001)], window), 1, 'after the clock was set back')
})

t.test('a consensus has to exceed its threshold', async (t) => {
  t.notOk(isConsensus(0.5, 0.5))
  t.ok(isConsensus(0.51, 0.5))
  t.notOk(isConsensus(1, 1))
  t.notOk(isConsensus(3 / 5, 0.6))
})

t.test('whatever the votes, their fraction lies in 0..1 and never grows with time alone', async () => {
  const time = fc.integer({ min: 0, max: 1_000 })
  const ballots = fc.array(fc.record({ attachedAt: time, votedAt: fc.option(time) }), { maxLength: 20 })
  fc.assert(
    fc.property(ballots, fc.integer({ min: 1, max: 500 }), fc.nat(500), (all, windowS, later) => {
      const before = votedFraction(all, { now: 1_000, windowS })
      const after = votedFraction(all, { now: 1_000 + later, windowS })
      return before >= 0 && before <= 1 && after <= before
    })
  )
})
