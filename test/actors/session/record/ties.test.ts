/** A session's ties to other actors, from its creation to its end. */
import t from 'tap'
import { readTies, toStoredHead } from '../../../../actors/session/record/stored-head.js'
import { NO_TIES, withMembership, withoutMembership } from '../../../../actors/session/record/ties.js'
import { createMemoryStorage } from '../../../../src/storage/memory.js'
import { createManualClock } from '../../../support/manual-clock.js'
import { startService } from '../../../support/real-service.js'
import { createSessionRig, RIG_START } from '../../../support/session-rig.js'

t.test('a session that was stored before sessions had ties is read as one without any', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  await session.run('prune the roses in March')
  const { ties: _, ...former } = toStoredHead(session.state)
  t.same(readTies(former), NO_TIES)
  t.equal(readTies(former).partition, 'default')
  t.same(readTies(toStoredHead(session.state)), session.state.ties)
})

t.test('an import and a reset leave the ties of the session as they are', async (t) => {
  const rig = createSessionRig()
  const shared = await rig.cluster('c')
  const a = await rig.create('a')
  await rig.join('c', a)
  const stateDict = JSON.parse(a.exported()) as unknown
  for (const session of [shared, a]) {
    const { ties } = session.state
    await session.ask({ type: 'session.import', stateDict })
    await session.run('hello', { resetContext: true })
    t.same(session.state.ties, ties)
    t.same((await session.restored()).ties, ties)
  }
  const copy = await rig.open('copy', { type: 'session.import', stateDict })
  t.same(copy.state.ties, { ...NO_TIES, madeAt: RIG_START })
})

t.test('a session that backs something is kept while its owner lives, and may be deleted by it', async (t) => {
  const rig = createSessionRig()
  const shared = await rig.cluster('c')
  await t.rejects(shared.ask({ type: 'session.delete' }), { code: 'in_use', message: 'Session belongs to a cluster: delete the cluster' })
  t.same(await shared.ask({ type: 'session.delete', isByOwner: true }), { deleted: true })
  rig.clusters.delete('c')
  t.same(await shared.ask({ type: 'session.delete' }), { deleted: true }, 'nobody is left to need it')
})

t.test('a session is deleted as left by a creation only if it was made for a cluster, and nobody has used it', async (t) => {
  const rig = createSessionRig()
  const [plain, used, left] = [await rig.create('plain'), await rig.cluster('used'), await rig.cluster('left')]
  await used.run('hello')
  for (const session of [plain, used]) await t.rejects(session.ask({ type: 'session.delete', isLeft: true }), { code: 'already_exists' })
  t.same(await left.ask({ type: 'session.delete', isLeft: true }), { deleted: true })
})

t.test('a session that is deleted leaves its clusters first, and stays a member when it may not be deleted', async (t) => {
  const rig = createSessionRig()
  await rig.cluster('c')
  const both = await rig.cluster('both')
  const a = await rig.create('a')
  await rig.join('c', a, both)
  await t.rejects(both.ask({ type: 'session.delete' }), { code: 'in_use' })
  t.same([...(rig.clusters.get('c') ?? [])], ['a', 'both'])
  await a.ask({ type: 'session.delete' })
  t.same([...(rig.clusters.get('c') ?? [])], ['both'])
})

t.test('findings through a whole service: what one member stores is met by the very next run of another', async (t) => {
  for (const isDurable of [false, true]) {
    const storage = createMemoryStorage({ retains: isDurable })
    const { as } = await startService(t, { overrides: { storage } })
    const alice = await as('alice')
    await alice.post('/v1/cluster/', { cluster_id: 'team' })
    for (const id of ['a', 'b']) {
      await alice.post('/v1/session/create', { session_id: id })
      await alice.post('/v1/cluster/team/members', { session_id: id })
    }
    await alice.post('/v1/run', { session_id: 'a', message: 'Which port does the staging database listen on?', user_id: 'ann' })
    await alice.post('/v1/store', { session_id: 'a', response: 'The staging database listens on port 5433.' })
    const { body } = await alice.post('/v1/run', { session_id: 'b', message: 'Which port does the staging database listen on?' })
    t.equal(body['short_circuit'], true)
    t.match(body['context'], /Q: Which port does .* A: The staging database listens on port 5433\./)
    const near = await alice.post('/v1/run', { session_id: 'b', message: 'Which port does the production database listen on?' })
    t.equal(near.body['short_circuit'], false)

    t.equal((await alice.delete('/v1/session/team')).status, 409)
    t.equal((await alice.delete('/v1/session/a')).status, 200)
    const { body: cluster } = await alice.get('/v1/cluster/team')
    t.same(cluster['members'], ['b'])
    t.equal(cluster['total_memories'], 2, 'what it told stays')
    await alice.delete('/v1/cluster/team')
    t.equal((await alice.get('/v1/metrics/team')).status, 404)
    const alone = await alice.post('/v1/run', { session_id: 'b', message: 'Which port does the staging database listen on?' })
    t.equal(alone.body['short_circuit'], false)
  }
})

t.test('sessions belong to the partition that was active when they were made', async (t) => {
  const clock = createManualClock()
  const storage = createMemoryStorage({ retains: true })
  const { as } = await startService(t, { overrides: { storage, clock } })
  const alice = await as('alice')
  const partitionOf = async (id: string) => readTies((await storage.peek({ kind: 'session', subject: 'alice', id }))?.head).partition
  await alice.post('/v1/session/create', { session_id: 'first' })
  await alice.post('/v1/network/users/switch', { user_id: 'ann' })
  await alice.post('/v1/session/create', { session_id: 'second' })
  await alice.post('/v1/run', { session_id: 'third', message: 'hello' })
  await alice.post('/v1/network/users/switch', { user_id: 'default' })
  await alice.post('/v1/run', { session_id: 'second', message: 'hello' })
  await alice.post('/v1/session/create', { session_id: 'fourth' })
  t.same(await Promise.all(['first', 'second', 'third', 'fourth'].map(partitionOf)), ['default', 'ann', 'ann', 'default'])
  const bob = await as('bob')
  await bob.post('/v1/session/create', { session_id: 'first' })
  t.equal(readTies((await storage.peek({ kind: 'session', subject: 'bob', id: 'first' }))?.head).partition, 'default')
})

t.test('a session behind a cluster outlives the cap where nothing could bring it back', async (t) => {
  // One node: several would share a storage, which could bring the session back.
  const { as } = await startService(t, { nodes: 1, env: { SERVICE_MAX_SESSIONS: '3' } })
  const alice = await as('alice')
  await alice.post('/v1/cluster/', { cluster_id: 'team' })
  await alice.post('/v1/cluster/team/store', { message: 'Who owns the staging database?', response: 'Its owner is the platform team.' })
  for (let n = 0; n < 6; n++) await alice.post('/v1/session/create', { session_id: `s${n}` })
  t.equal((await alice.get('/v1/metrics/s0')).status, 404, 'an ordinary one does not')
  const { body } = await alice.post('/v1/cluster/team/run', { message: 'Who owns the staging database?' })
  t.equal(body['short_circuit'], true)
})

t.test('a session that has no ties belongs to nobody, to no cluster and to the first partition, and has been told nothing', async (t) => {
  t.same(NO_TIES, { backing: null, partition: 'default', memberships: [], deliveries: [] })
})

t.test('a membership is there once, as of when it was asked for last; one that goes takes no other along', async (t) => {
  const both = withMembership(withMembership(NO_TIES, { clusterId: 'a', since: 1 }), { clusterId: 'b', since: 2 })
  t.same(both, {
    ...NO_TIES,
    memberships: [
      { clusterId: 'a', since: 1 },
      { clusterId: 'b', since: 2 }
    ]
  })
  t.same(withMembership(both, { clusterId: 'a', since: 3 }).memberships, [
    { clusterId: 'b', since: 2 },
    { clusterId: 'a', since: 3 }
  ])
  t.same(withoutMembership(both, 'a'), { ...NO_TIES, memberships: [{ clusterId: 'b', since: 2 }] })
  t.equal(withoutMembership(both, 'c'), both, 'nothing to write')
})
