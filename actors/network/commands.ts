/** Commands of a network: what each asks of other actors, what it adds to the record, and its step. */
import type { Erased, EraseUser } from '../../src/domain/commands/erasure.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import {
  DEFAULT_USER,
  type DropSession,
  type ProposeConsensus,
  type SwitchUser,
  type TrustScore
} from '../../src/domain/commands/network-commands.js'
import { agrees, approvalOf, isAccepted, nextTrust } from '../../src/domain/coordination/consensus.js'
import { DomainError, notFound } from '../../src/domain/errors.js'
import { plus, sumOf, WEIGHTLESS, weightOf } from '../../src/domain/fairness/weight.js'
import { type Commands, setHead } from '../coordination/kind.js'
import { traceActor } from '../behaviour/trace.js'
import { rowWeight } from '../weight/ledger.js'
import { gatherPartition, isEmptyPartition, passivatePartition } from './partition.js'
import { takePoll } from './poll.js'
import { listSessionIds } from './session-ids.js'
import { type NetworkState, TRUST, trustIn, USER } from './state.js'
import type { ConsensusPoll, NetworkKind, Work } from './work.js'

/** Upper bound on the users of one subject: each is a row, and finding a user's sessions reads the heads of all sessions. */
const USERS_MAX = 10_000

export const COMMANDS: Commands<NetworkKind> = {
  'network.switch': {
    growth: ({ users }, { userId }) => (users.has(userId) ? WEIGHTLESS : plus(weightOf(userId), rowWeight(true))),
    step: switchUser
  },
  'network.active': { step: ({ state }) => ({ activeUser: state.head.activeUser }) },
  'network.serialize': {
    async prepare(asking, { users, oneAtATime }, { userId }) {
      if (!users.has(userId)) throw notFound('User')
      return oneAtATime(asking.signal, () => gatherPartition(asking, userId))
    },
    step: (_work, _command, gathered) => gathered
  },
  'network.consensus': {
    prepare: (asking, { trust, oneAtATime }, command) =>
      oneAtATime(asking.signal, async () => {
        // Read before the sessions are listed: a session that is created and gains trust after the listing must not count as gone.
        const trusted = [...trust.keys()]
        const poll = await takePoll(asking, command)
        const existing = new Set(poll.sessionIds)
        return { ...poll, goneIds: trusted.filter((id) => !existing.has(id)) }
      }),
    // Which sessions vote is known only after the poll.
    growth({ trust }, _, poll) {
      const voters = poll?.similarities ?? []
      return sumOf(voters.flatMap(({ sessionId: id }) => (trust.has(id) ? [] : [plus(weightOf(id), rowWeight(0.5))])))
    },
    step: decide
  },
  'network.trust': {
    prepare: ({ storage }, { address }) => listSessionIds(storage, address.subject),
    step: ({ state }, _, sessionIds) => ({ trustScores: scoresOf(state, sessionIds) })
  },
  'network.dropSession': { step: dropSession },
  'user.erase': {
    prepare: async (asking, { users }, { userId }) =>
      users.has(userId) && userId !== DEFAULT_USER && (await isEmptyPartition(asking, userId)),
    step: eraseUser
  }
}

/** Switches the active user. New sessions belong to the active user's partition. Switching to the active user changes nothing. */
function switchUser(work: Work, { userId }: SwitchUser): ReplyOf<SwitchUser> {
  const { state, services, meta, put } = work
  const previousUser = state.head.activeUser
  if (userId === previousUser) return { activeUser: userId, previousUser }
  if (!state.users.has(userId)) {
    if (state.users.size >= USERS_MAX) throw new DomainError('limit_reached', `There can be at most ${USERS_MAX} user partitions`)
    state.users.add(userId)
    put.push({ collection: USER, id: userId, body: true })
  }
  setHead(work, { activeUser: userId })
  work.afterwards = () => putAway(work, previousUser)
  traceActor(services.tracer, 'network.switched', meta.address, { users: state.users.size })
  return { activeUser: userId, previousUser }
}

/** Passivates the sessions of the previous user. A failure is only logged: it costs memory until the sessions are swept as idle. */
async function putAway({ state, services }: Work, userId: string): Promise<void> {
  await passivatePartition(services, state.address, userId).catch((error: unknown) => {
    services.logger.warn({ err: error }, 'A partition could not be put away')
  })
}

/**
 * Decides a vote. Interface, Network: an accepted proposal raises the trust in sessions that agreed, and lowers it in the others. Weights
 * are as of now, not as of the poll.
 */
function decide(work: Work, _: ProposeConsensus, { similarities, sessionIds, goneIds }: ConsensusPoll): ReplyOf<ProposeConsensus> {
  const { state, services, meta, put } = work
  const votes = similarities.map(({ sessionId, similarity }) => ({ sessionId, similarity, weight: trustIn(state, sessionId) }))
  const approval = approvalOf(votes)
  const accepted = isAccepted(approval)
  if (accepted) {
    for (const { sessionId, similarity, weight } of votes) {
      const trust = nextTrust(weight, agrees(similarity))
      state.trust.set(sessionId, trust)
      put.push({ collection: TRUST, id: sessionId, body: trust })
    }
  }
  for (const id of goneIds) forgetTrust(work, id)
  countTrusted(work)
  services.counters.count({ name: 'consensus', outcome: accepted ? 'accepted' : 'refused' })
  traceActor(services.tracer, 'network.decided', meta.address, { accepted, approval, votes: votes.length })
  return { accepted, approval, votes, trustScores: scoresOf(state, sessionIds) }
}

function dropSession(work: Work, { sessionId }: DropSession): ReplyOf<DropSession> {
  const dropped = forgetTrust(work, sessionId)
  countTrusted(work)
  return { dropped }
}

/** Forgets the name of a user whose partition has no session. If that was the active one, the default one is active from now on. */
function eraseUser(work: Work, { userId }: EraseUser, isEmptied: boolean): Erased {
  const { state, remove } = work
  if (!isEmptied || !state.users.delete(userId)) return { erasedMemories: 0, isAffected: false }
  remove.push({ collection: USER, id: userId })
  if (state.head.activeUser === userId) setHead(work, { activeUser: DEFAULT_USER })
  return { erasedMemories: 0, isAffected: true }
}

function forgetTrust({ state, remove }: Work, sessionId: string): boolean {
  if (!state.trust.delete(sessionId)) return false
  remove.push({ collection: TRUST, id: sessionId })
  return true
}

function countTrusted(work: Work): void {
  const { head, trust } = work.state
  if (trust.size !== head.trustedCount) setHead(work, { trustedCount: trust.size })
}

/** Returns the trust in all sessions, including those that have not voted yet. */
function scoresOf(state: NetworkState, sessionIds: readonly string[]): TrustScore[] {
  return sessionIds.map((sessionId) => ({ sessionId, trust: trustIn(state, sessionId) }))
}
