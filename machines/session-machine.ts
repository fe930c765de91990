/** Lifecycle machine of sessions: one conversation each, in memory while it is used. Their chart is machines/mind-machine.ts. */
import { chartedState, inactiveStates, lifecycleConfig, lifecycleSetup } from './lifecycle.js'

export const sessionMachine = lifecycleSetup.createMachine({
  ...lifecycleConfig,
  id: 'session',
  states: { ...inactiveStates, active: chartedState }
})
