/** Questions of a session to other actors before a step. They change nothing here, and can be repeated. */
import { ONLY_ONE } from '../../../src/domain/address.js'
import type { Probe, VerifySession } from '../../../src/domain/commands/control-commands.js'
import type { CollectFindings, Exchange, SessionStateView, TransferState } from '../../../src/domain/commands/coordination-commands.js'
import { DEFAULT_USER } from '../../../src/domain/commands/network-commands.js'
import type { RunTurn } from '../../../src/domain/commands/session-commands.js'
import { DomainError, isDomainError } from '../../../src/domain/errors.js'
import { SHORT_CIRCUIT_THRESHOLD } from '../../../src/domain/limits.js'
import { readActiveUser } from '../../../src/domain/network-head.js'
import type { ActorStorage, Clock, Tracer } from '../../../src/ports.js'
import { traceActor } from '../../behaviour/trace.js'
import { unlessRefused } from '../../asking/answers.js'
import type { Ask } from '../../asking/ask.js'
import { fromStorage, pause } from '../../../src/time-limit.js'
import { requireCluster } from '../record/backing.js'
import { requireDimension } from '../record/embedding.js'
import type { SessionState } from '../record/state.js'
import type { SharedAnswer } from '../record/work.js'

/** Deadline of another actor's answer; a command's own deadline is longer. */
export const WITHIN = { deadlineMs: 10_000 }

/** Deadline of a shared session's hits in milliseconds: a run does not wait longer for what others know. */
const MATCH_MS_MAX = 1_000

export interface InquiryOptions {
  readonly ask: Ask
  readonly clock: Clock
  readonly tracer: Tracer
  readonly storage: Pick<ActorStorage, 'peek'>
}

/**
 * Returns the user partition that a session created now belongs to; the default where the subject has no network, and so never switched.
 * Read from storage: a switch is durable before it is answered, and most subjects have no network, so that asking would start an actor in
 * vain.
 */
export async function activePartition(options: NetworkLookup, subject: string): Promise<string> {
  const stored = await storedNetwork(options, subject)
  return stored === null ? DEFAULT_USER : readActiveUser(stored.head)
}

type NetworkLookup = Pick<InquiryOptions, 'storage' | 'clock'>

/** Reads the head of a subject's network; null if it has none. */
export function storedNetwork({ storage, clock }: NetworkLookup, subject: string): Promise<{ readonly head: unknown } | null> {
  return fromStorage(storage.peek({ kind: 'network', subject, id: ONLY_ONE }), { clock })
}

/**
 * Asks the reference session of a verification for its answers to the test embeddings; null if the command names none. Throws
 * `invalid_input` at the reference if its dimension is not this session's.
 */
export async function referenceProbes(
  { ask }: InquiryOptions,
  state: SessionState,
  command: VerifySession
): Promise<readonly Probe[] | null> {
  const { referenceSessionId: id, testEmbeddings } = command
  if (id === undefined) return null
  const { dimension } = state.head.settings
  for (const [at, values] of testEmbeddings.entries()) requireDimension(values, dimension, ['test_embeddings', at])
  const probing = ask(sessionOf(state, id), { type: 'session.probe', testEmbeddings }, WITHIN)
  const answer = await unlessRefused(named(probing, 'Reference session not found'), ['invalid_input'])
  if (answer !== null) return answer.probes
  throw unfit(`The reference session has another dimension than ${dimension}`, 'reference_session_id')
}

/** Asks for the state that a transfer reads from. Throws `invalid_input` if its dimension or model differs from this session's. */
export async function sourceState({ ask }: InquiryOptions, state: SessionState, command: TransferState): Promise<SessionStateView> {
  if (command.sourceSessionId === state.address.id) throw unfit('A session cannot transfer to itself')
  const reading = ask(sessionOf(state, command.sourceSessionId), { type: 'state.read' }, WITHIN)
  const source = await named(reading, 'Source session not found')
  const { dimension, modelName } = state.head.settings
  if (source.dimension !== dimension) throw unfit(`The source session has dimension ${source.dimension}, and the target ${dimension}`)
  if (source.modelName !== modelName) throw unfit('The source session has another embedding model than the target')
  return source
}

/** Asks the clusters what they know of a member's message. A cluster that does not answer in time costs the run only its hits. */
export async function sharedAnswers(options: InquiryOptions, state: SessionState, command: RunTurn): Promise<SharedAnswer[]> {
  const answers: Promise<SharedAnswer>[] = []
  for (const membership of state.ties.memberships) {
    // Each searches for some milliseconds. Asked all at once, those on this node would run in a row and block the event loop.
    if (answers.length > 0) await pause(options.clock, 0)
    answers.push(sharedAnswer(options, state, { membership, command }))
  }
  return Promise.all(answers)
}

async function sharedAnswer(
  options: InquiryOptions,
  state: SessionState,
  asked: { membership: SharedAnswer['membership']; command: RunTurn }
): Promise<SharedAnswer> {
  const { membership, command } = asked
  const { clusterId } = membership
  const { message, userId, shortCircuitThreshold = SHORT_CIRCUIT_THRESHOLD } = command
  try {
    const match = { type: 'exchange.match', message, shortCircuitThreshold, ...(userId !== undefined && { userId }) } as const
    const answer = await options.ask(sessionOf(state, clusterId), match, { deadlineMs: MATCH_MS_MAX })
    return { ...answer, membership, isGone: false }
  } catch (error) {
    const code = isDomainError(error) ? error.code : 'internal'
    traceActor(options.tracer, 'retrieve.cluster_failed', state.address, { clusterId, code })
    return { isAnswered: false, hits: [], membership, isGone: code === 'cluster_missing' }
  }
}

/** Reads a member's findings as they are now. Throws `member_missing` if the cluster does not know the member. */
export async function collectedFindings(
  { ask }: InquiryOptions,
  state: SessionState,
  command: CollectFindings
): Promise<readonly Exchange[]> {
  requireCluster(state)
  const { fromSessionId, findings } = command
  const member = sessionOf(state, fromSessionId)
  const [{ isMember }, read] = await Promise.all([
    ask({ ...state.address, kind: 'cluster' }, { type: 'cluster.checkMember', sessionId: fromSessionId }, WITHIN),
    unlessRefused(ask(member, { type: 'exchange.read', findings }, WITHIN), ['session_missing'])
  ])
  if (isMember) return read?.exchanges ?? []
  // A fault has left the session with a stale membership. If its removal fails here, the session's next finding leads here again.
  await ask(member, { type: 'membership.remove', clusterId: state.address.id, isStale: true }, WITHIN).catch(() => undefined)
  throw new DomainError('member_missing', 'The session is not a member of this cluster')
}

function sessionOf({ address }: SessionState, id: string) {
  return { kind: 'session', subject: address.subject, id } as const
}

/** Resolves to the answer of a session that the caller named. If the session is missing, rejects with `message`, which says which one. */
async function named<Answer>(answer: Promise<Answer>, message: string): Promise<Answer> {
  const found = await unlessRefused(answer, ['session_missing'])
  if (found === null) throw new DomainError('session_missing', message)
  return found
}

function unfit(message: string, field = 'source_session_id'): DomainError {
  return new DomainError('invalid_input', message, { loc: [field] })
}
