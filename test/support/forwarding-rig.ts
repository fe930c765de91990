/** Several nodes with their memberships and forwarding between them, on one clock and a network that a test can cut. */
import type { Test } from 'tap'
import type { AskEnvelope } from '../../actors/asking/envelope.js'
import { createForwarding, type Forwarding } from '../../actors/placement/forwarding.js'
import { createMembership, type Membership } from '../../actors/placement/membership.js'
import type { Forwarded } from '../../actors/placement/received.js'
import { asksTopic, questionsTopic } from '../../actors/placement/topics.js'
import { createAdmission } from '../../actors/scheduling/admission.js'
import type { Address } from '../../src/domain/address.js'
import type { Occurrence } from '../../src/domain/commands/occurrences.js'
import type { ErrorCode } from '../../src/domain/errors.js'
import { createManualClock } from './manual-clock.js'
import { startRoot } from './root-actor.js'
import { createCountingIds } from './session-rig.js'
import { createSimulatedNetwork } from './simulated-network.js'

/** How an actor handles an ask: it replies, refuses, or never answers. */
type Answer = (envelope: AskEnvelope) => Promise<unknown>

interface Node {
  readonly membership: Membership
  readonly forwarding: Forwarding
  readonly admission: ReturnType<typeof createAdmission>
  readonly counted: Occurrence[]
  /** Asks that reached the actors of this node. */
  readonly asked: AskEnvelope[]
  /** Messages that this node has sent to others. */
  readonly forwarded: Forwarded[]
  answer: Answer
  /** Pauses the node: everything that arrives or is due waits. */
  stop(): void
  /** Continues with the asks that arrived meanwhile, and then with what is due. */
  resume(): void
}

export const done = (nodeId: string) => async () => ({ reply: nodeId })
export const refuse = (code: ErrorCode) => async () => ({ refusal: { code, message: code } })
export const never = () => new Promise<never>(() => undefined)

export async function openNodes(t: Test, nodeIds: readonly string[], { keepsLog = true } = {}) {
  const clock = createManualClock()
  const network = createSimulatedNetwork(clock)
  const ids = createCountingIds()
  const nodes = new Map<string, Node>()
  const started = nodeIds.map((nodeId) => {
    const bus = network.busOf(nodeId)
    const waiting = { isStopped: false, asks: [] as (() => void)[], due: [] as (() => void)[] }
    const later = (list: (() => void)[], run: () => void) => (waiting.isStopped ? void list.push(run) : run())
    const own = {
      ...clock,
      now: clock.now,
      monotonicMs: clock.monotonicMs,
      after: (delayMs: number, run: () => void) => clock.after(delayMs, () => later(waiting.due, run))
    }
    const heard = {
      ...bus,
      subscribe: (topic: string, run: (body: unknown, topic: string) => void) =>
        bus.subscribe(topic, (body, from) => later(waiting.due, () => run(body, from)))
    }
    const counted: Occurrence[] = []
    const counters = { count: (occurrence: Occurrence) => void counted.push(occurrence) }
    const membership = createMembership({
      ...{ nodeId, bus: heard, ids, clock: own, counters },
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      tracer: { isEnabled: false, emit() {} },
      checkStorage: async () => undefined,
      activeSessions: () => 0,
      renewed(self) {
        bus.serve(asksTopic(self), (body) => new Promise((resolve) => later(waiting.asks, () => resolve(node.forwarding.receive(body)))))
        bus.serve(questionsTopic(self), async () => null)
      },
      fence: () => undefined,
      superseded: () => undefined
    })
    const admission = createAdmission({ clock, inFlightMax: 10 })
    const local = {
      async request(_: string, body: unknown) {
        node.asked.push(body as AskEnvelope)
        return node.answer(body as AskEnvelope)
      }
    }
    const remote: typeof bus = {
      ...bus,
      request(topic, body, options) {
        node.forwarded.push(body as Forwarded)
        return bus.request(topic, body, options)
      }
    }
    const forwarding = createForwarding({ local, remote, membership, admission, clock: own, counters, keepsLog })
    const resume = () => {
      waiting.isStopped = false
      for (const run of [...waiting.asks.splice(0), ...waiting.due.splice(0)]) run()
    }
    const node: Node = {
      membership,
      forwarding,
      admission,
      counted,
      asked: [],
      forwarded: [],
      answer: done(nodeId),
      stop: () => void (waiting.isStopped = true),
      resume
    }
    nodes.set(nodeId, node)
    return membership.start(startRoot(own))
  })
  await clock.advance(1_000)
  await Promise.all(started)
  const of = (nodeId: string): Node => {
    const node = nodes.get(nodeId)
    if (node === undefined) throw new Error('no such node')
    return node
  }
  t.teardown(() => {
    for (const { membership } of nodes.values()) membership.leave()
  })

  /** Returns an address that the node owns, as all nodes see it. */
  function ownedBy(nodeId: string): Address {
    const address = addresses().find((one) => of(nodeId).membership.ownerOf(one)?.nodeId === nodeId)
    if (address === undefined) throw new Error('the node owns none of them')
    return address
  }
  const ask = (nodeId: string, address: Address, { deadlineMs = 10_000, type = 'session.run', isInner = false, requestId = 'r1' } = {}) =>
    of(nodeId).forwarding.request(
      'actors.session',
      { address, command: type === 'session.run' ? RUN : { type }, requestId, deadlineMs, isInner },
      { deadlineMs }
    )
  /** The message that would be sent to the node for such an ask now. */
  const sent = (nodeId: string, address: Address, deadlineMs = 1_000): Forwarded => {
    const { self, beatOf } = of(nodeId).membership
    const envelope: AskEnvelope = { address, command: RUN, requestId: 'r', deadlineMs, isInner: false }
    return { envelope, to: self.incarnation, beatMs: beatOf(self) ?? 0, hop: 1 }
  }
  const retries = (nodeId: string) => of(nodeId).counted.flatMap((one) => (one.name === 'retry' ? [one.reason] : []))
  return { clock, network, of, ownedBy, ask, sent, retries, addresses }
}

export const RUN = { type: 'session.run', message: 'The goats graze by the river', resetContext: false }

function addresses(): Address[] {
  return Array.from({ length: 1_000 }, (_, at) => ({ kind: 'session', subject: 'alice', id: `s${at}` }))
}
