import fc from 'fast-check'
import t from 'tap'
import {
  isExploring,
  isInitialising,
  isResonant,
  isStable,
  isUnstable,
  understandingPhase,
  type UnderstandingSigns
} from '../../../src/domain/drift/understanding.js'

const calm: UnderstandingSigns = {
  interactionCount: 12,
  meanSimilarity: 0.25,
  similarityVariance: 0.01,
  driftScore: 0.1,
  driftThreshold: 0.5
}

t.test('each phase is reached by its signs', async (t) => {
  const phaseOf = (signs: Partial<UnderstandingSigns>) => understandingPhase({ ...calm, ...signs })
  t.equal(phaseOf({ interactionCount: 0 }), 'initialization')
  t.equal(phaseOf({ interactionCount: 2, driftScore: 1 }), 'initialization')
  t.equal(phaseOf({ driftScore: 0.5 }), 'instability')
  t.equal(phaseOf({ similarityVariance: 0.2 }), 'instability')
  t.equal(phaseOf({ meanSimilarity: 0.05 }), 'exploration')
  t.equal(phaseOf({ meanSimilarity: 0.6 }), 'resonance')
  t.equal(phaseOf({}), 'stability')
  t.equal(phaseOf({ interactionCount: 5 }), 'convergence')
  t.equal(phaseOf({ driftScore: 0.35 }), 'convergence')
})

t.test('the predicates agree with the total function for any signs', async () => {
  const anySigns = fc.record({
    interactionCount: fc.nat(50),
    meanSimilarity: fc.double({ min: -1, max: 1, noNaN: true }),
    similarityVariance: fc.double({ min: 0, max: 1, noNaN: true }),
    driftScore: fc.double({ min: 0, max: 1, noNaN: true }),
    driftThreshold: fc.double({ min: 0.01, max: 1, noNaN: true })
  })
  fc.assert(
    fc.property(anySigns, (signs) => {
      const phase = understandingPhase(signs)
      if (phase === 'initialization') return isInitialising(signs)
      if (phase === 'instability') return isUnstable(signs)
      if (phase === 'exploration') return isExploring(signs)
      if (phase === 'resonance') return isResonant(signs)
      return phase === 'stability' ? isStable(signs) : !isStable(signs)
    })
  )
})
