import t from 'tap'
import { CLUSTER, createClusterRig } from '../../support/cluster-rig.js'
import { codeOf } from '../../support/runtime.js'

const drift = (eventId: string) => ({ type: 'cluster.noteDrift', eventId, driftScore: 0.7, driftPhase: 'drifted', timestamp: 12 }) as const

t.test('a drift: one vote for each region, told on once', async (t) => {
  const rig = await createClusterRig()
  for (const regionId of ['r', 's', 'r']) t.strictSame(await rig.ask({ type: 'cluster.joinRegion', regionId }), { joined: true })
  const check = (regionId: string) => ({ type: 'cluster.checkRegion', regionId }) as const
  t.strictSame(
    rig.messages.splice(0).map(({ to, command }) => [to, command]),
    ['r', 's'].map((id) => [CLUSTER, check(id)]),
    'it looks once whether each has attached it'
  )
  t.strictSame(await rig.ask(drift('e1')), { regions: 2 })
  const vote = { type: 'region.vote', eventId: 'e1', clusterId: 'c', driftScore: 0.7, driftPhase: 'drifted', timestamp: 12 } as const
  t.strictSame(
    rig.messages.splice(0),
    ['r', 's'].map((id) => ({ id: `e1:${id}`, to: { kind: 'region', subject: 'tester', id }, command: vote, isAwaited: true }))
  )
  t.strictSame(await rig.ask(drift('e1')), { regions: 0 })
  await rig.restart()
  t.strictSame(await rig.ask(drift('e1')), { regions: 0 })
  t.strictSame(rig.messages, [])
  t.strictSame(rig.counted, [{ name: 'drift_event' }])
  for (const type of ['cluster.leaveRegion', 'cluster.leaveRegion'] as const) await rig.ask({ type, regionId: 'r' })
  await rig.restart()
  t.strictSame(await rig.ask(drift('e2')), { regions: 1 })
})

t.test('drifts: a bounded number is remembered, the latest ones, also over a restart', async (t) => {
  const rig = await createClusterRig()
  await rig.ask({ type: 'cluster.joinRegion', regionId: 'r' })
  for (let n = 0; n < 100; n++) await rig.ask(drift(`e${String(n)}`))
  await rig.restart()
  t.equal(rig.state.drifts.size, 64)
  t.strictSame(await rig.ask(drift('e36')), { regions: 0 })
  t.strictSame(await rig.ask(drift('e35')), { regions: 1 })
  t.strictSame(await rig.ask(drift('e37')), { regions: 0 })
  t.strictSame(await rig.ask(drift('e99')), { regions: 0 }, 'the oldest one made room')
  t.strictSame(await rig.ask(drift('e36')), { regions: 1 })
})

t.test('a drift, and the outbox full: refused, and not remembered', async (t) => {
  const rig = await createClusterRig()
  const prepared = await rig.prepare(drift('e1'))
  await t.rejects(rig.step(drift('e1'), prepared, 1000), { code: 'busy' })
  t.equal(rig.state.drifts.size, 0)
})

t.test('regions of a cluster: a hundred and no more', async (t) => {
  const rig = await createClusterRig()
  for (let n = 0; n < 100; n++) await rig.ask({ type: 'cluster.joinRegion', regionId: `r${String(n)}` })
  t.equal(await codeOf(rig.ask({ type: 'cluster.joinRegion', regionId: 'one-more' })), 'limit_reached')
  t.strictSame(await rig.ask({ type: 'cluster.joinRegion', regionId: 'r7' }), { joined: true })
})
