/** A subject's network: its user partitions, and what they decide together. */
import { activeState, inactiveStates, lifecycleConfig, lifecycleSetup } from './lifecycle.js'

export const networkMachine = lifecycleSetup.createMachine({
  ...lifecycleConfig,
  id: 'network',
  states: { ...inactiveStates, active: activeState }
})
