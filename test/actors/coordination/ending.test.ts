import t from 'tap'
import { isEnding } from '../../../actors/coordination/ending.js'
import { createClusterRig } from '../../support/cluster-rig.js'
import { createRegionRig, REGION } from '../../support/region-rig.js'
import { codeOf } from '../../support/runtime.js'

const DELETE = { type: 'cluster.delete' } as const
const ADD = { type: 'cluster.addMember', sessionId: 'a', weight: 1 } as const
const CREATE = {
  type: 'cluster.create',
  aggregationMode: 'attention',
  couplingFactor: 0,
  settings: { dimension: 2, useCortex: false, enableTopicSwitch: true, policyVectors: [] }
} as const

t.test('a cluster that was deleted is gone for everybody, also after a fault, before anything of it has gone', async (t) => {
  const rig = await createClusterRig()
  await rig.add('a')
  const early = await rig.prepare({ ...ADD, weight: 2 })
  const second = await rig.prepare(DELETE)
  t.strictSame(await rig.ask(DELETE), { deleted: true })
  t.strictSame(rig.askedOf('session.delete'), [])
  await t.rejects(rig.step({ ...ADD, weight: 2 }, early), { code: 'cluster_missing' }, 'also for what was prepared before')
  t.strictSame(await rig.step(DELETE, second), { deleted: false }, 'one deletion of several at once deletes it')
  for (const restarted of [false, true]) {
    if (restarted) await rig.restart()
    t.ok(isEnding(rig.state.head))
    rig.asked.length = 0
    for (const command of [{ type: 'cluster.read' }, ADD, { type: 'cluster.checkMember', sessionId: 'a' }] as const)
      t.equal(await codeOf(rig.ask(command)), 'cluster_missing', command.type)
    t.equal(await codeOf(rig.ask(CREATE)), 'busy', 'its id is free in a moment')
    t.strictSame(rig.asked, [])
  }
})

t.test('an actor that was deleted goes on by itself, and what comes late deletes nothing that has its id', async (t) => {
  const rig = await createClusterRig()
  await rig.add('a')
  await rig.ask(DELETE)
  const [message] = rig.messages
  t.match(message, { to: { kind: 'cluster', id: 'c' }, command: { ...DELETE, isBegun: true }, isAwaited: true })
  await rig.ask({ ...DELETE, isBegun: true })
  t.strictSame([rig.askedOf('membership.remove'), rig.askedOf('session.delete')], [['a'], ['c']])
  const anew = await createClusterRig()
  t.equal(await codeOf(anew.ask({ ...DELETE, isBegun: true })), 'cluster_missing')
  t.notOk(isEnding(anew.state.head))
})

t.test('a region that was deleted takes no vote, and its clusters are told by the message that it posted', async (t) => {
  const rig = await createRegionRig()
  await rig.ask({ type: 'region.attach', clusterId: 'a' })
  t.strictSame(await rig.ask({ type: 'region.delete' }), { deleted: true })
  t.strictSame(await rig.ask({ type: 'region.delete' }), { deleted: false }, 'it goes on with the first one')
  t.equal(await codeOf(rig.ask({ type: 'region.events', limit: 1 })), 'region_missing')
  t.equal(rig.messages.length, 1)
  await rig.deliverAll()
  t.ok(rig.asked.some(({ id, command }) => id === 'a' && command.type === 'cluster.leaveRegion'))
  t.notOk(rig.hasMeta, REGION.id)
})

t.test('a second deletion changes nothing elsewhere: the commit of the first may still fail', async (t) => {
  const [cluster, region] = [await createClusterRig(), await createRegionRig()]
  await cluster.add('a')
  await cluster.ask(DELETE)
  await region.ask({ type: 'region.attach', clusterId: 'a' })
  await region.ask({ type: 'region.delete' })
  for (const rig of [cluster, region]) rig.asked.length = 0
  t.strictSame(await cluster.ask(DELETE), { deleted: false })
  t.strictSame(await region.ask({ type: 'region.delete' }), { deleted: false })
  t.strictSame([cluster.asked, region.asked], [[], []])
  const begun = { ...DELETE, isBegun: true } as const
  const prepared = await cluster.prepare(begun)
  t.strictSame(await cluster.ask(DELETE), { deleted: false }, 'nor does it remove what the first one has prepared to remove')
  t.ok(isEnding(cluster.state.head))
  await cluster.step(begun, prepared)
})
