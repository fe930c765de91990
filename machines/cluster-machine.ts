/** Lifecycle machine of clusters: sessions that share what they learn. Their chart is machines/sharing-machine.ts. */
import { chartedState, inactiveStates, lifecycleConfig, lifecycleSetup } from './lifecycle.js'

export const clusterMachine = lifecycleSetup.createMachine({
  ...lifecycleConfig,
  id: 'cluster',
  states: { ...inactiveStates, active: chartedState }
})
