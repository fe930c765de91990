import t from 'tap'
import { createClusterRig } from '../../support/cluster-rig.js'
import { createRegionRig } from '../../support/region-rig.js'
import { codeOf } from '../../support/runtime.js'

const ADD = { type: 'cluster.addMember', sessionId: 'a', weight: 1 } as const
const ATTACH = { type: 'region.attach', clusterId: 'a' } as const

t.test('a session that joins while its cluster begins to be deleted is told to leave', async (t) => {
  const rig = await createClusterRig()
  const prepared = await rig.prepare(ADD)
  await rig.ask({ type: 'cluster.delete' })
  t.equal(await codeOf(rig.step(ADD, prepared)), 'cluster_missing')
  await rig.ask({ type: 'cluster.delete', isBegun: true })
  t.strictSame(rig.askedOf('membership.remove'), ['a'])
})

t.test('a deletion waits for those that are still asked to join', async (t) => {
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const rig = await createClusterRig({ intercept: (_, { type }) => (type === 'membership.add' ? answered : undefined) })
  const preparing = rig.prepare(ADD)
  await rig.ask({ type: 'cluster.delete' })
  const ends = rig.ask({ type: 'cluster.delete', isBegun: true })
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(rig.askedOf('session.delete'), [], 'the session behind it is still there')
  answer()
  await preparing
  await ends
  t.strictSame([rig.askedOf('membership.remove'), rig.askedOf('session.delete')], [['a'], ['c']])
})

t.test('a session that was deleted while it was being added is no member', async (t) => {
  const rig = await createClusterRig()
  const prepared = await rig.prepare(ADD)
  await rig.ask({ type: 'cluster.dropMember', sessionId: 'a' })
  t.equal(await codeOf(rig.step(ADD, prepared)), 'busy')
  t.equal(rig.state.members.size, 0)
  await rig.add('a')
  t.equal(rig.state.members.size, 1, 'a session of this id that is made later can join')
})

t.test('who refuses to join is not told to leave, and a member that is added again still is one', async (t) => {
  const rig = await createClusterRig({ stateOf: (id) => (id === 'gone' ? null : { vector: Float32Array.of(1, 0), users: [] }) })
  t.equal(await codeOf(rig.ask({ ...ADD, sessionId: 'gone' })), 'session_missing')
  await rig.add('a')
  const again = [await rig.prepare({ ...ADD, weight: 2 }), await rig.prepare({ ...ADD, weight: 3 })] as const
  await rig.step({ ...ADD, weight: 2 }, again[0])
  t.strictSame(await rig.step({ ...ADD, weight: 3 }, again[1]), { memberCount: 1 })
  t.equal(rig.state.joins.size, 0)
  await rig.ask({ type: 'cluster.delete' })
  await rig.ask({ type: 'cluster.delete', isBegun: true })
  t.strictSame(rig.askedOf('membership.remove'), ['a'])
})

t.test('a cluster that joins while its region is deleted is told to leave, and one that is deleted is not attached', async (t) => {
  const rig = await createRegionRig()
  const dropped = await rig.prepare(ATTACH)
  await rig.ask({ type: 'region.dropCluster', clusterId: 'a' })
  t.equal(await codeOf(rig.step(ATTACH, dropped)), 'busy')
  t.equal(rig.state.clusters.size, 0)
  const prepared = await rig.prepare(ATTACH)
  await rig.ask({ type: 'region.delete' })
  t.equal(await codeOf(rig.step(ATTACH, prepared)), 'region_missing')
  rig.asked.length = 0
  await rig.deliverAll()
  t.ok(rig.asked.some(({ id, command }) => id === 'a' && command.type === 'cluster.leaveRegion'))
})
