/** Preparations of a network's commands: asks to other actors. They change nothing. */
import { notFound } from '../../src/domain/errors.js'
import type { Preparations } from '../behaviour/kind.js'
import { gatherPartition } from './partition.js'
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
  'network.trust': async ({ storage }, { address }) => ({ sessionIds: await listSessionIds(storage, address.subject) }),
  async 'network.serialize'(asking, state, { userId }) {
    refuseUnknownUser(state, userId)
    return state.oneAtATime(asking.signal, async () => ({ gathered: await gatherPartition(asking, state.address, userId, asking.room) }))
  }
}

function refuseUnknownUser({ users }: NetworkState, userId: string): void {
  if (!users.has(userId)) throw notFound('User')
}
