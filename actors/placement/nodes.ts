/** Makes a process one of several nodes: its membership, its requests to the others, and the topics that it serves. */
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
import { unreachable } from './attempt-history.js'

/** The set of nodes as the actors of one node see it. */
export interface Nodes {
  /** Carries an ask to the node that owns its actor. */
  readonly asks: Pick<Bus, 'request'>
  readonly peers: Peers
  /** Null for a single node. */
  readonly outbox: OutboxMessages | null
  /** Whether this node owns the actor. */
  owns(address: Address): boolean
  /** See `Membership`. */
  isAwake(): boolean
  /** Calls `listener` whenever a node joins, goes, or changes its state. */
  onChange(listener: () => void): Cancel
  /** Null for a single node. */
  readonly membership: Membership | null
  /** Requests by remote address, counted across all nodes; null for a single node. */
  readonly counts: SharedCounts | null
}

/** Creates a single node, which owns every actor. */
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

interface NodesOptions extends Omit<MembershipOptions, 'bus' | 'renewed'> {
  readonly bus: NodeBus
  /** Bus to the actors of this process. */
  readonly local: Pick<Bus, 'request'>
  readonly admission: Admission
  readonly answerPeers: AnswerPeers
  /** See `ForwardingOptions`. */
  readonly keepsLog: boolean
  /** Collector of spans. Default: none. */
  readonly spans?: Spans | undefined
}

/** Creates one of several nodes. It sends and receives nothing before its membership is started. */
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
    // Taking a record removes it here: only the present owner of its actor may take it.
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
