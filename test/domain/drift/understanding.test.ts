import t from 'tap'
import type { UnderstandingSigns } from '../../../src/domain/drift/understanding.js'
import { understandingPhase } from '../../support/understanding-phase.js'

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
