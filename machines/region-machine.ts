/** A region: clusters that are pulled together when they drift apart. */
import { activeState, inactiveStates, lifecycleConfig, lifecycleSetup } from './lifecycle.js'

export const regionMachine = lifecycleSetup.createMachine({
  ...lifecycleConfig,
  id: 'region',
  states: { ...inactiveStates, active: activeState }
})
