import t from 'tap'
import { createNodes, type Nodes } from '../../../actors/placement/nodes.js'
import { questionsTopic } from '../../../actors/placement/topics.js'
import { createAdmission } from '../../../actors/scheduling/admission.js'
import type { Address } from '../../../src/domain/address.js'
import { createManualClock } from '../../support/manual-clock.js'
import { startRoot } from '../../support/root-actor.js'
import { codeOf } from '../../support/runtime.js'
import { createCountingIds } from '../../support/session-rig.js'
import { createSimulatedNetwork } from '../../support/simulated-network.js'

const ADDRESSES = Array.from({ length: 32 }, (_, at): Address => ({ kind: 'session', subject: 'tester', id: `s${String(at)}` }))
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

t.test('what a node gives away for good goes to the present owner alone, and is shown to any other node', async (t) => {
  const clock = createManualClock()
  const network = createSimulatedNetwork(clock)
  const ids = createCountingIds()
  const asked: string[] = []
  const open = (nodeId: string): Nodes =>
    createNodes({
      ...{ nodeId, ids, clock, bus: network.busOf(nodeId), logger: SILENT, keepsLog: true },
      counters: { count: () => undefined },
      tracer: { isEnabled: false, emit: () => undefined },
      checkStorage: async () => undefined,
      activeSessions: () => 0,
      fence: () => undefined,
      superseded: () => undefined,
      local: { request: async () => null },
      admission: createAdmission({ clock, inFlightMax: 10 }),
      answerPeers: async ({ type }) => {
        asked.push(type)
        return null as never
      }
    })
  const [a, b] = [open('a'), open('b')]
  const started = [a, b].map(async ({ membership }) => membership?.start(startRoot(clock)))
  await clock.advance(1_000)
  await Promise.all(started)
  t.teardown(() => {
    for (const { membership } of [a, b]) membership?.leave()
  })
  const ask = async (type: 'record.take' | 'record.peek', address: Address | undefined) =>
    codeOf(network.busOf('a').request(questionsTopic(b.membership!.self), { type, address }, { deadlineMs: 1_000 }))
  const [own, others] = [true, false].map((isOwn) => ADDRESSES.find((address) => a.owns(address) === isOwn))
  t.equal(await ask('record.take', others), 'not_owner')
  t.same(asked, [])
  await ask('record.peek', others)
  await ask('record.take', own)
  t.same(asked, ['record.peek', 'record.take'])
})
