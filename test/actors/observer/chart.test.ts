/** The chart of an observer, kept with its record: whether it observes, and which regions. */
import t from 'tap'
import { restoreState } from '../../../actors/observer/state.js'
import { ONLY_ONE } from '../../../src/domain/address.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { settled } from '../../support/manual-clock.js'
import { createWorld, startObserverRig } from '../../support/observer-rig.js'

const OBSERVER = { kind: 'observer', subject: 'tester', id: ONLY_ONE } as const
const NOTHING = { convergence: 'absent', systemicDrift: 'absent', divergence: 'absent' }

function driftingWorld() {
  const world = createWorld()
  world.regions.set('r', ['c'])
  world.clusters.set('c', { phase: 'initialization', driftPhase: 'drifted', interactionCount: 1 })
  return world
}

t.test('an observer looks while its regions are asked, and then has in view what there is', async (t) => {
  const rig = await startObserverRig({ world: driftingWorld() })
  const chart = () => rig.catalogOf('observer').describe('tester', ONLY_ONE)?.machines['watching']
  await rig.ask({ type: 'observer.create', sampleIntervalS: 30, regionIds: ['r'] })
  t.same(chart(), { ...NOTHING, sampling: 'resting' })
  let answer = (): void => undefined
  rig.world.held.set('r', new Promise((resolve) => (answer = resolve)))
  const sampled = rig.ask({ type: 'observer.sample' })
  await settled()
  t.same(chart(), { ...NOTHING, sampling: 'looking' })
  answer()
  t.match(await sampled, { newAnomalies: 1 })
  t.same(chart(), { ...NOTHING, systemicDrift: 'present', sampling: 'resting' })
  t.match((await rig.storage.peek(OBSERVER))?.head, { present: { ...NOTHING, systemicDrift: 'present' } })
  rig.world.clusters.clear()
  await rig.ask({ type: 'observer.sample' })
  t.same(chart(), { ...NOTHING, sampling: 'resting' })
})

t.test('an observer whose regions cannot be asked looks no longer', async (t) => {
  const rig = await startObserverRig({ world: driftingWorld() })
  await rig.ask({ type: 'observer.create', sampleIntervalS: 3_600, regionIds: ['r'] })
  rig.world.held.set('r', new Promise(() => undefined))
  const refused = rig.ask({ type: 'observer.sample' }).catch(() => 'refused')
  await rig.clock.advance(30_000)
  t.equal(await refused, 'refused')
  t.match(rig.catalogOf('observer').describe('tester', ONLY_ONE)?.machines['watching'], { sampling: 'resting' })
})

t.test('an observer that comes back to look is seen to look', async (t) => {
  const storage = createMemoryStorage({ retains: true })
  const first = await startObserverRig({ storage, world: driftingWorld() })
  await first.ask({ type: 'observer.create', sampleIntervalS: 30, regionIds: ['r'] })
  const drained = first.node.drain()
  await first.clock.advance(1_000)
  await drained
  const told: string[] = []
  const { ask } = await startObserverRig({
    storage,
    world: driftingWorld(),
    inspect: (event) => event.type === '@xstate.event' && told.push(event.event.type)
  })
  await ask({ type: 'observer.sample' })
  t.same(
    told.filter((type) => /^(look|sample)\./.test(type)),
    ['look.began', 'look.ended', 'sample.taken']
  )
})

t.test('a record tells what was in view, also one from before observers had a chart', async (t) => {
  const head = { format: 1, observerId: 'o', sampleIntervalS: 30, createdAt: 0, lastSampleAt: 1, nextSeq: 1 }
  const rows = ['cross_cluster_convergence:stability', 'cluster_divergence:r:c'].map((id) => ({ collection: 'condition', id, body: true }))
  const restored = (stored: object) =>
    restoreState(OBSERVER, { token: { epoch: 1, version: 1 }, head: stored, rows }, () => Promise.reject(new Error('not asked')))
  t.same(restored(head).chart.value(), { convergence: 'present', systemicDrift: 'absent', divergence: 'present', sampling: 'resting' })
  const present = { ...NOTHING, systemicDrift: 'present' }
  t.same(restored({ ...head, present }).chart.value(), { ...present, sampling: 'resting' })
})
