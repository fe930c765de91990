/** The phase of understanding that follows from a turn's signs, whatever the phase before. The chart of the mind is tested against it. */
import {
  isExploring,
  isInitialising,
  isResonant,
  isStable,
  isUnstable,
  type UnderstandingSigns
} from '../../src/domain/drift/understanding.js'
import type { UnderstandingPhase } from '../../src/domain/session.js'

export function understandingPhase(signs: UnderstandingSigns): UnderstandingPhase {
  if (isInitialising(signs)) return 'initialization'
  if (isUnstable(signs)) return 'instability'
  if (isExploring(signs)) return 'exploration'
  if (isResonant(signs)) return 'resonance'
  return isStable(signs) ? 'stability' : 'convergence'
}
