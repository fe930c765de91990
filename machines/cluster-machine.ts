/** A cluster: sessions that share what they know. */
import { activeState, inactiveStates, lifecycleConfig, lifecycleSetup } from './lifecycle.js'

export const clusterMachine = lifecycleSetup.createMachine({
  ...lifecycleConfig,
  id: 'cluster',
  states: { ...inactiveStates, active: activeState }
})
