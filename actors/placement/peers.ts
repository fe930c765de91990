/** The other nodes, asked about themselves: what only the memory of each can tell. */
import type { PeerAnswers, PeerQuestion } from '../../src/domain/commands/peer-questions.js'
import type { NodeState } from '../../src/domain/membership.js'
import type { Bus, Logger } from '../../src/ports.js'
import type { Membership } from './membership.js'
import { isAnswerTo } from './received.js'
import { questionsTopic } from './topics.js'

/** Milliseconds for an answer out of a node's memory, unless said otherwise. */
const ANSWER_MS_MAX = 1_000

/** Those that may have actors in memory. */
const HOLDING: ReadonlySet<NodeState> = new Set(['up', 'unfit', 'draining'])

/** This node's own answer. */
export type AnswerPeers = <Question extends PeerQuestion>(question: Question) => Promise<PeerAnswers[Question['type']]>

export interface PeersAnswers<Answer> {
  readonly answers: readonly Answer[]
  /** Nodes that did not answer. */
  readonly missing: number
}

export interface Peers {
  /**
   * Asks every other node that may have actors. One that does not answer in time (milliseconds, default 1,000) is only counted. Never
   * rejects.
   */
  askAll<Question extends PeerQuestion>(question: Question, deadlineMs?: number): Promise<PeersAnswers<PeerAnswers[Question['type']]>>
}

/** A node that is alone. */
export const NO_PEERS: Peers = { askAll: async () => ({ answers: [], missing: 0 }) }

export interface PeersOptions {
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
      // What cannot be an answer to this question is none.
      const answers = asked.flatMap((outcome) =>
        outcome.status === 'fulfilled' && isAnswerTo(question.type, outcome.value) ? [outcome.value as PeerAnswers[Question['type']]] : []
      )
      const missing = asked.length - answers.length
      if (missing > 0) logger.debug({ question: question.type, missing }, 'Some nodes did not answer')
      return { answers, missing }
    }
  }
}
