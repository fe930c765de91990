/** Lifecycle machine of regions: clusters that vote on drift, and are realigned. Their chart is machines/realignment-machine.ts. */
import { chartedState, inactiveStates, lifecycleConfig, lifecycleSetup } from './lifecycle.js'

export const regionMachine = lifecycleSetup.createMachine({
  ...lifecycleConfig,
  id: 'region',
  states: { ...inactiveStates, active: chartedState }
})
