/** Polls every session of a subject on a proposed vector. Changes nothing. */
import type { Address } from '../../src/domain/address.js'
import type { SessionStateView } from '../../src/domain/commands/coordination-commands.js'
import type { ProposeConsensus } from '../../src/domain/commands/network-commands.js'
import { DomainError } from '../../src/domain/errors.js'
import { similarity } from '../../src/domain/similarity/vector.js'
import type { ActorStorage, Clock } from '../../src/ports.js'
import { ANSWER_MS_MAX, FAILING, unlessRefused } from '../asking/answers.js'
import type { Ask } from '../asking/ask.js'
import { fanOut } from '../asking/fan-out.js'
import { toUnitVector } from '../session/record/embedding.js'
import { listSessionIds } from './session-ids.js'

/** Upper bound on voters: as many sessions as a node keeps in memory by default. With more, asking some would passivate others. */
const VOTERS_MAX = 10_000

interface PollOptions {
  readonly ask: Ask
  readonly clock: Clock
  readonly storage: Pick<ActorStorage, 'list'>
}

export interface Poll {
  /** All sessions of the subject, ascending. */
  readonly sessionIds: readonly string[]
  /** Sessions with the proposer's dimension and model, ascending, each with the cosine of its state to the proposal; 0 without a state. */
  readonly similarities: readonly { readonly sessionId: string; readonly similarity: number }[]
}

/**
 * Takes the poll. Rejects if the proposer is missing, if the proposal does not fit it, or if a session does not answer: without it the
 * result might differ.
 */
export async function takePoll(options: PollOptions, network: Address, command: ProposeConsensus, signal: AbortSignal): Promise<Poll> {
  const { proposerSessionId, targetEmbedding } = command
  const read = (id: string): Promise<SessionStateView> => {
    if (signal.aborted) throw new DomainError('deadline_passed', 'The deadline passed before every session had voted')
    return options.ask({ kind: 'session', subject: network.subject, id }, { type: 'state.read' }, { deadlineMs: ANSWER_MS_MAX })
  }
  const proposer = await unlessRefused(read(proposerSessionId), ['session_missing'])
  if (proposer === null) throw new DomainError('session_missing', 'Proposer session not found')
  const { dimension, modelName } = proposer
  const target = toUnitVector(targetEmbedding, dimension, ['target_embedding'])
  const sessionIds = await listSessionIds(options.storage, network.subject)
  if (sessionIds.length > VOTERS_MAX) throw new DomainError('limit_reached', `At most ${VOTERS_MAX} sessions can vote`)
  const similarities = await fanOut(sessionIds, options.clock, async (sessionId) => {
    const view = await unlessRefused(read(sessionId), ['session_missing', ...FAILING])
    // No vote: vectors of two models or dimensions have no similarity.
    if (view?.dimension !== dimension || view.modelName !== modelName) return []
    // Interface, Network: every session votes, with similarity 0 if it has no input yet.
    return [{ sessionId, similarity: view.state === null ? 0 : similarity(view.state.vector, target) }]
  })
  return { sessionIds, similarities: similarities.flat() }
}
