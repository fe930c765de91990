/** What a session asks of other actors before a step. Changes nothing here, and may be asked again. */
import { ONLY_ONE } from '../../../src/domain/address.js'
import type { Probe, VerifySession } from '../../../src/domain/commands/control-commands.js'
import type { CollectFindings, Exchange, SessionStateView, TransferState } from '../../../src/domain/commands/coordination-commands.js'
import { DEFAULT_USER } from '../../../src/domain/commands/network-commands.js'
import type { RunTurn } from '../../../src/domain/commands/session-commands.js'
import { DomainError, isDomainError } from '../../../src/domain/errors.js'
import { SHORT_CIRCUIT_THRESHOLD, STORAGE_MS_MAX } from '../../../src/domain/limits.js'
import { readActiveUser } from '../../../src/domain/network-head.js'
import type { ActorStorage, Clock, Tracer } from '../../../src/ports.js'
import { unlessRefused } from '../../asking/answers.js'
import type { Ask } from '../../asking/ask.js'
import { fromStorage, pause } from '../../asking/time-limit.js'
import { requireCluster } from '../record/backing.js'
import type { SessionState } from '../record/state.js'
import { trace } from '../record/trace.js'
import type { SharedAnswer } from '../record/work.js'

/** Milliseconds for the answer of another actor; a command's own deadline is longer. */
const INQUIRY_MS_MAX = 10_000

/** Milliseconds for a shared session's hits: a run does not wait longer for what others know. */
const MATCH_MS_MAX = 1_000

export interface InquiryOptions {
  readonly ask: Ask
  readonly clock: Clock
  readonly tracer: Tracer
  readonly storage: Pick<ActorStorage, 'peek'>
}

/**
 * User partition that a session made now belongs to; a subject without a network has never switched. Looked up in storage: a switch is
 * answered when it is there, and most subjects have no network to be asked, at the cost of starting an actor that then is not there.
 */
export async function activePartition(options: NetworkLookup, subject: string): Promise<string> {
  const stored = await storedNetwork(options, subject)
  return stored === null ? DEFAULT_USER : readActiveUser(stored.head)
}

type NetworkLookup = Pick<InquiryOptions, 'storage' | 'clock'>

/** The record of a subject's network; null when it has none. */
export function storedNetwork({ storage, clock }: NetworkLookup, subject: string): Promise<{ readonly head: unknown } | null> {
  return fromStorage(storage.peek({ kind: 'network', subject, id: ONLY_ONE }), { clock, limitMs: STORAGE_MS_MAX })
}

/** How the reference session of a verification answers its test embeddings; null when it names none. */
export async function referenceProbes(
  { ask }: InquiryOptions,
  state: SessionState,
  command: VerifySession
): Promise<readonly Probe[] | null> {
  const { referenceSessionId: id, testEmbeddings } = command
  if (id === undefined) return null
  const probing = ask(sessionOf(state, id), { type: 'session.probe', testEmbeddings }, { deadlineMs: INQUIRY_MS_MAX })
  return (await named(probing, 'Reference session not found')).probes
}

/** The state that a transfer takes from. Refused where its vectors are of another width or model than the own ones. */
export async function sourceState({ ask }: InquiryOptions, state: SessionState, command: TransferState): Promise<SessionStateView> {
  if (command.sourceSessionId === state.address.id) throw unfit('A session cannot transfer to itself')
  const reading = ask(sessionOf(state, command.sourceSessionId), { type: 'state.read' }, { deadlineMs: INQUIRY_MS_MAX })
  const source = await named(reading, 'Source session not found')
  const { dimension, modelName } = state.head.settings
  if (source.dimension !== dimension) throw unfit(`The source session has dimension ${source.dimension}, and the target ${dimension}`)
  if (source.modelName !== modelName) throw unfit('The source session has another embedding model than the target')
  return source
}

/** What the clusters know of a member's message. One that does not answer in time costs the run its hits, and nothing else. */
export async function sharedAnswers(options: InquiryOptions, state: SessionState, command: RunTurn): Promise<SharedAnswer[]> {
  const answers: Promise<SharedAnswer>[] = []
  for (const { clusterId } of state.ties.memberships) {
    // Each searches for some milliseconds. Asked all at once, those of this node would do so in a row, and nobody else could run.
    if (answers.length > 0) await pause(options.clock, 0)
    answers.push(sharedAnswer(options, state, { clusterId, command }))
  }
  return Promise.all(answers)
}

async function sharedAnswer(
  options: InquiryOptions,
  state: SessionState,
  asked: { clusterId: string; command: RunTurn }
): Promise<SharedAnswer> {
  const { clusterId, command } = asked
  const { message, userId, shortCircuitThreshold = SHORT_CIRCUIT_THRESHOLD } = command
  try {
    const match = { type: 'exchange.match', message, shortCircuitThreshold, ...(userId !== undefined && { userId }) } as const
    const answer = await options.ask(sessionOf(state, clusterId), match, { deadlineMs: MATCH_MS_MAX })
    return { ...answer, clusterId, isGone: false }
  } catch (error) {
    const code = isDomainError(error) ? error.code : 'internal'
    trace(state, options, 'retrieve.cluster_failed', { clusterId, code })
    return { isAnswered: false, hits: [], clusterId, isGone: code === 'cluster_missing' }
  }
}

/** A member's findings as they stand now. Refused with `member_missing` when the cluster does not know the member. */
export async function collectedFindings(
  { ask }: InquiryOptions,
  state: SessionState,
  command: CollectFindings
): Promise<readonly Exchange[]> {
  requireCluster(state)
  const { fromSessionId, findings } = command
  const member = sessionOf(state, fromSessionId)
  const [{ isMember }, read] = await Promise.all([
    ask({ ...state.address, kind: 'cluster' }, { type: 'cluster.checkMember', sessionId: fromSessionId }, { deadlineMs: INQUIRY_MS_MAX }),
    unlessRefused(ask(member, { type: 'exchange.read', findings }, { deadlineMs: INQUIRY_MS_MAX }), ['session_missing'])
  ])
  if (isMember) return read?.exchanges ?? []
  // Its membership was left behind by a fault half-way. Should this fail, its next finding comes here again.
  await ask(member, { type: 'membership.remove', clusterId: state.address.id, isStale: true }, { deadlineMs: INQUIRY_MS_MAX }).catch(
    () => undefined
  )
  throw new DomainError('member_missing', 'The session is not a member of this cluster')
}

function sessionOf({ address }: SessionState, id: string) {
  return { kind: 'session', subject: address.subject, id } as const
}

/** The answer of a session that the caller has named: says which one is missing. */
async function named<Answer>(answer: Promise<Answer>, message: string): Promise<Answer> {
  const found = await unlessRefused(answer, ['session_missing'])
  if (found === null) throw new DomainError('session_missing', message)
  return found
}

function unfit(message: string): DomainError {
  return new DomainError('invalid_input', message, { loc: ['source_session_id'] })
}
