/** Sagas that are done again: what they change elsewhere is asked anew, as an answer of before may be outdated or no longer known. */
import t from 'tap'
import type { Ask } from '../../../actors/asking/ask.js'
import { createClusterBehaviour } from '../../../actors/cluster/behaviour.js'
import { createRegionBehaviour } from '../../../actors/region/behaviour.js'
import type { ClusterCommand } from '../../../src/domain/commands/cluster-commands.js'
import { isRead } from '../../../src/domain/commands/commands.js'
import type { RegionCommand } from '../../../src/domain/commands/region-commands.js'
import { createClusterRig } from '../../support/cluster-rig.js'
import { createManualClock } from '../../support/manual-clock.js'
import { createRegionRig } from '../../support/region-rig.js'
import { createCountingIds } from '../../support/session-rig.js'
import { unbounded } from '../../support/unbounded.js'

const AGAIN = { requestId: 'first', now: 0, triedMs: 1_000, isRepeated: true, trace: 'span' }
const TARGET = { vector: Float32Array.of(0, 1), users: [] }

/** Services that note every change that is asked for: its type, and whether it is asked anew. */
function noting() {
  const asked: [type: string, isAnew: boolean][] = []
  const ask = (async (_, command, { requestId, triedMs, isRepeated, trace }) => {
    t.equal(trace, 'span')
    t.equal(requestId === undefined, triedMs === undefined && isRepeated === undefined)
    if (!isRead(command)) asked.push([command.type, requestId === undefined])
    return { modelName: 'model-1', isAttached: false, isApplied: true } as never
  }) as Ask
  const services = {
    ...{ ask, clock: createManualClock(), ids: createCountingIds(), storage: { list: async () => [] } },
    ...{ tracer: { isEnabled: false, emit: () => undefined }, counters: { count: () => undefined } }
  }
  return { asked, services }
}

t.test(
  'cluster: members, regions and sessions are asked anew, but for the deletion of the session, whose id may be in use again',
  async (t) => {
    const rig = await createClusterRig()
    await rig.add('a')
    await rig.ask({ type: 'cluster.joinRegion', regionId: 'r' })
    await rig.ask({ type: 'cluster.feedback' })
    const spread = rig.messages.find(({ command }) => command.type === 'cluster.spread')?.command as ClusterCommand
    const pull = { type: 'cluster.pull', deliveryId: 'd', target: TARGET, modelName: 'model-1' } as const
    const { asked, services } = noting()
    const behaviour = createClusterBehaviour(services)
    const again = async (command: ClusterCommand) => {
      await behaviour.prepare(rig.state, command, unbounded(AGAIN))
      return asked.splice(0)
    }
    t.strictSame(await again({ type: 'cluster.addMember', sessionId: 'b', weight: 1 }), [['membership.add', true]])
    t.strictSame(await again(spread), [['state.blend', true]])
    t.strictSame(await again(pull), [['state.blend', true]])
    await rig.ask({ type: 'cluster.delete' })
    t.strictSame(await again({ type: 'cluster.delete', isBegun: true }), [
      ['membership.remove', true],
      ['membership.remove', true],
      ['region.dropCluster', true],
      ['session.delete', false]
    ])
  }
)

t.test('region: clusters are asked anew, and so is the meta-session for its state', async (t) => {
  const rig = await createRegionRig({ consensusThreshold: 0.4 })
  await rig.ask({ type: 'region.attach', clusterId: 'a' })
  const { asked, services } = noting()
  const behaviour = createRegionBehaviour(services)
  const again = async (command: RegionCommand) => {
    await behaviour.prepare(rig.state, command, unbounded(AGAIN))
    return asked.splice(0)
  }
  t.strictSame(await again({ type: 'region.attach', clusterId: 'b' }), [['cluster.joinRegion', true]])
  await rig.ask({ type: 'region.vote', eventId: 'e', clusterId: 'a', driftScore: 0.6, driftPhase: 'drifted', timestamp: rig.clock.now() })
  const realign = rig.messages.find(({ command }) => command.type === 'region.realign')?.command as RegionCommand
  await rig.ask(realign)
  t.strictSame(await again(realign), [
    ['state.blend', true],
    ['cluster.pull', true]
  ])
  await rig.ask({ type: 'region.delete' })
  t.strictSame(await again({ type: 'region.delete', isBegun: true }), [
    ['cluster.leaveRegion', true],
    ['cluster.leaveRegion', true],
    ['session.delete', false]
  ])
})
