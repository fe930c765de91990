/** Nodes that join, leave, are cut off or paused, on one clock. */
import type { Test } from 'tap'
import { createMembership, type Membership } from '../../actors/placement/membership.js'
import { questionsTopic } from '../../actors/placement/topics.js'
import type { Address } from '../../src/domain/address.js'
import type { Occurrence } from '../../src/domain/commands/occurrences.js'
import type { DebugEvent } from '../../src/ports.js'
import { createManualClock } from './manual-clock.js'
import { startRoot } from './root-actor.js'
import { createCountingIds } from './session-rig.js'
import { createSimulatedNetwork } from './simulated-network.js'

const ADDRESSES = Array.from({ length: 60 }, (_, at): Address => ({ kind: 'session', subject: 'alice', id: `s${at}` }))

export function world(t: Test) {
  const clock = createManualClock()
  const network = createSimulatedNetwork(clock)
  const ids = createCountingIds()
  const nodes: Membership[] = []

  /** The node's own clock stands still while the node is stopped, and fires everything that is due when it continues. */
  function join(nodeId: string) {
    const counted: Occurrence[] = []
    const events: DebugEvent[] = []
    const lines: { readonly level: 'warn' | 'error'; readonly fields: object }[] = []
    const heard = { fences: 0, superseded: 0, incarnations: [] as string[] }
    const storage = { answers: true }
    const stopped: (() => void)[] = []
    let isStopped = false
    const bus = network.busOf(nodeId)
    const own = {
      ...clock,
      now: clock.now,
      monotonicMs: clock.monotonicMs,
      after: (delayMs: number, listener: () => void) => clock.after(delayMs, () => (isStopped ? void stopped.push(listener) : listener()))
    }
    const membership = createMembership({
      nodeId,
      bus: {
        ...bus,
        // Messages that arrive meanwhile wait in the socket.
        subscribe: (topic, listener) =>
          bus.subscribe(topic, (body, name) => (isStopped ? void stopped.push(() => listener(body, name)) : listener(body, name)))
      },
      ids,
      clock: own,
      logger: {
        debug() {},
        info() {},
        warn: (fields) => void lines.push({ level: 'warn', fields }),
        error: (fields) => void lines.push({ level: 'error', fields })
      },
      tracer: { isEnabled: true, emit: (event) => void events.push(event) },
      counters: { count: (occurrence) => void counted.push(occurrence) },
      checkStorage: () => (storage.answers ? Promise.resolve() : Promise.reject(new Error('gone'))),
      activeSessions: () => 1,
      renewed(self) {
        heard.incarnations.push(self.incarnation)
        bus.serve(questionsTopic(self), async () => null)
      },
      fence: () => void (heard.fences += 1),
      superseded: () => void (heard.superseded += 1)
    })
    nodes.push(membership)
    const up = membership.start(startRoot(own))
    return {
      membership,
      up,
      counted,
      events,
      lines,
      heard,
      storage,
      stop: () => void (isStopped = true),
      resume() {
        isStopped = false
        for (const run of stopped.splice(0)) run()
      }
    }
  }
  t.teardown(() => {
    for (const membership of nodes) membership.leave()
  })
  return { clock, network, join }
}

/** Owner of each address, as all nodes see it; the test fails when they differ. */
export function ownersBy(t: Test, memberships: readonly Membership[]): string[] {
  const [first = [], ...others] = memberships.map((membership) =>
    ADDRESSES.map((address) => membership.ownerOf(address)?.nodeId ?? 'nobody')
  )
  for (const other of others) t.strictSame(other, first, 'all agree')
  return first
}

/** Returns three nodes that know each other. */
export async function three(t: Test) {
  const rig = world(t)
  const [a, b, c] = [rig.join('a'), rig.join('b'), rig.join('c')]
  await rig.clock.advance(1_000)
  await Promise.all([a.up, b.up, c.up])
  return { ...rig, a, b, c, all: [a.membership, b.membership, c.membership] }
}
