import t from 'tap'
import { createSessionRig, embeddingOf } from '../../../support/session-rig.js'

t.test('an anchor of another width is refused by the field that it came in', async (t) => {
  const session = await createSessionRig().create()
  await t.rejects(session.ask({ type: 'anchor.set', embedding: [1, 0] }), { code: 'invalid_input', loc: ['embedding'] })
  t.same(await session.ask({ type: 'anchor.set', embedding: embeddingOf('roses') }), { anchorCount: 1 })
})
