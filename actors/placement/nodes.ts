/** What a process needs to be one of several nodes: its membership, the ways to the others, and the doors at which they find it. */
import type { Address } from '../../src/domain/address.js'
import type { PeerQuestion } from '../../src/domain/commands/peer-questions.js'
import { DomainError } from '../../src/domain/errors.js'
import type { Bus, Cancel, NodeBus } from '../../src/ports.js'
import type { Spans } from '../../src/spans.js'
import type { OutboxMessages } from '../messaging/relay.js'
import type { Admission } from '../scheduling/admission.js'
import { createForwarding } from './forwarding.js'
import { createMembership, type Membership, type MembershipOptions } from './membership.js'
import { type AnswerPeers, createPeers, NO_PEERS, type Peers } from './peers.js'
import { toQuestion } from './received.js'
import { createSharedCounts, type SharedCounts } from './shared-counts.js'
import { asksTopic, countsTopic, questionsTopic } from './topics.js'
import { unreachable } from './tries.js'

/** The nodes as the actors of one of them need them. */
export interface Nodes {
  /** Carries an ask to the node that owns its actor. */
  readonly asks: Pick<Bus, 'request'>
  readonly peers: Peers
  /** Null: this process is alone. */
  readonly outbox: OutboxMessages | null
  /** Whether this node is the one to run the actor. */
  owns(address: Address): boolean
  /** See `Membership`. */
  isAwake(): boolean
  /** Calls `listener` whenever a node came, went, or changed what it is. */
  onChange(listener: () => void): Cancel
  /** Null: this process is alone. */
  readonly membership: Membership | null
  /** Requests of remote addresses, counted by all nodes together; null: this process is alone. */
  readonly counts: SharedCounts | null
}

/** One process that owns everything. */
export function createLoneNode(bus: Pick<Bus, 'request'>): Nodes {
  return {
    asks: bus,
    peers: NO_PEERS,
    outbox: null,
    owns: () => true,
    isAwake: () => true,
    onChange: () => () => undefined,
    membership: null,
    counts: null
  }
}

export interface NodesOptions extends Omit<MembershipOptions, 'bus' | 'renewed'> {
  readonly bus: NodeBus
  /** To the actors of this process. */
  readonly local: Pick<Bus, 'request'>
  readonly admission: Admission
  readonly answerPeers: AnswerPeers
  /** See `ForwardingOptions`. */
  readonly keepsLog: boolean
  /** Default: nobody collects. */
  readonly spans?: Spans
}

/** One of several. Nothing is said or heard before its membership is started. */
export function createNodes(options: NodesOptions): Nodes {
  const { bus, local, admission, clock, counters, logger, answerPeers, keepsLog } = options
  let doors: Cancel[] = []
  const membership = createMembership({
    ...options,
    renewed(self) {
      for (const close of doors) close()
      doors = [
        bus.serve(asksTopic(self), (body) => forwarding.receive(body)),
        bus.serve(questionsTopic(self), async (body, from) => answer(toQuestion(body), from)),
        bus.serve(countsTopic(self), async (body, from) => counts.receive(body, from))
      ]
    }
  })
  const answer = async (question: PeerQuestion, from: string): Promise<unknown> => {
    // What is taken is gone here: only its present owner may have it.
    if (question.type === 'record.take' && membership.ownerOf(question.address)?.nodeId !== from)
      throw new DomainError('not_owner', 'Another node owns this')
    return answerPeers(question)
  }
  const counts = createSharedCounts({ bus, membership, clock })
  const forwarding = createForwarding({ local, remote: bus, membership, admission, clock, counters, keepsLog, spans: options.spans })
  return {
    asks: forwarding,
    peers: createPeers({ bus, membership, logger }),
    outbox: {
      async append(to, id, body) {
        const owner = membership.ownerOf(to)
        if (owner === null) throw unreachable()
        await bus.outbox.append(owner.nodeId, id, body)
      },
      take: (deliver) => bus.outbox.take(deliver)
    },
    owns: (address) => membership.ownerOf(address)?.incarnation === membership.self.incarnation,
    isAwake: () => membership.isAwake(),
    onChange: (listener) => membership.onChange(listener),
    membership,
    counts
  }
}
