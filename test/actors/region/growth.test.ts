import t from 'tap'
import { COMMANDS } from '../../../actors/region/commands.js'
import type { RegionCommand, Vote } from '../../../src/domain/commands/region-commands.js'
import { LOG_ENTRIES_MAX } from '../../../src/domain/limits.js'
import { totalOf, type Weight, WEIGHTLESS } from '../../../src/domain/fairness/weight.js'
import { createRegionRig, type RegionRig, sample } from '../../support/region-rig.js'

/** Bytes by which the expected growth of a command may exceed the actual one. */
const SLACK_BYTES = 200

const attach = (clusterId: string): RegionCommand => ({ type: 'region.attach', clusterId })

/** Bytes that a command is expected to add, and that it does add, to the rows and in outbox messages. */
async function grownBy(rig: RegionRig, command: RegionCommand) {
  const prepared = await rig.prepare(command)
  const { growth } = COMMANDS[command.type] as { growth?: (state: object, command: RegionCommand, prepared: unknown) => Weight }
  const expected = totalOf(growth?.(rig.state, command, prepared) ?? WEIGHTLESS)
  const before = rig.rowBytes()
  await rig.step(command, prepared)
  return { expected, grown: rig.rowBytes() - before }
}

t.test('what a command is expected to add to its region is what it adds, and nothing when it is repeated', async (t) => {
  const rig = await createRegionRig()
  const vote: Vote = {
    type: 'region.vote',
    eventId: 'event-1',
    clusterId: 'cluster-1',
    driftScore: 0.5,
    driftPhase: 'drifted',
    timestamp: rig.clock.now() + 1
  }
  await rig.ask(attach('cluster-2'))
  await rig.ask(attach('cluster-3'))
  await rig.clock.advance(5_000)
  for (const command of [attach('cluster-1'), vote]) {
    const { expected, grown } = await grownBy(rig, command)
    t.ok(expected >= grown && expected < grown + SLACK_BYTES, `${command.type}: ${String(expected)} for ${String(grown)}`)
    t.strictSame(await grownBy(rig, command), { expected: 0, grown: 0 }, `${command.type} again`)
  }
})

t.test('a realignment is expected to add the consensus that it found, and nothing where it found none', async (t) => {
  for (const aggregate of [sample().aggregate, null]) {
    const rig = await createRegionRig({ consensusThreshold: 0.1, sampleOf: () => sample({ aggregate }) })
    await rig.ask(attach('cluster-1'))
    await rig.clock.advance(1_000)
    const timestamp = rig.clock.now()
    await rig.ask({ type: 'region.vote', eventId: 'e', clusterId: 'cluster-1', driftScore: 0.5, driftPhase: 'drifted', timestamp })
    const [begun] = rig.messages
    const { expected, grown } = await grownBy(rig, begun?.command as RegionCommand)
    t.equal(rig.state.consensus === null, aggregate === null)
    if (aggregate === null) t.strictSame([expected, grown], [0, 0])
    else t.ok(expected > 0 && grown >= expected, `${String(expected)} for ${String(grown)} with its message`)
  }
})

t.test(
  'a region whose log of drift events is full grows no more: the oldest leaves its record, or the one that came is not written',
  async (t) => {
    const rig = await createRegionRig({ consensusThreshold: 1, voteWindowS: 3_600 })
    await rig.ask(attach('cluster-1'))
    await rig.clock.advance(3_600_000)
    const first = rig.clock.now()
    const vote = { type: 'region.vote', clusterId: 'cluster-1', driftScore: 0.5, driftPhase: 'drifted' } as const
    const tell = (n: number, timestamp = first) => rig.ask({ ...vote, eventId: `event-${String(10_000 + n)}`, timestamp })
    for (let n = 0; n < LOG_ENTRIES_MAX; n++) await tell(n)
    const full = rig.rowBytes()
    for (let n = 0; n < 3; n++) await tell(LOG_ENTRIES_MAX + n)
    await tell(LOG_ENTRIES_MAX + 3, first - 10)
    t.equal(rig.rowBytes(), full)
    await rig.restart()
    const { events } = await rig.ask({ type: 'region.events', limit: LOG_ENTRIES_MAX })
    t.strictSame(
      [events.length, events[0]?.eventId, events.at(-1)?.eventId],
      [LOG_ENTRIES_MAX, `event-${String(10_002 + LOG_ENTRIES_MAX)}`, 'event-10003']
    )
  }
)
