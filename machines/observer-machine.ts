/** The observer of a subject: samples its regions, and notes what is odd. */
import { activeState, inactiveStates, lifecycleConfig, lifecycleSetup } from './lifecycle.js'

export const observerMachine = lifecycleSetup.createMachine({
  ...lifecycleConfig,
  id: 'observer',
  states: { ...inactiveStates, active: activeState }
})
