/** Nodes that count requests together, on one clock, with lines that can be cut. */
import t from 'tap'
import { createSharedCounts } from '../../../actors/placement/shared-counts.js'
import { countsTopic } from '../../../actors/placement/topics.js'
import type { Member } from '../../../src/domain/nodes/membership.js'
import { WINDOW_MS } from '../../../src/domain/fairness/request-counts.js'
import { createManualClock } from '../../support/manual-clock.js'
import { createSimulatedNetwork } from '../../support/simulated-network.js'

const A = '192.0.2.1'

function world() {
  const clock = createManualClock()
  const network = createSimulatedNetwork(clock)
  const members = new Map<string, Member>()
  const listeners = new Set<() => void>()
  const changed = () => listeners.forEach((listener) => listener())
  let starts = 0
  let sent = 0

  /** Starts a node, of which all others hear at once. */
  function start(nodeId: string) {
    network.heal(nodeId)
    const self = { nodeId, incarnation: `i${++starts}` }
    const bus = network.busOf(nodeId)
    const counts = createSharedCounts({
      bus: { request: (...asked) => ((sent += 1), bus.request(...asked)) },
      membership: {
        self,
        get state() {
          return members.get(nodeId)?.incarnation === self.incarnation ? 'up' : 'left'
        },
        members: () => [...members.values()],
        onChange(listener) {
          listeners.add(listener)
          return () => listeners.delete(listener)
        }
      },
      clock
    })
    bus.serve(countsTopic(self), async (body, from) => counts.receive(body, from))
    members.set(nodeId, { ...self, state: 'up', activeSessions: 0, view: '', heardAtMs: 0, beatMs: 0, isGone: false })
    changed()
    return {
      counts,
      count(times: number) {
        let last = 0
        for (let at = 0; at < times; at++) last = counts.count(A)
        return last
      },
      leave() {
        network.kill(nodeId)
        members.delete(nodeId)
        changed()
      }
    }
  }
  return { clock, network, start, sent: () => sent }
}

t.test('a quarter of a second later, each node counts for all, and has sent each other one message', async (t) => {
  const { clock, start, sent } = world()
  const nodes = ['n1', 'n2', 'n3'].map(start)
  await clock.advance(250)
  for (const node of nodes) node.count(10)
  t.equal(sent(), 0)
  await clock.advance(250)
  t.equal(sent(), 6)
  for (const node of nodes) t.equal(node.count(1), 31)
  await clock.advance(250)
  t.equal(sent(), 12)
})

t.test('while nobody asks for anything, nothing is sent and no timer waits', async (t) => {
  const { clock, start, sent } = world()
  const [n1] = ['n1', 'n2'].map(start)
  n1?.count(1)
  await clock.advance(250)
  t.equal(clock.pending, 0, 'who was told everything is not looked at again')
  await clock.advance(1_000)
  t.equal(sent(), 1)
})

t.test('a node that joins learns of the others without a further request', async (t) => {
  const { clock, start } = world()
  const n1 = start('n1')
  n1.count(20)
  await clock.advance(10_000)
  const n2 = start('n2')
  await clock.advance(250)
  t.equal(n2.count(1), 21)
  await clock.advance(250)
  t.equal(n1.count(1), 22)
})

t.test('a node that is cut off counts what it sees, without waiting, and everything once it is heard again', async (t) => {
  const { clock, network, start } = world()
  const [n1, n2] = [start('n1'), start('n2')]
  for (const direction of ['to', 'from'] as const) {
    const before = n1.count(1) - 1
    await clock.advance(2_500)
    network.cut('n1', { direction })
    n1.count(4)
    n2.count(5)
    await clock.advance(2_500)
    network.heal('n1')
    await clock.advance(2_500)
    t.equal(n1.count(1), before + 11)
    await clock.advance(250)
    t.equal(n2.count(1), before + 12)
    await clock.advance(250)
  }
})

t.test('a node that starts again is told all, and nothing of it counts twice', async (t) => {
  const { clock, start } = world()
  const [n1, n2] = [start('n1'), start('n2')]
  n1.count(10)
  n2.count(20)
  await clock.advance(250)
  n2.leave()
  const again = start('n2')
  await clock.advance(250)
  t.equal(again.count(1), 11)
  await clock.advance(250)
  t.equal(n1.count(1), 32)
})

t.test('more addresses than one message holds follow at once', async (t) => {
  const { clock, start, sent } = world()
  const [n1, n2] = [start('n1'), start('n2')]
  await clock.advance(250)
  for (let at = 0; at < 1_200; at++) n1.counts.count(`10.0.0.${at}`)
  await clock.advance(250)
  t.equal(sent(), 3)
  t.equal(n2.counts.count('10.0.0.1199'), 2)
})

t.test('a node that left tells nobody any more', async (t) => {
  const { clock, start, sent } = world()
  const [n1, n2] = [start('n1'), start('n2')]
  n1.count(1)
  n1.leave()
  n2.leave()
  await clock.advance(5_000)
  t.equal(sent(), 0)
  t.equal(clock.pending, 0)
})

t.test('what strangers tell, or no node ever tells, is refused', async (t) => {
  const { clock, start } = world()
  const [n1] = [start('n1'), start('n2')]
  const told = { run: 'r', counts: [[A, 0, 100]] }
  const refused = { code: 'malformed_payload' }
  t.throws(() => n1.counts.receive(told, 'n9'), refused)
  t.throws(() => n1.counts.receive(told, 'n1'), refused)
  t.throws(() => n1.counts.receive({ run: 'r' }, 'n2'), refused)
  t.equal(n1.counts.count(A), 1)
  n1.counts.receive(told, 'n2')
  t.equal(n1.counts.count(A), 102)
  await clock.advance(WINDOW_MS)
  t.equal(n1.counts.count(A), 1)
})
