import t from 'tap'
import { createSessionRig } from '../../../support/session-rig.js'

t.test('what is no export of a session is refused as such, and one of a later version by its version', async (t) => {
  const session = await createSessionRig().create()
  const own = JSON.parse(session.exported()) as Record<string, unknown>
  for (const stateDict of [{}, { ...own, format: 'other', version: 99 }])
    await t.rejects(session.ask({ type: 'session.import', stateDict }), { message: /state_dict is not an export of a session/ })
  await t.rejects(session.ask({ type: 'session.import', stateDict: { ...own, version: 99 } }), { message: /state_dict is of version 99/ })
})
