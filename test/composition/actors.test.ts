/** Composition of a node's actors: who may clear its caches, and who is told of a failure. */
import t from 'tap'
import { createActors } from '../../src/composition/actors.js'
import { readConfig } from '../../src/config.js'
import { createLexicalEmbedder } from '../../src/embedders/lexical.js'
import { createMemoryStorage } from '../../src/storage/memory.js'
import { createManualClock } from '../support/manual-clock.js'
import { createCountingIds } from '../support/session-rig.js'
import { createSimulatedNetwork } from '../support/simulated-network.js'

const CONFIG = readConfig({ SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical' })
const AMPLE = { heap: 512 * 1024 * 1024, total: 1024 * 1024 * 1024 }

/** Creates nodes on one network that share a storage. */
function startTeam() {
  const clock = createManualClock()
  const network = createSimulatedNetwork(clock)
  const storage = createMemoryStorage({ retains: true })
  const ids = createCountingIds()
  const lexical = createLexicalEmbedder()
  const silent = () => undefined

  async function join(nodeId: string) {
    const heard = { forgotten: [] as string[], failures: 0 }
    const actors = createActors(
      CONFIG,
      {
        ...{ clock, storage, ids, nodeId },
        nodeBus: network.busOf(nodeId),
        logger: { debug: silent, info: silent, warn: silent, error: silent },
        tracer: { isEnabled: false, emit: silent },
        allowances: { actors: AMPLE, work: AMPLE },
        metrics: { count: silent, showPending: silent },
        recorder: { forget: () => void heard.forgotten.push('traces') },
        tickets: { redeemHash: () => null },
        telemetry: {},
        watch: { during: (_command, _input, work) => work() },
        embedders: {
          defaultModelName: lexical.modelName,
          resolve: async () => lexical.modelName,
          get: async () => lexical,
          check: async () => undefined,
          forget: () => void heard.forgotten.push('vectors'),
          close: async () => undefined
        }
      },
      { failed: () => void (heard.failures += 1) }
    )
    const started = actors.node.start()
    await clock.advance(2_000)
    await started
    return { ...actors, heard }
  }
  return { clock, network, join }
}

t.test('a node that was cut off forgets texts and their vectors, for it may not have heard of an erasure', async (t) => {
  const { clock, network, join } = startTeam()
  const { heard } = await join('a')
  t.same(heard.forgotten, [])
  network.cut('a')
  await clock.advance(4_000)
  t.same(heard.forgotten.sort(), ['traces', 'vectors'])
  t.equal(heard.failures, 0)
})

t.test('a node forgets texts and their vectors when another one says so', async (t) => {
  const { join } = startTeam()
  const [a, b] = [await join('a'), await join('b')]
  t.same(await a.nodes.peers.askAll({ type: 'texts.forget' }), { answers: [null], missing: 0 })
  t.same(b.heard.forgotten.sort(), ['traces', 'vectors'])
  t.same(a.heard.forgotten, [])
})

t.test('a node whose name another process takes is told that it has to end', async (t) => {
  const { join } = startTeam()
  const first = await join('a')
  const second = await join('a')
  t.same([first.heard.failures, second.heard.failures], [1, 0])
})
