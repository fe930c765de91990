/** Lifecycle machine of a subject's network: its user partitions, and the votes of its sessions. */
import { activeState, inactiveStates, lifecycleConfig, lifecycleSetup } from './lifecycle.js'

export const networkMachine = lifecycleSetup.createMachine({
  ...lifecycleConfig,
  id: 'network',
  states: { ...inactiveStates, active: activeState }
})
