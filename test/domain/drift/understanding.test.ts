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

t.test('each phase begins where its bound says', async (t) => {
  const phaseOf = (signs: Partial<UnderstandingSigns>) => understandingPhase({ ...calm, ...signs })
  const below = (value: number): number => value - 1e-9
  for (const [signs, phase] of [
    [{ interactionCount: 2 }, 'initialization'],
    [{ interactionCount: 3 }, 'convergence'],
    [{ interactionCount: 7 }, 'convergence'],
    [{ interactionCount: 8 }, 'stability'],
    [{ driftScore: below(0.3) }, 'stability'],
    [{ driftScore: 0.3 }, 'convergence'],
    [{ driftScore: below(0.5) }, 'convergence'],
    [{ driftScore: 0.5 }, 'instability'],
    [{ driftScore: below(0.48), driftThreshold: 0.8 }, 'stability'],
    [{ driftScore: 0.48, driftThreshold: 0.8 }, 'convergence'],
    [{ driftScore: 0.8, driftThreshold: 0.8 }, 'instability'],
    [{ meanSimilarity: below(0.1) }, 'exploration'],
    [{ meanSimilarity: 0.1 }, 'stability'],
    [{ meanSimilarity: below(0.4) }, 'stability'],
    [{ meanSimilarity: 0.4, interactionCount: 3 }, 'resonance'],
    [{ meanSimilarity: 0.4, driftScore: 0.3 }, 'convergence'],
    [{ similarityVariance: 0.15 ** 2 }, 'stability'],
    [{ similarityVariance: 0.0226 }, 'convergence'],
    [{ similarityVariance: 0.3 ** 2 }, 'convergence'],
    [{ similarityVariance: 0.0901 }, 'instability']
  ] as const)
    t.equal(phaseOf(signs), phase, JSON.stringify(signs))
})
