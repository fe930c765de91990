/** The chart of a region is kept with its record. */
import t from 'tap'
import type { FormerProgress } from '../../../actors/region/chart.js'
import { restoreState } from '../../../actors/region/state.js'
import type { RegionCommand } from '../../../src/domain/commands/region-commands.js'
import { createRegionRig, REGION, type RegionRig } from '../../support/region-rig.js'

async function rigOf(...clusterIds: string[]) {
  const rig = await createRegionRig()
  for (const clusterId of clusterIds) await rig.ask({ type: 'region.attach', clusterId })
  return rig
}

const vote = (rig: RegionRig, clusterId: string) =>
  rig.ask({
    type: 'region.vote',
    eventId: `drift-${clusterId}`,
    clusterId,
    driftScore: 0.7,
    driftPhase: 'drifted',
    timestamp: rig.clock.now()
  })

t.test('a region that comes back is where it was: through the votes, the realignment, and what follows', async (t) => {
  const rig = await rigOf('a', 'b')
  async function expect(value: object): Promise<void> {
    t.same(rig.state.chart.value(), value)
    await rig.restart()
    t.same(rig.state.chart.value(), value)
  }
  await expect({ votes: 'quiet', work: 'idle' })
  await vote(rig, 'a')
  await expect({ votes: 'gathering', work: 'idle' })
  await vote(rig, 'b')
  await expect({ votes: 'realigning', work: 'asking' })
  await rig.ask(rig.messages.shift()?.command as RegionCommand)
  await expect({ votes: 'realigning', work: 'pulling' })
  await rig.deliverAll()
  await expect({ votes: 'coolingDown', work: 'idle' })
  await rig.clock.advance(61_000)
  await rig.ask({ type: 'region.attach', clusterId: 'c' })
  await expect({ votes: 'quiet', work: 'idle' })
  t.equal(rig.state.head.realignmentCount, 1)
})

t.test('a record from when votes were divided or agreed is taken for what that means now', async (t) => {
  const rig = await rigOf('a')
  const restored = (progress: FormerProgress, votedAt: number | null) => {
    const cluster = { clusterId: 'a', seq: 1, attachedAt: 0, votedAt }
    const record = {
      token: { epoch: 1, version: 1 },
      head: { ...rig.state.head, progress },
      rows: [{ collection: 'cluster', id: 'a', body: cluster }]
    }
    const { chart, head } = restoreState(REGION, record)
    t.same(chart.value(), head.progress)
    return head.progress
  }
  t.same(restored({ votes: 'divided', work: 'idle' }, null), { votes: 'quiet', work: 'idle' })
  t.same(restored({ votes: 'divided', work: 'pulling' }, 5), { votes: 'gathering', work: 'pulling' })
  t.same(restored({ votes: 'agreed', work: 'gathering' }, 5), { votes: 'realigning', work: 'asking' })
  t.same(restored({ votes: 'agreed', work: 'idle' }, 5), { votes: 'coolingDown', work: 'idle' })
})
