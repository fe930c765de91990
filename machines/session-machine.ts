/** A session: one conversation, in memory while it is used and in the storage always. Its chart is machines/mind-machine.ts. */
import { chartedState, inactiveStates, lifecycleConfig, lifecycleSetup } from './lifecycle.js'

export const sessionMachine = lifecycleSetup.createMachine({
  ...lifecycleConfig,
  id: 'session',
  states: { ...inactiveStates, active: chartedState }
})
