/** Questions to the other nodes about what is in their memory. */
import type { PeerAnswers, PeerQuestion } from '../../src/domain/commands/peer-questions.js'
import type { NodeState } from '../../src/domain/nodes/membership.js'
import type { Bus, Logger } from '../../src/ports.js'
import type { Membership } from './membership.js'
import { isAnswerTo } from './received.js'
import { questionsTopic } from './topics.js'

/** Default deadline of a question in milliseconds: answers come out of memory. */
const ANSWER_MS_MAX = 1_000

/** States in which a node may have actors in memory. */
const HOLDING: ReadonlySet<NodeState> = new Set(['up', 'unfit', 'draining'])

/** Answers a question as this node. */
export type AnswerPeers = <Question extends PeerQuestion>(question: Question) => Promise<PeerAnswers[Question['type']]>

interface PeersAnswers<Answer> {
  readonly answers: readonly Answer[]
  /** Number of nodes that did not answer. */
  readonly missing: number
}

export interface Peers {
  /**
   * Asks every other node that may have actors. A node that does not answer within `deadlineMs` (default: 1,000) is counted as missing.
   * Never rejects.
   */
  askAll<Question extends PeerQuestion>(question: Question, deadlineMs?: number): Promise<PeersAnswers<PeerAnswers[Question['type']]>>
}

/** Peers of a single node: none. */
export const NO_PEERS: Peers = { askAll: async () => ({ answers: [], missing: 0 }) }

interface PeersOptions {
  readonly bus: Pick<Bus, 'request'>
  readonly membership: Pick<Membership, 'self' | 'members'>
  readonly logger: Logger
}

export function createPeers({ bus, membership, logger }: PeersOptions): Peers {
  return {
    async askAll<Question extends PeerQuestion>(question: Question, deadlineMs = ANSWER_MS_MAX) {
      const others = membership
        .members()
        .filter(({ nodeId, state, isGone }) => nodeId !== membership.self.nodeId && !isGone && HOLDING.has(state))
      const asked = await Promise.allSettled(others.map((other) => bus.request(questionsTopic(other), question, { deadlineMs })))
      // A malformed answer counts as missing.
      const answers = asked.flatMap((outcome) =>
        outcome.status === 'fulfilled' && isAnswerTo(question.type, outcome.value) ? [outcome.value as PeerAnswers[Question['type']]] : []
      )
      const missing = asked.length - answers.length
      if (missing > 0) logger.debug({ question: question.type, missing }, 'Some nodes did not answer')
      return { answers, missing }
    }
  }
}
