import fc from 'fast-check'
import t from 'tap'
import { agrees, approvalOf, isAccepted, nextTrust, TRUST_INITIAL } from '../../../src/domain/coordination/consensus.js'

const unit = fc.double({ min: 0, max: 1, noNaN: true })
const cosine = fc.double({ min: -1, max: 1, noNaN: true })
const ballots = fc.array(fc.record({ similarity: cosine, weight: unit }), { maxLength: 30 })

t.test('trust stays in [0, 1] and moves towards those that agreed, whatever is voted and from wherever it starts', async () => {
  fc.assert(
    fc.property(unit, fc.array(fc.boolean(), { maxLength: 200 }), (start, votes) => {
      let trust = start
      return votes.every((hasAgreed) => {
        const next = nextTrust(trust, hasAgreed)
        const isMoved = hasAgreed ? next >= trust : next <= trust
        trust = next
        return isMoved && trust >= 0 && trust <= 1
      })
    })
  )
})

t.test('trust is still no number outside after ten thousand votes on one side', async (t) => {
  let [up, down] = [TRUST_INITIAL, TRUST_INITIAL]
  for (let vote = 0; vote < 10_000; vote++) [up, down] = [nextTrust(up, true), nextTrust(down, false)]
  t.ok(up <= 1 && up > 0.999)
  t.ok(down >= 0 && down < 0.001)
})

t.test('approval of any ballots lies in [0, 1] and is the mean by trust', async () => {
  fc.assert(
    fc.property(ballots, (votes) => {
      const approval = approvalOf(votes)
      const trust = votes.reduce((sum, { weight }) => sum + weight, 0)
      const expected = trust === 0 ? 0 : votes.reduce((sum, { similarity, weight }) => sum + (weight / trust) * ((1 + similarity) / 2), 0)
      return approval >= 0 && approval <= 1 && Math.abs(approval - expected) < 1e-9
    })
  )
})

t.test('approval of nobody, or of those nobody trusts, is none', async (t) => {
  t.equal(approvalOf([]), 0)
  t.equal(approvalOf([{ similarity: 1, weight: 0 }]), 0)
  t.notOk(isAccepted(approvalOf([])))
})

t.test('a proposal is accepted from two thirds of the trust on, where votes are all for or all against', async (t) => {
  const votes = (forIt: number, against: number) => [
    ...Array.from({ length: forIt }, () => ({ similarity: 1, weight: 0.5 })),
    ...Array.from({ length: against }, () => ({ similarity: -1, weight: 0.5 }))
  ]
  t.ok(isAccepted(approvalOf(votes(2, 1))))
  t.notOk(isAccepted(approvalOf(votes(3, 2))))
  t.ok(
    isAccepted(
      approvalOf([
        { similarity: 1, weight: 0.9 },
        { similarity: -1, weight: 0.1 }
      ])
    ),
    'trust decides, not heads'
  )
  t.notOk(isAccepted(approvalOf([{ similarity: 0, weight: 1 }])), 'what means nothing to anybody')
})

t.test('a session agrees exactly when it would accept the proposal by itself', async () => {
  fc.assert(fc.property(cosine, (similarity) => agrees(similarity) === isAccepted(approvalOf([{ similarity, weight: 1 }]))))
})

t.test('one vote moves trust a tenth of the way, and two thirds are just enough', async (t) => {
  const moved = (trust: number) => [nextTrust(trust, true), nextTrust(trust, false)].map((value) => value.toFixed(9))
  t.same(moved(TRUST_INITIAL), ['0.550000000', '0.450000000'])
  t.same(moved(0.2), ['0.280000000', '0.180000000'])
  t.ok(isAccepted(2 / 3))
  t.notOk(isAccepted(2 / 3 - 1e-9))
  t.ok(agrees(0.334))
  t.notOk(agrees(0.333))
})
