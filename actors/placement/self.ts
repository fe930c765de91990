/** Answers of this node to the questions of other nodes. */
import { type ActorKind, addressKey } from '../../src/domain/address.js'
import type { PeerAnswers, PeerQuestion } from '../../src/domain/commands/peer-questions.js'
import type { LiveActor, NodeDescription } from '../../src/domain/nodes/topology.js'
import type { ActorStorage } from '../../src/ports.js'
import type { Catalog } from '../runtime/catalog.js'
import { handOn } from './handed-on-storage.js'
import type { AnswerPeers } from './peers.js'

/** Upper bound on the live actors of one kind in a graph, the most recently used ones: more cannot be told apart on a screen. */
const ACTORS_SHOWN_MAX = 200

interface SelfOptions {
  readonly nodeId: string
  readonly catalogs: readonly Catalog[]
  readonly nodeState: () => string
}

/** Describes this node and a subject's live actors on it. Neither asks nor activates an actor. */
export function describeNode({ nodeId, catalogs, nodeState }: SelfOptions, subject: string): NodeDescription {
  const living = catalogs.map((catalog) => ({ catalog, ids: catalog.activeIds(subject) }))
  return {
    nodeId,
    state: nodeState(),
    supervisors: catalogs.map(({ kind, isSupervised }) => ({ kind, state: isSupervised ? 'running' : 'restarting' })),
    live: living.flatMap(({ catalog, ids }) =>
      ids.slice(-ACTORS_SHOWN_MAX).flatMap((id): LiveActor | [] => catalog.describe(subject, id) ?? [])
    ),
    more: living.reduce((sum, { ids }) => sum + Math.max(0, ids.length - ACTORS_SHOWN_MAX), 0)
  }
}

interface AnswerOptions {
  catalogOf(kind: ActorKind): Catalog
  describe(subject: string): NodeDescription
  /** Caches of texts or of their vectors, outside of the actors. */
  readonly caches: readonly { forget(subject?: string): void }[]
  /** Returns the subject of a debug ticket that this node issued, by the ticket's hash. */
  redeemTicket(hash: string): string | null
  /** Storage in this node's own memory; null where nodes share their storage. */
  readonly ownMemory: ActorStorage | null
}

export function createAnswerPeers({ catalogOf, describe, caches, redeemTicket, ownMemory }: AnswerOptions): AnswerPeers {
  async function answer(question: PeerQuestion): Promise<PeerAnswers[PeerQuestion['type']]> {
    switch (question.type) {
      case 'node.ping':
        return null
      case 'actors.active':
        return catalogOf(question.kind).activeIds(question.subject)
      case 'sessions.last':
        return catalogOf('session').mostRecent(question.subject) ?? null
      case 'sessions.passivate':
        await catalogOf('session').passivate(question.subject, question.ids)
        return null
      case 'texts.forget':
        for (const cache of caches) cache.forget(question.subject)
        return null
      case 'ticket.redeem':
        return redeemTicket(question.hash)
      case 'record.take': {
        const record = ownMemory === null ? null : await handOn(ownMemory, question.address)
        if (record !== null) catalogOf(question.address.kind).fence((address) => addressKey(address) === addressKey(question.address))
        return record
      }
      case 'record.peek':
        return ownMemory === null ? null : ownMemory.peek(question.address)
      case 'records.list':
        return ownMemory === null ? [] : ownMemory.list(question)
      case 'node.describe':
        return describe(question.subject)
      case 'actor.describe': {
        const { kind, subject, id } = question.address
        return catalogOf(kind).describe(subject, id) ?? null
      }
    }
  }
  return answer as AnswerPeers
}
