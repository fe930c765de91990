import t from 'tap'
import { COMMANDS } from '../../../actors/cluster/commands.js'
import type { ClusterCommand } from '../../../src/domain/commands/cluster-commands.js'
import { totalOf, type Weight, WEIGHTLESS } from '../../../src/domain/fairness/weight.js'
import { createClusterRig } from '../../support/cluster-rig.js'

/** Bytes by which the expected growth of a command may exceed the actual one: outbox messages are assumed to be large. */
const SLACK_BYTES = 1_500

const SETS: readonly ClusterCommand[] = [
  { type: 'cluster.addMember', sessionId: 'session-1', weight: 1 },
  { type: 'cluster.joinRegion', regionId: 'region-1' },
  { type: 'cluster.noteDrift', eventId: 'event-1', driftScore: 0.5, driftPhase: 'drifted', timestamp: 0.5 }
]

async function grownBy(rig: Awaited<ReturnType<typeof createClusterRig>>, command: ClusterCommand) {
  const prepared = await rig.prepare(command)
  const { growth } = COMMANDS[command.type] as { growth?: (state: object, command: ClusterCommand, prepared: unknown) => Weight }
  const expected = totalOf(growth?.(rig.state, command, prepared) ?? WEIGHTLESS)
  const before = rig.rowBytes()
  await rig.step(command, prepared)
  return { expected, grown: rig.rowBytes() - before }
}

t.test('what a command is expected to add to its cluster is what it adds, and nothing when it is repeated', async (t) => {
  const rig = await createClusterRig()
  for (const command of SETS) {
    const { expected, grown } = await grownBy(rig, command)
    t.ok(grown > 0 && expected >= grown && expected < grown + SLACK_BYTES, `${command.type}: ${String(expected)} for ${String(grown)}`)
    t.strictSame(await grownBy(rig, command), { expected: 0, grown: 0 }, `${command.type} again`)
  }
})

t.test('a drift is expected to add a message to each region, and a feedback its vector, its receivers and those in it', async (t) => {
  const users = Array.from({ length: 200 }, (_, n) => `user-${String(n)}`)
  const rig = await createClusterRig({ stateOf: () => ({ vector: Float32Array.of(1, 0), users }) })
  for (let n = 0; n < 50; n++) await rig.ask({ type: 'cluster.joinRegion', regionId: `region-${String(n)}` })
  await rig.add(...Array.from({ length: 100 }, (_, n) => `session-${String(n)}`))
  const drift: ClusterCommand = { type: 'cluster.noteDrift', eventId: 'event-1', driftScore: 0.5, driftPhase: 'drifted', timestamp: 0.5 }
  for (const command of [drift, { type: 'cluster.feedback' } as const]) {
    const { expected, grown } = await grownBy(rig, command)
    t.ok(grown > 10_000 && expected >= grown && expected < 3 * grown, `${command.type}: ${String(expected)} for ${String(grown)}`)
  }
})
