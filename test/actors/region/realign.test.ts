import t from 'tap'
import type { ClusterSample } from '../../../src/domain/commands/cluster-commands.js'
import type { RegionCommand, Vote } from '../../../src/domain/commands/region-commands.js'
import { DomainError } from '../../../src/domain/errors.js'
import { createRegionRig, type RegionRig, sample } from '../../support/region-rig.js'
import { codeOf } from '../../support/runtime.js'

const vote = (rig: RegionRig, clusterId: string, eventId = `drift-${clusterId}`): Vote => ({
  type: 'region.vote',
  eventId,
  clusterId,
  driftScore: 0.7,
  driftPhase: 'drifted',
  timestamp: rig.clock.now()
})

async function rigOf(samples: Record<string, ClusterSample | DomainError | null>) {
  const rig = await createRegionRig({ sampleOf: (id) => samples[id] ?? null })
  for (const clusterId of Object.keys(samples)) await rig.ask({ type: 'region.attach', clusterId })
  rig.asked.length = 0
  return rig
}

const askedFor = (rig: RegionRig, type: string) => rig.asked.filter(({ command }) => command.type === type)
const shared = (values: readonly number[], users: readonly string[] | null = []) => ({ vector: Float32Array.from(values), users })

/** Targets to which clusters were pulled, by id. */
function targetsOf(rig: RegionRig): Record<string, unknown> {
  const pulls = rig.asked.flatMap(({ id, command }) =>
    command.type === 'cluster.pull' || command.type === 'state.blend' ? [{ id, command }] : []
  )
  return Object.fromEntries(
    pulls.map(({ id, command }) => [id, [...command.target.vector].map((value) => Math.round(value * 1000) / 1000)])
  )
}

t.test('a crossing pulls the meta-session and every cluster to the mean direction of the aggregates', async (t) => {
  const rig = await rigOf({ a: sample({ aggregate: shared([1, 0], ['u1']) }), b: sample({ aggregate: shared([0, 1], ['u2']) }) })
  await rig.ask(vote(rig, 'a'))
  t.equal(rig.messages.length, 0, 'half of them is not enough')
  await rig.ask(vote(rig, 'b'))
  t.equal(rig.messages.length, 1)
  t.ok(rig.messages[0]?.isAwaited)
  await rig.deliverAll()
  t.same(targetsOf(rig), { 'meta-r': [0.707, 0.707], a: [0.707, 0.707], b: [0.707, 0.707] })
  const [{ command } = { command: null }] = askedFor(rig, 'state.blend')
  t.match(command, { coupling: 1, modelName: 'model-1', target: { users: ['u1', 'u2'] } })
  const ids = new Set(rig.asked.flatMap(({ command: one }) => ('deliveryId' in one ? [one.deliveryId] : [])))
  t.equal(ids.size, 1, 'one delivery each, so that a second try changes nothing')
  t.match(await rig.ask({ type: 'region.read' }), { realignmentCount: 1, lastRealignment: rig.clock.now() })
  t.same(rig.counted, [{ name: 'realignment' }])
  t.same(
    rig.events.map(({ kind }) => kind).filter((kind) => kind !== 'region.voted'),
    ['region.realigned', 'fold.cluster_to_region', 'fold.region_to_cluster']
  )
})

t.test('clusters of another dimension or model, and those without a direction, do not take part in the consensus', async (t) => {
  const rig = await rigOf({
    a: sample(),
    b: sample({ aggregate: shared([0, 1, 0]), dimension: 3 }),
    c: sample({ aggregate: shared([0, 1]), modelName: 'model-2' }),
    d: sample({ aggregate: null })
  })
  for (const id of ['a', 'b', 'c']) await rig.ask(vote(rig, id))
  await rig.deliverAll()
  t.same(targetsOf(rig)['a'], [1, 0])
})

t.test('a consensus that cancels out pulls nobody, and counts', async (t) => {
  const rig = await rigOf({ a: sample(), b: sample({ aggregate: shared([-1, 0]) }) })
  for (const id of ['a', 'b']) await rig.ask(vote(rig, id))
  await rig.deliverAll()
  t.same(targetsOf(rig), {})
  t.match(rig.state.head, { realignmentCount: 1, realignmentId: null, progress: { work: 'idle' } })
})

t.test('a cluster that is gone leaves the region at the next realignment; one that fails by itself is left out', async (t) => {
  const samples: Record<string, ClusterSample | DomainError | null> = { a: sample(), b: sample(), c: sample({ aggregate: shared([0, 1]) }) }
  const rig = await rigOf(samples)
  samples['b'] = null
  samples['c'] = new DomainError('internal', 'Internal error')
  for (const id of ['a', 'c']) await rig.ask(vote(rig, id))
  await rig.deliverAll()
  t.same((await rig.ask({ type: 'region.read' })).clusters, ['a', 'c'])
  t.same(targetsOf(rig)['meta-r'], [1, 0])
})

t.test('a cluster that cannot answer now holds the realignment up until it can', async (t) => {
  const samples: Record<string, ClusterSample | DomainError | null> = { a: sample(), b: sample() }
  const rig = await rigOf(samples)
  for (const id of ['a', 'b']) await rig.ask(vote(rig, id))
  const [message] = rig.messages
  samples['b'] = new DomainError('busy', 'Too many requests')
  t.equal(await codeOf(rig.ask(message?.command as RegionCommand)), 'busy')
  t.equal(rig.state.head.progress.work, 'asking')
  samples['b'] = sample({ aggregate: shared([0, 1]) })
  await rig.deliverAll()
  t.same(targetsOf(rig)['meta-r'], [0.707, 0.707])
})

t.test('a realignment cut off at any outbox message is finished from storage, with the same target for all', async (t) => {
  const samples = { a: sample(), b: sample({ aggregate: shared([0, 1]) }) }
  const rig = await rigOf(samples)
  for (const id of ['a', 'b']) await rig.ask(vote(rig, id))
  await rig.restart()
  const gather = rig.messages.shift()?.command as RegionCommand
  await rig.ask(gather)
  await rig.restart()
  t.same(rig.state.consensus?.target.users, [])
  const pull = rig.messages.shift()?.command as RegionCommand
  await rig.prepare(pull)
  const first = targetsOf(rig)
  // The process ends here, and the clusters move on.
  await rig.restart()
  samples.a = sample({ aggregate: shared([0, -1]) })
  await rig.ask(pull)
  t.same(targetsOf(rig), first)
  t.same(await rig.ask(pull), { isApplied: false }, 'told again, it is over')
  t.same(await rig.ask(gather), { isApplied: false })
  t.equal(rig.state.consensus, null)
})

t.test('an answer that comes after a later half began is not kept', async (t) => {
  const rig = await rigOf({ a: sample() })
  await rig.ask(vote(rig, 'a'))
  const gather = rig.messages.shift()?.command as RegionCommand
  const late = await rig.prepare(gather)
  await rig.ask(gather)
  t.same(await rig.step(gather, late), { isApplied: false })
  t.equal(rig.state.head.progress.work, 'pulling')
})

t.test('an erasure of a subject whose memories may be in the consensus has it looked for again', async (t) => {
  const erase = { type: 'user.erase', userId: 'u1' } as const
  const rig = await rigOf({ a: sample({ aggregate: shared([1, 0], ['u1']) }) })
  t.same(await rig.ask(erase), { erasedMemories: 0, isAffected: false })
  await rig.ask(vote(rig, 'a'))
  const gather = rig.messages.shift()?.command as RegionCommand
  const gathered = await rig.prepare(gather)
  t.same(await rig.ask(erase), { erasedMemories: 0, isAffected: true }, 'what was gathered may hold it')
  t.same(await rig.step(gather, gathered), { isApplied: false })
  await rig.ask(rig.messages.shift()?.command as RegionCommand)
  t.same(await rig.ask({ type: 'user.erase', userId: 'u2' }), { erasedMemories: 0, isAffected: false })
  t.same(await rig.ask(erase), { erasedMemories: 0, isAffected: true })
  t.equal(rig.state.consensus, null)
  await rig.restart()
  t.equal(rig.state.consensus, null)
  await rig.deliverAll()
  t.match(rig.state.head, { realignmentCount: 1, progress: { work: 'idle' } })
})

t.test('the first cluster of another dimension or model than the fresh meta-session has it made anew', async (t) => {
  const rig = await createRegionRig({ sampleOf: (id) => sample(id === 'wide' ? { dimension: 5, aggregate: null } : {}) })
  rig.asked.length = 0
  await rig.ask({ type: 'region.attach', clusterId: 'same' })
  t.same(askedFor(rig, 'session.delete'), [])
  await rig.ask({ type: 'region.detach', clusterId: 'same' })
  await rig.ask({ type: 'region.attach', clusterId: 'wide' })
  t.match(askedFor(rig, 'session.create'), [{ id: 'meta-r', command: { dimension: 5, modelName: 'model-1', backing: 'region' } }])
  await rig.ask({ type: 'region.attach', clusterId: 'wide2' })
  t.equal(askedFor(rig, 'session.create').length, 1)
})

t.test('a region that is deleted lets its clusters and its meta-session go first', async (t) => {
  const rig = await rigOf({ a: sample(), b: sample() })
  await rig.ask({ type: 'region.delete' })
  t.same(rig.asked, [])
  await rig.prepare({ type: 'region.delete', isBegun: true })
  t.same(
    rig.asked.map(({ id, command }) => [id, command.type]),
    [
      ['a', 'cluster.leaveRegion'],
      ['b', 'cluster.leaveRegion'],
      ['meta-r', 'session.delete']
    ]
  )
  t.notOk(rig.hasMeta)
  // A second try after a crash finds nothing left to do.
  await rig.prepare({ type: 'region.delete', isBegun: true })
})

t.test('a full region refuses one cluster more before it asks it, and takes those it has', async (t) => {
  const rig = await createRegionRig()
  for (let at = 0; at < 1_000; at++) await rig.ask({ type: 'region.attach', clusterId: `c${at}` })
  rig.asked.length = 0
  t.equal(await codeOf(rig.ask({ type: 'region.attach', clusterId: 'more' })), 'limit_reached')
  t.same(rig.asked, [])
  t.same(await rig.ask({ type: 'region.attach', clusterId: 'c7' }), { clusterCount: 1_000 })
})

t.test('clusters that are found to be gone leave the others a majority, which starts no second realignment', async (t) => {
  const samples: Record<string, ClusterSample | null> = { a: sample(), b: sample(), c: sample() }
  const rig = await rigOf(samples)
  for (const id of ['a', 'b']) await rig.ask(vote(rig, id))
  samples['d'] = sample()
  await rig.ask({ type: 'region.attach', clusterId: 'd' })
  t.equal(rig.state.head.progress.votes, 'gathering', 'half of them is not enough')
  samples['c'] = samples['d'] = null
  await rig.deliverAll()
  t.same((await rig.ask({ type: 'region.read' })).clusters, ['a', 'b'])
  t.match(rig.state.head, { realignmentCount: 1, progress: { votes: 'gathering', work: 'idle' } })
})

t.test('a cluster that ends leaves its regions, and there is nothing to leave where it is not attached', async (t) => {
  const rig = await rigOf({ a: sample() })
  t.same(await rig.ask({ type: 'region.dropCluster', clusterId: 'b' }), { removed: false })
  t.equal(await codeOf(rig.ask({ type: 'region.detach', clusterId: 'b' })), 'cluster_missing')
  t.same(await rig.ask({ type: 'region.dropCluster', clusterId: 'a' }), { removed: true })
  t.same((await rig.ask({ type: 'region.read' })).clusters, [])
})

t.test('a region that has nothing to forget writes nothing, though votes of it are over by now', async (t) => {
  const rig = await rigOf({ a: sample(), b: sample(), c: sample() })
  await rig.ask({ type: 'region.vote', eventId: 'e', clusterId: 'a', driftScore: 1, driftPhase: 'drifted', timestamp: rig.clock.now() })
  t.equal(rig.state.head.progress.votes, 'gathering')
  const { head } = rig.state
  await rig.clock.advance(600_000)
  await rig.ask({ type: 'region.dropCluster', clusterId: 'unknown' })
  t.equal(rig.state.head, head)
})

t.test('a consensus that is withdrawn while the clusters are pulled to it is passed on to none of the others', async (t) => {
  let isWithdrawn = true
  const rig = await createRegionRig({
    sampleOf: () => {
      if (!isWithdrawn) {
        isWithdrawn = true
        void rig.step({ type: 'user.erase', userId: 'u1' }, {})
      }
      return sample({ aggregate: shared([1, 0], ['u1']) })
    }
  })
  for (const clusterId of ['a', 'b', 'c']) await rig.ask({ type: 'region.attach', clusterId })
  for (const id of ['a', 'b']) await rig.ask(vote(rig, id))
  await rig.ask(rig.messages.shift()?.command as RegionCommand)
  isWithdrawn = false
  t.same(await rig.ask(rig.messages.shift()?.command as RegionCommand), { isApplied: false })
  t.same(
    askedFor(rig, 'cluster.pull').map(({ id }) => id),
    ['a']
  )
})

t.test('only the first cluster is looked at when it is attached, and one that is gone can be detached', async (t) => {
  const samples: Record<string, ClusterSample | null> = { a: sample() }
  const rig = await rigOf(samples)
  samples['b'] = sample()
  await rig.ask({ type: 'region.attach', clusterId: 'b' })
  t.same(askedFor(rig, 'cluster.sample'), [])
  samples['a'] = null
  t.same(await rig.ask({ type: 'region.detach', clusterId: 'a' }), { removed: true })
})
