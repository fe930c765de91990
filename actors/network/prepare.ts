/** Preparations of a network's commands: asks to other actors. They change nothing. */
import { DEFAULT_USER } from '../../src/domain/commands/network-commands.js'
import { notFound } from '../../src/domain/errors.js'
import type { Preparations } from '../coordination/kind.js'
import { readTies } from '../session/record/stored-head.js'
import { headPages } from '../subject/record-pages.js'
import { gatherPartition, isEmptyPartition } from './partition.js'
import { takePoll } from './poll.js'
import { listSessionIds } from './session-ids.js'
import { isAnother, type NetworkState } from './state.js'
import type { NetworkKind, NetworkServices } from './work.js'

export const PREPARATIONS: Preparations<NetworkKind> = {
  'network.consensus': (asking, state, command) =>
    state.oneAtATime(asking.signal, async () => {
      // Found before the poll: a session that is made and gains trust meanwhile must not count as gone.
      const goneIds = await findGone(asking, state)
      return { ...(await takePoll(asking, command)), goneIds }
    }),
  'user.erase': async (asking, { users }, { userId }) =>
    users.has(userId) && userId !== DEFAULT_USER && (await isEmptyPartition(asking, userId)),
  'network.trust': async (asking, state) => ({
    goneIds: await findGone(asking, state),
    sessionIds: await listSessionIds(asking.storage, state.address.subject)
  }),
  async 'network.serialize'(asking, state, { userId }) {
    refuseUnknownUser(state, userId)
    return state.oneAtATime(asking.signal, () => gatherPartition(asking, userId))
  }
}

/** Returns the ids under which there is trust in a session that is gone, whether or not another one has its id now. */
async function findGone({ storage }: Pick<NetworkServices, 'storage'>, state: NetworkState): Promise<readonly string[]> {
  const ids = [...state.trust.keys()]
  const kept = new Set<string>()
  for await (const heads of headPages(storage, { kind: 'session', subject: state.address.subject, ids })) {
    for (const [sessionId, head] of heads) if (!isAnother(state, { sessionId, ...readTies(head) })) kept.add(sessionId)
  }
  return ids.filter((id) => !kept.has(id))
}

function refuseUnknownUser({ users }: NetworkState, userId: string): void {
  if (!users.has(userId)) throw notFound('User')
}
