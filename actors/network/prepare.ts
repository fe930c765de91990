/** Preparations of a network's commands: asks to other actors. They change nothing. */
import { DEFAULT_USER } from '../../src/domain/commands/network-commands.js'
import { notFound } from '../../src/domain/errors.js'
import type { Preparations } from '../coordination/kind.js'
import { gatherPartition, isEmptyPartition } from './partition.js'
import { takePoll } from './poll.js'
import { listSessionIds } from './session-ids.js'
import type { NetworkState } from './state.js'
import type { NetworkKind } from './work.js'

export const PREPARATIONS: Preparations<NetworkKind> = {
  'network.consensus': (asking, { trust, oneAtATime }, command) =>
    oneAtATime(asking.signal, async () => {
      // Read before the sessions are listed: a session that is created and gains trust after the listing must not count as gone.
      const trusted = [...trust.keys()]
      const poll = await takePoll(asking, command)
      const existing = new Set(poll.sessionIds)
      return { ...poll, goneIds: trusted.filter((id) => !existing.has(id)) }
    }),
  'user.erase': async (asking, { users }, { userId }) =>
    users.has(userId) && userId !== DEFAULT_USER && (await isEmptyPartition(asking, userId)),
  'network.trust': ({ storage }, { address }) => listSessionIds(storage, address.subject),
  async 'network.serialize'(asking, state, { userId }) {
    refuseUnknownUser(state, userId)
    return state.oneAtATime(asking.signal, () => gatherPartition(asking, userId))
  }
}

function refuseUnknownUser({ users }: NetworkState, userId: string): void {
  if (!users.has(userId)) throw notFound('User')
}
