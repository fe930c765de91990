/** A verification copies its session only if there is memory for it. */
import t from 'tap'
import { verification } from '../../../actors/session/verification.js'
import type { Room } from '../../../actors/weight/room.js'
import { DomainError } from '../../../src/domain/errors.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { totalOf, type Weight } from '../../../src/domain/fairness/weight.js'
import { createSessionRig, RIG_DIMENSION } from '../../support/session-rig.js'

const REPLACED: Weight = { heap: 50_000, buffers: 20_000 }

t.test('a session that is verified against its own export or a given one holds what the copies take, or is refused', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  for (const text of ['prune the roses in March', 'the train to Lisbon leaves at nine']) await session.run(text)
  const command = {
    type: 'session.verify',
    testEmbeddings: [Array.from({ length: RIG_DIMENSION }, (_, at) => at + 1)],
    tolerance: 0.1
  } as const
  const { services } = session.work()
  for (const stateDict of [undefined, JSON.parse(session.exported()) as unknown]) {
    const held: Weight[] = []
    const room = { hold: (weight: Weight) => void held.push(weight), replaced: REPLACED } as object as Room
    const given = stateDict === undefined ? command : { ...command, stateDict }
    t.match(inOneGo(verification({ state: session.state, now: rig.now, services, room }, given, null)), { consistent: true })
    t.equal(held.length, 1)
    if (stateDict === undefined) t.ok(totalOf(held[0] ?? REPLACED) > 1.5 * totalOf(REPLACED), 'more than the session once')
    const full = {
      hold() {
        throw new DomainError('memory_exhausted', 'full')
      },
      replaced: REPLACED
    } as object as Room
    t.throws(() => inOneGo(verification({ state: session.state, now: rig.now, services, room: full }, given, null)), {
      code: 'memory_exhausted'
    })
  }
})
