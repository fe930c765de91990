/** What a subject's network does with each command: the behaviour that the actor runtime runs. */
import { DEFAULT_USER, type NetworkCommand } from '../../src/domain/commands/network-commands.js'
import { notFound } from '../../src/domain/errors.js'
import { createKind } from '../behaviour/kind.js'
import { growthOf } from './growth.js'
import { PREPARATIONS } from './prepare.js'
import { createState, restoreState } from './state.js'
import { STEPS } from './steps.js'
import type { NetworkKind, NetworkServices } from './work.js'

/** One behaviour serves every network of a node. */
export function createNetworkBehaviour(services: NetworkServices) {
  return createKind<NetworkKind>({
    kind: 'network',
    services,
    restore: restoreState,
    missing: () => notFound('User'),
    async initiate(address, command) {
      if (!isMaking(command)) return null
      const state = createState(address)
      return { state, changes: { head: state.head, put: [], remove: [] } }
    },
    asking: ({ signal, room }) => ({ ...services, signal, room }),
    prepare: PREPARATIONS,
    unprepared: null,
    // The first session of a subject makes it: of each subject that came once there would be one for ever.
    isAsMade: ({ users, trust }) => users.size === 1 && trust.size === 0,
    growthOf,
    steps: STEPS
  })
}

/** Whether the command makes the network where there is none: not that of a session which ends, nor one about a user there cannot be. */
function isMaking(command: NetworkCommand): boolean {
  if (command.type === 'network.serialize') return command.userId === DEFAULT_USER
  return command.type !== 'network.dropSession'
}
