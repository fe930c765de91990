/** Polls every session of a subject on a proposed vector. Changes nothing. */
import type { ProposeConsensus } from '../../src/domain/commands/network-commands.js'
import { DomainError } from '../../src/domain/errors.js'
import { similarity } from '../../src/domain/similarity/vector.js'
import type { ActorStorage } from '../../src/ports.js'
import { unlessRefused } from '../asking/answers.js'
import { fanOut } from '../asking/fan-out.js'
import { askIfThere, askOther, type CommandAsking } from '../coordination/asking.js'
import { toUnitVector } from '../session/record/embedding.js'
import { listSessionIds } from './session-ids.js'
import type { Voter } from './state.js'

/** Upper bound on voters: as many sessions as a node keeps in memory by default. With more, asking some would passivate others. */
const VOTERS_MAX = 10_000

interface PollAsking extends CommandAsking {
  readonly storage: Pick<ActorStorage, 'list'>
}

export interface Poll {
  /** All sessions of the subject, ascending. */
  readonly sessionIds: readonly string[]
  /** Sessions with the proposer's dimension and model, ascending, each with the cosine of its state to the proposal; 0 without a state. */
  readonly similarities: readonly (Voter & { readonly similarity: number })[]
}

/**
 * Takes the poll. Rejects if the proposer is missing, if the proposal does not fit it, or if a session does not answer: without it the
 * result might differ.
 */
export async function takePoll(asking: PollAsking, { proposerSessionId, targetEmbedding }: ProposeConsensus): Promise<Poll> {
  const { storage, clock, address } = asking
  const asked = askOther(asking, { kind: 'session', id: proposerSessionId }, { type: 'state.read' })
  const proposer = await unlessRefused(asked, ['session_missing'])
  if (proposer === null) throw new DomainError('session_missing', 'Proposer session not found')
  const { dimension, modelName } = proposer
  const target = toUnitVector(targetEmbedding, dimension, ['target_embedding'])
  const sessionIds = await listSessionIds(storage, address.subject)
  if (sessionIds.length > VOTERS_MAX) throw new DomainError('limit_reached', `At most ${VOTERS_MAX} sessions can vote`)
  const similarities = await fanOut(sessionIds, clock, async (sessionId) => {
    const view = await askIfThere(asking, { kind: 'session', id: sessionId }, { type: 'state.read' })
    // No vote: vectors of two models or dimensions have no similarity.
    if (view?.dimension !== dimension || view.modelName !== modelName) return []
    // Interface, Network: every session votes, with similarity 0 if it has no input yet.
    const { madeAt } = view
    return [{ sessionId, madeAt, similarity: view.state === null ? 0 : similarity(view.state.vector, target) }]
  })
  return { sessionIds, similarities: similarities.flat() }
}
