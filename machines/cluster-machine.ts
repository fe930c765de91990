/** A cluster: sessions that share what they know. Its chart is machines/sharing-machine.ts. */
import { chartedState, inactiveStates, lifecycleConfig, lifecycleSetup } from './lifecycle.js'

export const clusterMachine = lifecycleSetup.createMachine({
  ...lifecycleConfig,
  id: 'cluster',
  states: { ...inactiveStates, active: chartedState }
})
