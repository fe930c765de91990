/** Lifecycle machines by kind of actor. They differ in whether a chart of the actor's domain state runs as a child. */
import type { ActorKind } from '../src/domain/address.js'
import { activeState, chartedState, inactiveStates, lifecycleConfig, lifecycleSetup } from './lifecycle.js'

export const kindMachines = {
  /** One conversation. Chart: mind-machine.ts. */
  session: lifecycleOf('session', chartedState),
  /** Sessions that share what they learn. Chart: sharing-machine.ts. */
  cluster: lifecycleOf('cluster', chartedState),
  /** Clusters that vote on drift, and are realigned. Chart: realignment-machine.ts. */
  region: lifecycleOf('region', chartedState),
  /** Samples a subject's regions, and records anomalies. Chart: watching-machine.ts. */
  observer: lifecycleOf('observer', chartedState),
  /** User partitions of a subject, and the votes of its sessions. */
  network: lifecycleOf('network', activeState)
} as const

function lifecycleOf(id: ActorKind, active: typeof activeState) {
  return lifecycleSetup.createMachine({ ...lifecycleConfig, id, states: { ...inactiveStates, active } })
}
