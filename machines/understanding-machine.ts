/** How far a session has come in understanding what it is about; each turn's signs decide it anew. Interface, Phases and drift. */
import { setup, transition } from 'xstate'
import type { UnderstandingPhase } from '../src/domain/session.js'
import { isExploring, isInitialising, isResonant, isStable, isUnstable, type UnderstandingSigns } from '../src/domain/understanding.js'

/** More microsteps than this in one transition are an endless loop; the longest real one takes one. */
const MICROSTEPS_MAX = 5

export interface AssessUnderstanding {
  readonly type: 'understanding.assess'
  readonly signs: UnderstandingSigns
}

export type UnderstandingCommand = AssessUnderstanding

/** No context: the phase is all it knows. */
export const understandingMachine = setup({
  types: { events: {} as UnderstandingCommand },
  guards: {
    sessionIsInitialising: (_, signs: UnderstandingSigns) => isInitialising(signs),
    sessionIsUnstable: (_, signs: UnderstandingSigns) => isUnstable(signs),
    sessionIsExploring: (_, signs: UnderstandingSigns) => isExploring(signs),
    sessionIsResonant: (_, signs: UnderstandingSigns) => isResonant(signs),
    sessionIsStable: (_, signs: UnderstandingSigns) => isStable(signs)
  }
}).createMachine({
  id: 'understanding',
  options: { maxIterations: MICROSTEPS_MAX },
  initial: 'initialization',
  on: {
    // The first that applies, as in understandingPhase of src/domain/understanding.ts.
    'understanding.assess': [
      { guard: { type: 'sessionIsInitialising', params: ({ event }) => event.signs }, target: '.initialization' },
      { guard: { type: 'sessionIsUnstable', params: ({ event }) => event.signs }, target: '.instability' },
      { guard: { type: 'sessionIsExploring', params: ({ event }) => event.signs }, target: '.exploration' },
      { guard: { type: 'sessionIsResonant', params: ({ event }) => event.signs }, target: '.resonance' },
      { guard: { type: 'sessionIsStable', params: ({ event }) => event.signs }, target: '.stability' },
      { target: '.convergence' }
    ]
  },
  states: { initialization: {}, exploration: {}, convergence: {}, resonance: {}, stability: {}, instability: {} }
})

/** The phase after one command, from any phase that was stored. Pure. */
export function nextUnderstandingPhase(phase: UnderstandingPhase, command: UnderstandingCommand): UnderstandingPhase {
  const [next] = transition(understandingMachine, understandingMachine.resolveState({ value: phase }), command)
  return next.value
}
