/** Lifecycle machine of a subject's observer: samples its regions, and records anomalies. Its chart is machines/watching-machine.ts. */
import { chartedState, inactiveStates, lifecycleConfig, lifecycleSetup } from './lifecycle.js'

export const observerMachine = lifecycleSetup.createMachine({
  ...lifecycleConfig,
  id: 'observer',
  states: { ...inactiveStates, active: chartedState }
})
