/** Preparations of a network's commands: asks to other actors. They change nothing. */
import { DEFAULT_USER } from '../../src/domain/commands/network-commands.js'
import { notFound } from '../../src/domain/errors.js'
import type { Preparations } from '../behaviour/kind.js'
import { gatherPartition, isEmptyPartition } from './partition.js'
import { takePoll } from './poll.js'
import { listSessionIds } from './session-ids.js'
import type { NetworkState } from './state.js'
import type { NetworkKind } from './work.js'

export const PREPARATIONS: Preparations<NetworkKind> = {
  'network.consensus': (asking, { address, trust, oneAtATime }, command) =>
    oneAtATime(asking.signal, async () => {
      // Read before the sessions are listed: a session that is created and gains trust after the listing must not count as gone.
      const trusted = [...trust.keys()]
      const poll = await takePoll(asking, address, command, asking.signal)
      const existing = new Set(poll.sessionIds)
      return { poll: { ...poll, goneIds: trusted.filter((id) => !existing.has(id)) } }
    }),
  'user.erase': async (asking, { address, users }, { userId }) => ({
    isEmptied: users.has(userId) && userId !== DEFAULT_USER && (await isEmptyPartition(asking, address, userId))
  }),
  'network.trust': async ({ storage }, { address }) => ({ sessionIds: await listSessionIds(storage, address.subject) }),
  async 'network.serialize'(asking, state, { userId }) {
    refuseUnknownUser(state, userId)
    return state.oneAtATime(asking.signal, async () => ({ gathered: await gatherPartition(asking, state.address, userId, asking.room) }))
  }
}

function refuseUnknownUser({ users }: NetworkState, userId: string): void {
  if (!users.has(userId)) throw notFound('User')
}
