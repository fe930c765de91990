/** The template and policy vectors that a session is created with are written once, beside its head, whatever is done to it later. */
import t, { type Test } from 'tap'
import { documentJson, documentOf } from '../../../actors/session/record/document.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { totalOf, weightOf } from '../../../src/domain/fairness/weight.js'
import { createSessionRig, RIG_DIMENSION, type RigSession } from '../../support/session-rig.js'
import { UNBOUNDED, unbounded } from '../../support/unbounded.js'

const vector = (at: number): number[] => Array.from({ length: RIG_DIMENSION }, (_, place) => (place === at ? 1 : 0))
const GIVEN = {
  templateEmbedding: vector(0),
  policyVectors: [1, 2, 3].map((at) => ({ embedding: vector(at), weight: 1, promote: at > 1 }))
}

const VECTORS_BYTES = 4 * RIG_DIMENSION * 4

async function holds(t: Test, session: RigSession, what: string): Promise<void> {
  const { head, rows } = await session.record()
  t.ok(totalOf(weightOf(head)) < VECTORS_BYTES, `${what}: the head is small`)
  t.equal(rows.filter(({ collection }) => collection === 'given').length, 1)
  const { settings } = (await session.restored()).head
  t.equal(settings.policyVectors.length, 3)
  t.equal(settings.templateEmbedding?.[0], 1)
  t.equal([...documentJson(documentOf(await session.restored()))].join(''), session.exported())
}

t.test('vectors that a session is made with are in a row that stands over turns, a reset and an import', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create('s', GIVEN)
  await holds(t, session, 'new')
  await session.run('prune the roses in March')
  await holds(t, session, 'after a turn')
  await session.run('something else', { resetContext: true })
  await holds(t, session, 'after a reset')
  await session.ask({ type: 'session.import', stateDict: JSON.parse(session.exported()) as unknown })
  await holds(t, session, 'after an import')
  const turn = await session.changes({ type: 'session.run', message: 'and the apple trees?', resetContext: false })
  t.notOk(
    turn?.put.some(({ collection }) => collection === 'given'),
    'a turn does not write it again'
  )
})

t.test(
  'a record of an earlier version, whose head has the vectors, keeps them there, and gets the row when all of it is written',
  async (t) => {
    const rig = createSessionRig()
    const session = await rig.create('s', GIVEN)
    await session.run('prune the roses in March')
    const record = await session.record()
    const { session: head } = record.head as { readonly session: { readonly settings: object } }
    const former = { ...(record.head as object), session: { ...head, settings: { ...head.settings, ...session.state.head.settings } } }
    const restored = inOneGo(
      rig.behaviour.restore(session.address, {
        ...record,
        head: former,
        rows: record.rows.filter(({ collection }) => collection !== 'given')
      })
    )
    t.equal(restored.head.settings.policyVectors.length, 3)
    const step = async (resetContext: boolean) => {
      const command = { type: 'session.run', message: `and the apple trees? ${String(resetContext)}`, resetContext } as const
      const prepared = await rig.behaviour.prepare(restored, command, unbounded({ requestId: 'r', now: rig.now }))
      const meta = { address: session.address, now: rig.now, requestId: 'r', isFresh: false, room: UNBOUNDED }
      return inOneGo(rig.behaviour.step(restored, command, prepared, meta)).changes
    }
    const kept = await step(false)
    t.ok(totalOf(weightOf(kept?.head)) > VECTORS_BYTES, 'they are nowhere else')
    const wiped = await step(true)
    t.ok(totalOf(weightOf(wiped?.head)) < VECTORS_BYTES)
    t.ok(wiped?.put.some(({ collection }) => collection === 'given'))
  }
)
