/** One command, one step. */
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import type {
  DropSession,
  NetworkCommand,
  ProposeConsensus,
  ReadTrust,
  SerializeUser,
  SwitchUser
} from '../../src/domain/commands/network-commands.js'
import { agrees, approvalOf, isAccepted, nextTrust } from '../../src/domain/coordination/consensus.js'
import { DomainError } from '../../src/domain/errors.js'
import type { Counters, StoredRow, Tracer } from '../../src/ports.js'
import type { StepMeta } from '../behaviour/behaviour.js'
import { traceActor } from '../behaviour/trace.js'
import type { Prepared } from './prepare.js'
import { type NetworkState, TRUST, trustIn, USER } from './state.js'

/** Users of one subject: each is a row, and a listing of its partition reads every session. */
const USERS_MAX = 10_000

/** Shared by all networks of a node. */
export interface NetworkServices {
  readonly tracer: Tracer
  readonly counters: Counters
}

/** What a step works with: the state it changes, and what has to be written because of it. */
export interface Work {
  readonly state: NetworkState
  readonly prepared: Prepared
  readonly services: NetworkServices
  readonly meta: StepMeta
  readonly put: StoredRow[]
  readonly remove: { readonly collection: string; readonly id: string }[]
}

type Steps = {
  readonly [T in NetworkCommand['type']]: (
    work: Work,
    command: Extract<NetworkCommand, { type: T }>
  ) => ReplyOf<Extract<NetworkCommand, { type: T }>>
}

const STEPS: Steps = {
  'network.switch': switchUser,
  'network.active': ({ state }) => ({ activeUser: state.head.activeUser }),
  'network.serialize': serialize,
  'network.consensus': decide,
  'network.trust': readTrust,
  'network.dropSession': dropSession
}

/** Runs the command to its end. Refusals leave the network as it was. */
export function perform<C extends NetworkCommand>(work: Work, command: C): ReplyOf<C> {
  const step = STEPS[command.type] as (work: Work, command: NetworkCommand) => ReplyOf<C>
  return step(work, command)
}

/** Sessions are of the partition that is active when they are made. Switching to the active user changes nothing. */
function switchUser({ state, services, meta, put }: Work, { userId }: SwitchUser): ReplyOf<SwitchUser> {
  const previousUser = state.head.activeUser
  if (userId === previousUser) return { activeUser: userId, previousUser }
  if (!state.users.has(userId)) {
    if (state.users.size >= USERS_MAX) throw new DomainError('limit_reached', `There can be at most ${USERS_MAX} user partitions`)
    state.users.add(userId)
    put.push({ collection: USER, id: userId, body: true })
  }
  state.head = { ...state.head, activeUser: userId }
  traceActor(services.tracer, 'network.switched', meta.address, { users: state.users.size })
  return { activeUser: userId, previousUser }
}

function serialize({ prepared }: Work, _: SerializeUser): ReplyOf<SerializeUser> {
  if (prepared?.gathered === undefined) throw new Error('A partition was not gathered before its step')
  return prepared.gathered
}

/** Interface, Network: an accepted proposal raises the trust of those who agreed and lowers the others'. Weights are as of now, not as of the poll. */
function decide(work: Work, _: ProposeConsensus): ReplyOf<ProposeConsensus> {
  const { state, prepared, services, meta, put } = work
  if (prepared?.poll === undefined) throw new Error('Nobody was asked before a vote')
  const { similarities, sessionIds, goneIds } = prepared.poll
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
  services.counters.count({ name: 'consensus', outcome: accepted ? 'accepted' : 'refused' })
  traceActor(services.tracer, 'network.decided', meta.address, { accepted, approval, votes: votes.length })
  return { accepted, approval, votes, trustScores: scoresOf(state, sessionIds) }
}

function readTrust({ state, prepared }: Work, _: ReadTrust): ReplyOf<ReadTrust> {
  return { trustScores: scoresOf(state, prepared?.sessionIds ?? []) }
}

function dropSession(work: Work, { sessionId }: DropSession): ReplyOf<DropSession> {
  return { dropped: forgetTrust(work, sessionId) }
}

function forgetTrust({ state, remove }: Work, sessionId: string): boolean {
  if (!state.trust.delete(sessionId)) return false
  remove.push({ collection: TRUST, id: sessionId })
  return true
}

/** Of every session there is, also those that have not voted yet. */
function scoresOf(state: NetworkState, sessionIds: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(sessionIds.map((id) => [id, trustIn(state, id)]))
}
