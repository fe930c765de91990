/** The chart of a cluster is kept with its record. */
import t from 'tap'
import { restoreState } from '../../../actors/cluster/state.js'
import type { ClusterCommand } from '../../../src/domain/commands/cluster-commands.js'
import { CLUSTER, createClusterRig } from '../../support/cluster-rig.js'

t.test('a cluster that comes back is where it was: with members and without, with a feedback on its way', async (t) => {
  const rig = await createClusterRig()
  async function expect(value: object): Promise<void> {
    t.same(rig.state.chart.value(), value)
    await rig.restart()
    t.same(rig.state.chart.value(), value)
  }
  await expect({ coupling: 'alone', feedback: 'resting' })
  await rig.add('a')
  await expect({ coupling: 'coupled', feedback: 'resting' })
  await rig.ask({ type: 'cluster.feedback' })
  await expect({ coupling: 'coupled', feedback: 'spreading' })
  await rig.ask(rig.messages.shift()?.command as ClusterCommand)
  await expect({ coupling: 'coupled', feedback: 'resting' })
  await rig.ask({ type: 'cluster.feedback' })
  await rig.ask({ type: 'user.erase', userId: 'nobody' })
  await expect({ coupling: 'coupled', feedback: 'spreading' })
  await rig.ask({ type: 'cluster.removeMember', sessionId: 'a' })
  await expect({ coupling: 'alone', feedback: 'spreading' })
})

t.test('a feedback that an erasure withdraws is not on its way any more', async (t) => {
  const rig = await createClusterRig({ stateOf: () => ({ vector: Float32Array.of(1, 0), users: ['ann'] }) })
  await rig.add('a')
  await rig.ask({ type: 'cluster.feedback' })
  t.match(await rig.ask({ type: 'user.erase', userId: 'ann' }), { isAffected: true })
  t.same(rig.state.chart.value().feedback, 'resting')
})

t.test('a cluster without coupling is loose, no matter which session joins it', async (t) => {
  const rig = await createClusterRig({ couplingFactor: 0 })
  t.same(rig.state.chart.value(), { coupling: 'alone', feedback: 'resting' })
  await rig.add('a')
  t.same(rig.state.chart.value(), { coupling: 'loose', feedback: 'resting' })
})

t.test('a record from before clusters had a chart is taken for what it says', async (t) => {
  const rig = await createClusterRig()
  await rig.add('a')
  const { sharing: _, ...head } = rig.state.head
  const restored = (fields: object, feedbacks: number) => {
    const rows = Array.from({ length: feedbacks }, (_, at) => ({
      collection: 'feedback',
      id: String(at),
      body: { id: String(at), sessionIds: ['a'] }
    }))
    const record = { token: { epoch: 1, version: 1 }, head: { ...head, ...fields }, rows }
    const state = restoreState(CLUSTER, record, () => Promise.reject(new Error('nobody looks')))
    t.same(state.chart.value(), state.head.sharing)
    return state.head.sharing
  }
  t.same(restored({}, 1), { coupling: 'coupled', feedback: 'spreading' })
  t.same(restored({ memberCount: 0 }, 0), { coupling: 'alone', feedback: 'resting' })
  t.same(restored({ couplingFactor: 0 }, 0), { coupling: 'loose', feedback: 'resting' })
})
