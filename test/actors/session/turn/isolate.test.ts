/** Isolation of texts that are stored rather than asked, and what is reported when the list of held inputs is full. */
import t from 'tap'
import { isolate, isolatedShareOf } from '../../../../actors/session/turn/isolate.js'
import { HELD_INPUTS_MAX } from '../../../../src/domain/limits.js'
import type { IsolationLevel } from '../../../../src/domain/session.js'
import { createSessionRig, RIG_DIMENSION } from '../../../support/session-rig.js'

const along = (axis: number): number[] => Array.from({ length: RIG_DIMENSION }, (_, at) => (at === axis ? 1 : 0))
const textAlong = (axis: number) => ({ text: 'x', partEnds: [1], vectors: Float32Array.from(along(axis)) })

/** Creates a session whose domain is one axis. */
async function keptTo(axis: number, level: IsolationLevel) {
  const rig = createSessionRig({ isTraced: true })
  const session = await rig.create()
  const keeping = { exclusionEmbeddings: [], allowlistEmbeddings: [along(axis)], similarityThreshold: 0.7 }
  await session.ask({ type: 'isolation.set', level, ...keeping })
  return { rig, session }
}

t.test('what is stored is weighed down by FILTER alone: no level holds it back', async (t) => {
  for (const level of ['OPEN', 'QUARANTINE', 'LOCKDOWN'] as const) {
    const { session } = await keptTo(0, level)
    t.equal(isolatedShareOf(session.state, textAlong(1)), 1, level)
  }
  const { session } = await keptTo(0, 'FILTER')
  t.ok(isolatedShareOf(session.state, textAlong(1)) < 1)
  t.equal(isolatedShareOf(session.state, textAlong(0)), 1)
})

t.test('the debugger is told of an input that would be held and finds no room, and of no other one', async (t) => {
  const told = async (level: IsolationLevel, held: number): Promise<number> => {
    const { rig, session } = await keptTo(0, level)
    for (let seq = 1; seq <= held; seq++)
      session.state.held.set(`h${String(seq)}`, { id: `h${String(seq)}`, seq, userId: null, timestamp: 0, ...textAlong(1) })
    isolate(session.work(), textAlong(1))
    return rig.events.filter(({ kind }) => kind === 'isolation.hold_full').length
  }
  t.equal(await told('QUARANTINE', HELD_INPUTS_MAX), 1)
  t.equal(await told('QUARANTINE', HELD_INPUTS_MAX - 1), 0)
  t.equal(await told('LOCKDOWN', 0), 0)
})
