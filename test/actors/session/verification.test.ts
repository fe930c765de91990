/** How far the answers of a session differ from those of its reference. */
import t from 'tap'
import { probes, verification } from '../../../actors/session/verification.js'
import type { Probe } from '../../../src/domain/commands/control-commands.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { createSessionRig, RIG_DIMENSION } from '../../support/session-rig.js'
import { UNBOUNDED } from '../../support/unbounded.js'

t.test('a session is as far from its reference as the answer that differs most, whichever of the two has it', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  for (const text of ['prune the roses in March', 'the train to Lisbon leaves at nine']) await session.run(text)
  const testEmbeddings = [Array.from({ length: RIG_DIMENSION }, (_, at) => at + 1)]
  const asked = { state: session.state, now: rig.now, services: session.work().services, room: UNBOUNDED }
  const [own] = inOneGo(probes(asked, testEmbeddings))
  if (own === undefined) throw new Error('A session answers each test embedding')
  const [first] = own.hits
  if (first === undefined) throw new Error('A session with memories has hits')
  const scores = own.hits.map(({ score }) => score)
  const deviationFrom = (reference: Probe): number =>
    inOneGo(verification(asked, { type: 'session.verify', testEmbeddings, tolerance: 0 }, [reference])).maxDeviation

  t.equal(deviationFrom(own), 0)
  t.equal(deviationFrom({ ...own, hits: [] }), Math.max(...scores), 'hits that the reference has not')
  t.equal(deviationFrom({ ...own, hits: [...own.hits, { memoryHash: 'another', score: 0.9 }] }), 0.9, 'a hit that it alone has')
  t.equal(deviationFrom({ ...own, hits: [...own.hits, { memoryHash: first.memoryHash, score: 0.8 }] }), 0.8, 'one text more often')
  t.ok(Math.abs(deviationFrom({ ...own, stateSimilarity: own.stateSimilarity - 0.5 }) - 0.5) < 1e-9)
})
