import fc from 'fast-check'
import t from 'tap'
import { nextUnderstandingPhase, understandingMachine, type UnderstandingCommand } from '../../machines/understanding-machine.js'
import type { UnderstandingPhase } from '../../src/domain/session.js'
import { understandingPhase, type UnderstandingSigns } from '../../src/domain/understanding.js'
import { walk } from './walk.js'

const PHASES: UnderstandingPhase[] = ['initialization', 'exploration', 'convergence', 'resonance', 'stability', 'instability']
const assess = (signs: UnderstandingSigns): UnderstandingCommand => ({ type: 'understanding.assess', signs })

const calm: UnderstandingSigns = { interactionCount: 5, meanSimilarity: 0.3, similarityVariance: 0.01, driftScore: 0.1, driftThreshold: 0.5 }
const SIGNS: Record<UnderstandingPhase, UnderstandingSigns> = {
  initialization: { ...calm, interactionCount: 1 },
  exploration: { ...calm, meanSimilarity: 0.01 },
  convergence: calm,
  resonance: { ...calm, meanSimilarity: 0.6 },
  stability: { ...calm, interactionCount: 20 },
  instability: { ...calm, driftScore: 0.7 }
}

t.test('every phase and every transition, is reached', async (t) => {
  const { states, missed } = walk(understandingMachine, { events: Object.values(SIGNS).map(assess) })
  t.same(states, [...PHASES].sort())
  t.same(missed, [])
})

t.test('a turn’s signs, put a session from any phase into theirs', async (t) => {
  for (const phase of PHASES) for (const next of PHASES) t.equal(nextUnderstandingPhase(phase, assess(SIGNS[next])), next, `${phase} to ${next}`)
})

t.test('whatever the phase and the signs, the machine agrees with the domain', async () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const anySigns = fc.record({
    interactionCount: fc.nat(30),
    meanSimilarity: fc.double({ min: -1, max: 1, noNaN: true }),
    similarityVariance: share,
    driftScore: share,
    driftThreshold: fc.double({ min: 0.01, max: 1, noNaN: true })
  })
  fc.assert(
    fc.property(fc.constantFrom(...PHASES), anySigns, (phase, signs) => nextUnderstandingPhase(phase, assess(signs)) === understandingPhase(signs))
  )
})
