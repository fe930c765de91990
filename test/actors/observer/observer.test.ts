import t from 'tap'
import { ONLY_ONE } from '../../../src/domain/address.js'
import type { UnderstandingPhase } from '../../../src/domain/session.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { settled } from '../../support/manual-clock.js'
import { createWorld, startObserverRig, type World } from '../../support/observer-rig.js'
import { codeOf } from '../../support/runtime.js'

const CREATE = { type: 'observer.create', sampleIntervalS: 30, regionIds: ['r'] } as const
const SAMPLE = { type: 'observer.sample' } as const
const SUMMARY = { type: 'observer.summary' } as const

function worldOf(clusters: number, drifting = 0): World {
  const world = createWorld()
  const ids = Array.from({ length: clusters }, (_, at) => `c${at}`)
  world.regions.set('r', ids)
  for (const [at, id] of ids.entries()) drift(world, id, at < drifting)
  return world
}

function drift(world: World, id: string, isDrifting = true): void {
  world.clusters.set(id, { phase: 'initialization', driftPhase: isDrifting ? 'drifted' : 'stable', interactionCount: 1 })
}

/** Regions with one cluster each that diverges from the others. */
function divergentWorld(regions: number, phase: UnderstandingPhase = 'initialization'): World {
  const world = createWorld()
  for (let at = 0; at < regions; at++) {
    const ids = ['a', 'b', 'c', 'd'].map((id) => `${at}${id}`)
    world.regions.set(`r${at}`, ids)
    for (const id of ids) world.clusters.set(id, { phase, driftPhase: 'stable', interactionCount: id.endsWith('a') ? 100 : 0 })
  }
  return world
}

t.test('an observer that is made again comes back as it is', async (t) => {
  const { ask } = await startObserverRig({ world: worldOf(1) })
  t.equal(await codeOf(ask(SUMMARY)), 'observer_missing')
  const made = await ask(CREATE)
  t.match(made, { registeredRegions: ['r'], sampleIntervalS: 30, metaSessionId: `meta-${made.observerId}` })
  t.strictSame(await ask({ ...CREATE, sampleIntervalS: 5, regionIds: [] }), made)
})

t.test('an observer that is deleted samples no more, and the next one begins anew', async (t) => {
  const { ask, world, clock, storage } = await startObserverRig({ world: worldOf(4, 3) })
  const { observerId } = await ask(CREATE)
  t.match(await ask(SAMPLE), { newAnomalies: 1 })
  t.strictSame(await ask({ type: 'observer.delete' }), { observerId, deleted: true })
  t.equal(await storage.peek({ kind: 'observer', subject: 'tester', id: ONLY_ONE }), null)
  for (const command of [SUMMARY, { type: 'observer.delete' }] as const) t.equal(await codeOf(ask(command)), 'observer_missing')
  world.asked.length = 0
  await clock.advance(60_000)
  t.strictSame(world.asked, [])
  const next = await ask(CREATE)
  t.not(next.observerId, observerId)
  t.match(await ask(SUMMARY), { lastSampleAt: null, anomalyCount: 0 })
  t.match(await ask(SAMPLE), { newAnomalies: 1 }, 'what was known to hold is forgotten')
})

t.test('an observer of a region that is missing is not made', async (t) => {
  const { ask } = await startObserverRig({ world: worldOf(1) })
  t.equal(await codeOf(ask({ ...CREATE, regionIds: ['r', 'nowhere'] })), 'region_missing')
  t.equal(await codeOf(ask(SUMMARY)), 'observer_missing')
})

t.test('a condition that persists is recorded once, and again only after it cleared', async (t) => {
  const { ask, world, counted } = await startObserverRig({ world: worldOf(4, 3) })
  await ask(CREATE)
  t.match(await ask(SAMPLE), { clustersSampled: 4, regionsSampled: 1, newAnomalies: 1 })
  drift(world, 'c0', false)
  drift(world, 'c3')
  t.match(await ask(SAMPLE), { newAnomalies: 0 }, 'other clusters, the same condition')
  drift(world, 'c1', false)
  t.match(await ask(SAMPLE), { newAnomalies: 0 }, 'exactly one half: it has cleared')
  drift(world, 'c1')
  t.match(await ask(SAMPLE), { newAnomalies: 1 })
  t.strictSame(counted, [
    { name: 'anomaly', type: 'systemic_drift' },
    { name: 'anomaly', type: 'systemic_drift' }
  ])
  const { anomalies } = await ask({ type: 'observer.anomalies', limit: 20 })
  t.match(anomalies, [{ affectedClusterIds: ['c1', 'c2', 'c3'] }, { affectedClusterIds: ['c0', 'c1', 'c2'] }], 'newest first')
  t.strictSame(await ask({ type: 'observer.clear' }), { cleared: 2 })
  t.match(await ask(SAMPLE), { newAnomalies: 0 }, 'an empty log forgets no condition')
  t.match(await ask(SUMMARY), { anomalyCount: 0, recentAnomalies: [] })
})

t.test('samples are taken at their interval by the clock', async (t) => {
  const { ask, clock, world } = await startObserverRig({ world: worldOf(4, 3) })
  await ask(CREATE)
  world.asked.length = 0
  await clock.advance(29_000)
  t.strictSame(world.asked, [])
  await clock.advance(2_000)
  t.strictSame(world.asked, ['r'])
  t.match(await ask(SUMMARY), { anomalyCount: 1, lastSampleAt: Number })
  world.asked.length = 0
  await clock.advance(300_000)
  t.equal(world.asked.length, 10)
})

t.test('an observer goes on after a restart without any request, and knows what it recorded', async (t) => {
  const storage = createMemoryStorage({ retains: true })
  const first = await startObserverRig({ storage, world: worldOf(4, 3) })
  const made = await first.ask(CREATE)
  await first.ask(SAMPLE)
  await first.node.drain()

  const { ask, clock, world } = await startObserverRig({ storage, world: worldOf(4, 3), now: first.clock.now() + 10 })
  await clock.advance(5_000)
  t.strictSame(world.asked, [], 'not yet')
  await clock.advance(20_000)
  t.strictSame(world.asked, ['r'])
  const { anomalies } = await ask({ type: 'observer.anomalies', limit: 20 })
  t.equal(anomalies.length, 1, 'the condition went on over the restart')
  t.strictSame(await ask(CREATE), made)
})

t.test('an observer that is put away between two samples is sampled all the same', async (t) => {
  const { ask, clock, world, catalogOf } = await startObserverRig({ world: worldOf(1), idleTtlMs: 60_000 })
  await ask({ ...CREATE, sampleIntervalS: 600 })
  await clock.advance(300_000)
  t.equal(catalogOf('observer').activeCount, 0)
  world.asked.length = 0
  await clock.advance(301_000)
  t.strictSame(world.asked, ['r'])
})

t.test('an observer of storage that retains nothing is never put away', async (t) => {
  const { ask, clock, catalogOf } = await startObserverRig({
    storage: createMemoryStorage({ retains: false }),
    world: worldOf(1),
    idleTtlMs: 60_000
  })
  await ask({ ...CREATE, sampleIntervalS: 600 })
  await clock.advance(300_000)
  t.equal(catalogOf('observer').activeCount, 1)
})

t.test('a sample that fails is tried again at the next interval and not before', async (t) => {
  const { ask, clock, world } = await startObserverRig({ world: worldOf(1) })
  await ask(CREATE)
  world.held.set('r', new Promise(() => undefined))
  await clock.advance(31_000)
  world.held.clear()
  await clock.advance(8_000)
  t.match(await ask(SUMMARY), { lastSampleAt: null })
  world.asked.length = 0
  await clock.advance(23_000)
  t.strictSame(world.asked, ['r'])
})

t.test('an observer that waits for an answer does not keep others from their samples', async (t) => {
  const { ask, clock, world } = await startObserverRig({ world: worldOf(1) })
  world.regions.set('s', [])
  await ask(CREATE)
  await ask({ ...CREATE, regionIds: ['s'] }, 'mallory')
  world.held.set('r', new Promise(() => undefined))
  await clock.advance(32_000)
  t.match(await ask(SUMMARY, 'mallory'), { lastSampleAt: Number })
})

t.test('samples never overlap, and one that is asked for is no older than its request', async (t) => {
  const { ask, world, clock } = await startObserverRig({ world: worldOf(1) })
  await ask(CREATE)
  let open: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  world.held.set('r', gate)
  world.asked.length = 0
  const first = ask(SAMPLE)
  await settled()
  const others = [ask(SAMPLE), ask(SAMPLE)]
  await settled()
  world.clusters.set('c1', { phase: 'initialization', driftPhase: 'drifted', interactionCount: 1 })
  world.regions.get('r')?.push('c1')
  open()
  t.match(await first, { clustersSampled: 2 })
  await clock.advance(10)
  const [second, third] = await Promise.all(others)
  t.strictSame(second, third, 'both have the one sample after it')
  t.strictSame(world.asked, ['r', 'r'])
})

t.test('a region that was deleted is named no more, and leaves at the next sample; what fails by itself is left out', async (t) => {
  const { ask, world } = await startObserverRig({ world: worldOf(3) })
  world.regions.set('s', ['c0', 'elsewhere'])
  await ask(CREATE)
  t.strictSame((await ask({ type: 'observer.register', regionId: 's' })).registeredRegions, ['r', 's'])
  t.match(await ask(SUMMARY), { totalClustersObserved: 4 })
  world.broken.add('c1')
  t.match(await ask(SAMPLE), { regionsSampled: 2, clustersSampled: 2 }, 'one cluster is gone, one is broken')
  world.regions.delete('r')
  t.match(await ask(SUMMARY), { registeredRegions: ['s'], totalClustersObserved: 2 })
  t.strictSame((await ask(CREATE)).registeredRegions, ['r', 's'], 'still on the list')
  t.match(await ask(SAMPLE), { regionsSampled: 1, clustersSampled: 1 })
  t.match(await ask(SUMMARY), { registeredRegions: ['s'] })
  world.broken.add('s')
  t.match(await ask(SAMPLE), { regionsSampled: 0, clustersSampled: 0 })
  t.match(await ask(SUMMARY), { registeredRegions: ['s'] }, 'a region that is broken stays')
})

t.test('registration: of a missing region refused, twice the same as once, ended once', async (t) => {
  const { ask } = await startObserverRig({ world: worldOf(1) })
  await ask({ ...CREATE, regionIds: [] })
  t.equal(await codeOf(ask({ type: 'observer.register', regionId: 'nowhere' })), 'region_missing')
  await ask({ type: 'observer.register', regionId: 'r' })
  t.strictSame((await ask({ type: 'observer.register', regionId: 'r' })).registeredRegions, ['r'])
  await ask({ type: 'observer.unregister', regionId: 'r' })
  t.equal(await codeOf(ask({ type: 'observer.unregister', regionId: 'r' })), 'region_missing')
})

t.test('observers of two subjects know nothing of each other', async (t) => {
  const { ask } = await startObserverRig({ world: worldOf(2, 2) })
  await ask(CREATE)
  await ask(SAMPLE)
  t.equal(await codeOf(ask(SUMMARY, 'mallory')), 'observer_missing')
  await ask({ ...CREATE, regionIds: [] }, 'mallory')
  t.match(await ask(SUMMARY, 'mallory'), { registeredRegions: [], anomalyCount: 0 })
})

t.test('the log is bounded, newest first, and the same after a restart', async (t) => {
  const storage = createMemoryStorage({ retains: true })
  const first = await startObserverRig({ storage, world: divergentWorld(300) })
  const { world } = first
  await first.ask({ ...CREATE, regionIds: [...world.regions.keys()] })
  for (let round = 0; round < 4; round++) {
    await first.ask(SAMPLE)
    await first.clock.advance(1_000)
    const clusters = new Map(world.clusters)
    world.clusters.clear()
    await first.ask(SAMPLE)
    for (const [id, cluster] of clusters) world.clusters.set(id, cluster)
  }
  const { anomalies } = await first.ask({ type: 'observer.anomalies', limit: 1_000 })
  t.equal(anomalies.length, 1_000)
  t.equal((await first.ask(SUMMARY)).anomalyCount, 1_000)
  const times = anomalies.map(({ timestamp }) => timestamp)
  t.strictSame(
    times,
    [...times].sort((one, other) => other - one)
  )
  t.equal(first.counted.length, 1_200)
  const drained = first.node.drain()
  await first.clock.advance(1_000)
  await drained
  const { ask } = await startObserverRig({ storage, world })
  t.strictSame((await ask({ type: 'observer.anomalies', limit: 1_000 })).anomalies, anomalies)
})

t.test('more conditions at once than the log holds keep those that concern most clusters', async (t) => {
  const world = divergentWorld(1_010, 'resonance')
  const { ask } = await startObserverRig({ world })
  await ask({ ...CREATE, regionIds: [...world.regions.keys()].slice(0, 1_000) })
  const sample = await ask(SAMPLE)
  t.equal(sample.newAnomalies, 1_001)
  const { anomalies } = await ask({ type: 'observer.anomalies', limit: 1_000 })
  t.equal(anomalies.length, 1_000)
  t.equal(anomalies[0]?.anomalyType, 'cross_cluster_convergence')
  t.equal(await codeOf(ask({ type: 'observer.register', regionId: 'r1005' })), 'limit_reached')
})
