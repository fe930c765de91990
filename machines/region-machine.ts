/** A region: clusters that are pulled together when they drift apart. Its chart is machines/realignment-machine.ts. */
import { chartedState, inactiveStates, lifecycleConfig, lifecycleSetup } from './lifecycle.js'

export const regionMachine = lifecycleSetup.createMachine({
  ...lifecycleConfig,
  id: 'region',
  states: { ...inactiveStates, active: chartedState }
})
