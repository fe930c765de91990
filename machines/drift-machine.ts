/** The drift phase of a session: the band in which its last turn's score lies. Interface, Phases and drift. */
import { setup, transition } from 'xstate'
import { driftPhase } from '../src/domain/drift.js'
import type { DriftPhase } from '../src/domain/session.js'

/** More microsteps than this in one transition are an endless loop; the longest real one takes one. */
const MICROSTEPS_MAX = 5

export interface ScoreDrift {
  readonly type: 'drift.score'
  /** 0..1 */
  readonly score: number
  /** Score from which a turn has drifted, above 0. */
  readonly threshold: number
}

export type DriftCommand = ScoreDrift

/** No context: the phase is all it knows, and every score decides it anew. */
export const driftMachine = setup({
  types: { events: {} as DriftCommand },
  guards: {
    turnHasDrifted: (_, { score, threshold }: ScoreDrift) => driftPhase(score, threshold) === 'drifted',
    turnIsShifting: (_, { score, threshold }: ScoreDrift) => driftPhase(score, threshold) === 'shifting'
  }
}).createMachine({
  id: 'drift',
  options: { maxIterations: MICROSTEPS_MAX },
  initial: 'stable',
  on: {
    'drift.score': [
      { guard: { type: 'turnHasDrifted', params: ({ event }) => event }, target: '.drifted' },
      { guard: { type: 'turnIsShifting', params: ({ event }) => event }, target: '.shifting' },
      { target: '.stable' }
    ]
  },
  states: { stable: {}, shifting: {}, drifted: {} }
})

/** The phase after one command, from any phase that was stored. Pure. */
export function nextDriftPhase(phase: DriftPhase, command: DriftCommand): DriftPhase {
  const [next] = transition(driftMachine, driftMachine.resolveState({ value: phase }), command)
  return next.value
}
