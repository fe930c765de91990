/** Lifecycle machines by kind of actor. */
import { clusterMachine } from './cluster-machine.js'
import { networkMachine } from './network-machine.js'
import { observerMachine } from './observer-machine.js'
import { regionMachine } from './region-machine.js'
import { sessionMachine } from './session-machine.js'

export const kindMachines = {
  session: sessionMachine,
  cluster: clusterMachine,
  region: regionMachine,
  observer: observerMachine,
  network: networkMachine
} as const
