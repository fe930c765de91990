import fc from 'fast-check'
import t from 'tap'
import { driftMachine, nextDriftPhase, type DriftCommand } from '../../machines/drift-machine.js'
import { driftPhase } from '../../src/domain/drift.js'
import type { DriftPhase } from '../../src/domain/session.js'
import { walk } from './walk.js'

const PHASES: DriftPhase[] = ['stable', 'shifting', 'drifted']
const score = (value: number, threshold = 0.5): DriftCommand => ({ type: 'drift.score', score: value, threshold })

t.test('every phase and every transition, is reached', async (t) => {
  const { states, missed } = walk(driftMachine, { events: [score(0.1), score(0.4), score(0.9)] })
  t.same(states, [...PHASES].sort())
  t.same(missed, [])
})

t.test('a score, puts a session from any phase into the band that the interface names', async (t) => {
  const bands: [number, DriftPhase][] = [
    [0, 'stable'],
    [0.29, 'stable'],
    [0.3, 'shifting'],
    [0.49, 'shifting'],
    [0.5, 'drifted'],
    [1, 'drifted']
  ]
  for (const phase of PHASES) for (const [value, next] of bands) t.equal(nextDriftPhase(phase, score(value)), next, `${phase}, ${value}`)
})

t.test('whatever the phase, score and threshold, the machine agrees with the domain', async () => {
  fc.assert(
    fc.property(fc.constantFrom(...PHASES), fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0.01, max: 1, noNaN: true }), (phase, value, threshold) => {
      return nextDriftPhase(phase, score(value, threshold)) === driftPhase(value, threshold)
    })
  )
})
