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
import { agrees, approvalOf, isAccepted, nextTrust, TRUST_INITIAL } from '../../src/domain/coordination/consensus.js'
import { DomainError, notFound } from '../../src/domain/errors.js'
import { plus, sumOf, WEIGHTLESS, weightOf } from '../../src/domain/fairness/weight.js'
import { type Commands, setHead } from '../coordination/kind.js'
import { traceActor } from '../behaviour/trace.js'
import { readTies } from '../session/record/stored-head.js'
import { headPages } from '../subject/record-pages.js'
import { rowWeight } from '../weight/ledger.js'
import { gatherPartition, isEmptyPartition, passivatePartition } from './partition.js'
import { takePoll } from './poll.js'
import { listSessionIds } from './session-ids.js'
import { isAnother, type NetworkState, TRUST, trustIn, USER, type Voter, VOTER } from './state.js'
import type { ConsensusPoll, Electorate, NetworkKind, NetworkServices, Work } from './work.js'

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
    prepare: (asking, state, command) =>
      state.oneAtATime(asking.signal, async () => {
        // Found before the poll: a session that is made and gains trust meanwhile must not count as gone.
        const goneIds = await findGone(asking, state)
        return { ...(await takePoll(asking, command)), goneIds }
      }),
    // Which sessions vote is known only after the poll.
    growth({ trust }, _, poll) {
      const voters = poll?.similarities ?? []
      return sumOf(voters.flatMap(({ sessionId: id }) => (trust.has(id) ? [] : [sumOf([weightOf(id), rowWeight(0.5), rowWeight(0.5)])])))
    },
    step: decide
  },
  'network.trust': {
    prepare: async (asking, state) => ({
      goneIds: await findGone(asking, state),
      sessionIds: await listSessionIds(asking.storage, state.address.subject)
    }),
    step: ({ state }, _, electorate) => ({ trustScores: scoresOf(state, electorate) })
  },
  'network.dropSession': { step: dropSession },
  'user.erase': {
    prepare: async (asking, { users }, { userId }) =>
      users.has(userId) && userId !== DEFAULT_USER && (await isEmptyPartition(asking, userId)),
    step: eraseUser
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
function decide(work: Work, _: ProposeConsensus, poll: ConsensusPoll): ReplyOf<ProposeConsensus> {
  const { state, services, meta } = work
  for (const id of poll.goneIds) forgetTrust(work, id)
  const votes = poll.similarities.map((voter) => ({ ...voter, weight: trustIn(state, voter) }))
  const approval = approvalOf(votes)
  const accepted = isAccepted(approval)
  if (accepted) {
    for (const { similarity, weight, ...voter } of votes) noteTrust(work, voter, nextTrust(weight, agrees(similarity)))
  }
  countTrusted(work)
  services.counters.count({ name: 'consensus', outcome: accepted ? 'accepted' : 'refused' })
  traceActor(services.tracer, 'network.decided', meta.address, { accepted, approval, votes: votes.length })
  return {
    accepted,
    approval,
    votes: votes.map(({ sessionId, similarity, weight }) => ({ sessionId, similarity, weight })),
    trustScores: scoresOf(state, { ...poll, goneIds: [] })
  }
}

function noteTrust({ state, put }: Work, { sessionId, madeAt }: Voter, trust: number): void {
  state.trust.set(sessionId, trust)
  put.push({ collection: TRUST, id: sessionId, body: trust })
  if (madeAt === undefined || state.voters.get(sessionId) === madeAt) return
  state.voters.set(sessionId, madeAt)
  put.push({ collection: VOTER, id: sessionId, body: madeAt })
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
  if (state.voters.delete(sessionId)) remove.push({ collection: VOTER, id: sessionId })
  return true
}

function countTrusted(work: Work): void {
  const { head, trust } = work.state
  if (trust.size !== head.trustedCount) setHead(work, { trustedCount: trust.size })
}

/** Returns the trust in all sessions, including those that have not voted yet. */
function scoresOf({ trust }: NetworkState, { sessionIds, goneIds }: Electorate): TrustScore[] {
  const gone = new Set(goneIds)
  return sessionIds.map((sessionId) => ({ sessionId, trust: (gone.has(sessionId) ? undefined : trust.get(sessionId)) ?? TRUST_INITIAL }))
}
