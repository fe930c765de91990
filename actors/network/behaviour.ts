/** Behaviour of networks, which the actor runtime runs. */
import { DEFAULT_USER, type NetworkCommand } from '../../src/domain/commands/network-commands.js'
import { notFound } from '../../src/domain/errors.js'
import { createKind } from '../coordination/kind.js'
import { COMMANDS } from './commands.js'
import { createState, restoreState } from './state.js'
import type { NetworkKind, NetworkServices } from './work.js'

/** Creates the behaviour. One serves every network of a node. */
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
    commands: COMMANDS,
    // Without this, where storage is not durable, a network that holds nothing yet would never be evicted.
    isAsMade: ({ users, trust }) => users.size === 1 && trust.size === 0
  })
}

/** Whether the command creates a missing network: not that of a session which ends or of an erasure, nor one about an unknown user. */
function isMaking(command: NetworkCommand): boolean {
  if (command.type === 'network.serialize') return command.userId === DEFAULT_USER
  return command.type !== 'network.dropSession' && command.type !== 'user.erase'
}
