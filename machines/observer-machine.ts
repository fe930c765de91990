/** The observer of a subject: samples its regions, and notes what is odd. Its chart is machines/watching-machine.ts. */
import { chartedState, inactiveStates, lifecycleConfig, lifecycleSetup } from './lifecycle.js'

export const observerMachine = lifecycleSetup.createMachine({
  ...lifecycleConfig,
  id: 'observer',
  states: { ...inactiveStates, active: chartedState }
})
