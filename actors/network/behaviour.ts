/** What a subject's network does with each command: the behaviour that the actor runtime runs. */
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import { DEFAULT_USER, type NetworkCommand } from '../../src/domain/commands/network-commands.js'
import { atOnce } from '../../src/domain/pieces.js'
import type { Logger } from '../../src/ports.js'
import type { Behaviour } from '../behaviour/behaviour.js'
import { withGrowth } from '../behaviour/growing.js'
import { growthOf } from './growth.js'
import { type PartitionOptions, passivatePartition } from './partition.js'
import { type NetworkServices, perform, type Work } from './perform.js'
import { prepareCommand, type Prepared, userMissing } from './prepare.js'
import { createState, type NetworkState, restoreState } from './state.js'

export type NetworkBehaviourOptions = NetworkServices & PartitionOptions & { readonly logger: Logger }

export type NetworkBehaviour = Behaviour<NetworkState, NetworkCommand, Prepared, ReplyOf<NetworkCommand>>

/** One behaviour serves every network of a node. */
export function createNetworkBehaviour(options: NetworkBehaviourOptions): NetworkBehaviour {
  const behaviour: NetworkBehaviour = {
    kind: 'network',
    restore: (address, record) => atOnce(() => restoreState(address, record)),
    missing: userMissing,
    async initiate(address, command) {
      if (!isMaking(command)) return null
      const state = createState(address)
      return { state, changes: { head: state.head, put: [], remove: [] } }
    },
    prepare: (state, command, signal, _request, room) => prepareCommand(options, state, command, { signal, room }),
    step(state, command, prepared, meta) {
      const before = state.head
      const work: Work = { state, prepared, services: options, meta, put: [], remove: [] }
      const reply = perform(work, command)
      if (state.trust.size !== before.trustedCount) state.head = { ...state.head, trustedCount: state.trust.size }
      if (state.head === before && work.put.length === 0 && work.remove.length === 0) return { reply, changes: null }
      const changes = { head: state.head, put: work.put, remove: work.remove }
      if (command.type !== 'network.switch') return { reply, changes }
      return { reply, changes, afterwards: () => putAway(options, state, before.activeUser) }
    },
    // Without it, what is trusted and who is active would be lost.
    isPinned: () => true
  }
  return withGrowth(behaviour, growthOf)
}

/** Whether the command makes the network where there is none: not that of a session which ends, nor one about a user there cannot be. */
function isMaking(command: NetworkCommand): boolean {
  if (command.type === 'network.serialize') return command.userId === DEFAULT_USER
  return command.type !== 'network.dropSession'
}

/** It frees memory and nothing else, so a switch that was made is not undone for it: what stays is put away when it has been idle. */
async function putAway(options: NetworkBehaviourOptions, { address }: NetworkState, userId: string): Promise<void> {
  await passivatePartition(options, address, userId).catch((error: unknown) => {
    options.logger.warn({ err: error }, 'A partition could not be put away')
  })
}
