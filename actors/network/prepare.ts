/** What a network asks of others before a step. Changes nothing. */
import type { NetworkCommand } from '../../src/domain/commands/network-commands.js'
import { DomainError } from '../../src/domain/errors.js'
import type { Room } from '../weight/room.js'
import { type GatheredPartition, gatherPartition, type PartitionOptions } from './partition.js'
import { type Poll, takePoll } from './poll.js'
import { listSessionIds } from './session-ids.js'
import type { NetworkState } from './state.js'

export interface ConsensusPoll extends Poll {
  /** Sessions that were trusted, or not, and do not exist any more. */
  readonly goneIds: readonly string[]
}

/** What came of it; null for the commands that ask nobody. */
export type Prepared = {
  readonly poll?: ConsensusPoll
  readonly sessionIds?: readonly string[]
  readonly gathered?: GatheredPartition
} | null

export interface Circumstances {
  readonly signal: AbortSignal
  readonly room: Room | undefined
}

export async function prepareCommand(
  options: PartitionOptions,
  state: NetworkState,
  command: NetworkCommand,
  { signal, room }: Circumstances
): Promise<Prepared> {
  const { address } = state
  switch (command.type) {
    case 'network.consensus': {
      // Before the sessions are listed: one that votes in between is in the list.
      const trusted = [...state.trust.keys()]
      const poll = await takePoll(options, address, command, signal)
      const existing = new Set(poll.sessionIds)
      return { poll: { ...poll, goneIds: trusted.filter((id) => !existing.has(id)) } }
    }
    case 'network.trust':
      return { sessionIds: await listSessionIds(options.storage, address.subject) }
    case 'network.serialize':
      refuseUnknownUser(state, command.userId)
      return { gathered: await gatherPartition(options, address, command.userId, room) }
    default:
      return null
  }
}

function refuseUnknownUser({ users }: NetworkState, userId: string): void {
  if (!users.has(userId)) throw userMissing()
}

export function userMissing(): DomainError {
  return new DomainError('user_missing', 'User not found')
}
