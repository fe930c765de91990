import t from 'tap'
import type { Gathered } from '../../../actors/cluster/state.js'
import { DomainError, type ErrorCode } from '../../../src/domain/errors.js'
import { createClusterRig } from '../../support/cluster-rig.js'
import { codeOf } from '../../support/runtime.js'

const ADD = { type: 'cluster.addMember', sessionId: 'a', weight: 1 } as const

t.test('a member: told first, known afterwards; once, whatever is said twice', async (t) => {
  const rig = await createClusterRig()
  t.strictSame(await rig.ask(ADD), { memberCount: 1 })
  t.strictSame(rig.asked.at(-1), { id: 'a', command: { type: 'membership.add', clusterId: 'c', dimension: 2, modelName: 'model-1' } })
  t.strictSame(await rig.ask({ ...ADD, weight: 3 }), { memberCount: 1 })
  t.strictSame(await rig.ask({ ...ADD, sessionId: 'b' }), { memberCount: 2 })
  await rig.restart()
  t.strictSame((await rig.ask({ type: 'cluster.read' })).members, [
    { sessionId: 'a', weight: 3 },
    { sessionId: 'b', weight: 1 }
  ])
  t.strictSame(await rig.ask({ type: 'cluster.removeMember', sessionId: 'a' }), { removed: true })
  const leave = { type: 'membership.remove', clusterId: 'c', isStale: true }
  t.match(rig.messages.splice(0), [{ to: { kind: 'session', id: 'a' }, command: leave, isAwaited: true }])
  t.equal(await codeOf(rig.ask({ type: 'cluster.removeMember', sessionId: 'a' })), 'member_missing')
  t.strictSame(await rig.ask({ type: 'cluster.dropMember', sessionId: 'b' }), { removed: true })
  t.strictSame(await rig.ask({ type: 'cluster.dropMember', sessionId: 'b' }), { removed: false })
  t.strictSame(await rig.ask({ type: 'cluster.checkMember', sessionId: 'b' }), { isMember: false })
})

t.test('a member that refuses, or is not there: the cluster is as it was', async (t) => {
  const rig = await createClusterRig({ stateOf: (id) => (id === 'c' ? { vector: Float32Array.of(1, 0), users: [] } : null) })
  t.equal(await codeOf(rig.ask(ADD)), 'session_missing')
  t.equal(rig.state.members.size, 0)
})

t.test('members: a thousand and no more, also of those that were asked at the same time', async (t) => {
  const rig = await createClusterRig()
  for (let n = 0; n < 999; n++) await rig.ask({ ...ADD, sessionId: `s${String(n)}` })
  const last = { ...ADD, sessionId: 'last' }
  const late = { ...ADD, sessionId: 'late' }
  const [preparedLast, preparedLate] = [await rig.prepare(last), await rig.prepare(late)]
  await rig.step(last, preparedLast)
  await t.rejects(rig.step(late, preparedLate), { code: 'limit_reached' })
  rig.asked.length = 0
  t.equal(await codeOf(rig.ask(late)), 'limit_reached')
  t.strictSame(rig.asked, [], 'and it is not told that it is one')
  t.strictSame(await rig.ask({ ...ADD, sessionId: 's5', weight: 2 }), { memberCount: 1000 })
})

t.test('a read leaves out members whose session is gone for good, and those that fail for now', async (t) => {
  const gone = new Set<string>()
  const failing = new Set<string>()
  const east = { vector: Float32Array.of(0, 1), users: [] }
  const rig = await createClusterRig({
    stateOf: (id) => (gone.has(id) ? null : failing.has(id) ? new DomainError('internal', 'Internal error') : east)
  })
  await rig.add('a', 'b', 'd')
  gone.add('a')
  failing.add('b')
  const { members, aggregateVector } = await rig.ask({ type: 'cluster.read' })
  t.strictSame(
    members.map(({ sessionId }) => sessionId),
    ['b', 'd']
  )
  t.strictSame(aggregateVector, Float32Array.of(0, 1))
  await rig.restart()
  gone.clear()
  failing.clear()
  t.strictSame((await rig.ask({ type: 'cluster.read' })).members.length, 2)
})

t.test('a read does not leave out a member that was added again after it was looked for', async (t) => {
  const gone = new Set<string>()
  const rig = await createClusterRig({ stateOf: (id) => (gone.has(id) ? null : { vector: Float32Array.of(1, 0), users: [] }) })
  await rig.add('a')
  gone.add('a')
  const prepared = await rig.prepare({ type: 'cluster.read' })
  gone.clear()
  await rig.ask({ type: 'cluster.removeMember', sessionId: 'a' })
  await rig.ask(ADD)
  t.strictSame((await rig.step({ type: 'cluster.read' }, prepared)).members, [{ sessionId: 'a', weight: 1 }])
})

t.test('a read: refused while a member cannot answer, or the time is up', async (t) => {
  const rig = await createClusterRig({
    stateOf: (id) =>
      id === 'a' && rig.state.members.size > 0 ? new DomainError('busy', 'Too many') : { vector: Float32Array.of(1, 0), users: [] }
  })
  await rig.add('a')
  t.equal(await codeOf(rig.ask({ type: 'cluster.read' })), 'busy')
  t.equal(await codeOf(rig.prepare({ type: 'cluster.read' }, AbortSignal.abort())), 'deadline_passed')
})

t.test('a brief sample: asks no member', async (t) => {
  const rig = await createClusterRig()
  await rig.add('a', 'b')
  t.match(await rig.ask({ type: 'cluster.sample', isBrief: true }), {
    aggregate: null,
    phase: 'exploration',
    driftScore: 0.1,
    interactionCount: 3,
    couplingFactor: 0.5
  })
  t.strictSame(rig.askedOf('state.read'), ['c'])
  t.match(await rig.ask({ type: 'cluster.sample' }), { aggregate: { vector: Float32Array.of(1, 0) }, dimension: 2, modelName: 'model-1' })
})

t.test('the end of a cluster: everybody is told, the shared session goes, and it can be asked for again', async (t) => {
  const silent = new Set<string>(['b'])
  const rig = await createClusterRig({
    intercept: (id, command) => {
      if (silent.has(id) && command.type !== 'membership.add') throw new DomainError('busy', 'Too many')
    }
  })
  await rig.add('a', 'b')
  await rig.ask({ type: 'cluster.joinRegion', regionId: 'r' })
  await rig.end()
  t.equal(await codeOf(rig.ask({ type: 'cluster.delete', isBegun: true })), 'busy')
  t.strictSame(rig.askedOf('session.delete'), [], 'cut short')
  silent.clear()
  t.strictSame(await rig.ask({ type: 'cluster.delete', isBegun: true }), { deleted: true })
  t.strictSame(
    [rig.askedOf('membership.remove').slice(-2), rig.askedOf('region.dropCluster'), rig.askedOf('session.delete')],
    [['a', 'b'], ['r'], ['c']]
  )
  t.strictSame(await rig.ask({ type: 'cluster.delete', isBegun: true }), { deleted: true })
})

t.test('a cluster is deleted although members or regions of it fail by themselves, or are gone', async (t) => {
  const refusals: Record<string, ErrorCode> = { a: 'internal', b: 'session_missing', r: 'restart_limited', s: 'region_missing' }
  const rig = await createClusterRig({
    intercept(id, { type }) {
      const code = refusals[id]
      if (code !== undefined && (type === 'membership.remove' || type === 'region.dropCluster')) throw new DomainError(code, 'Refused')
    }
  })
  await rig.add('a', 'b', 'c')
  for (const regionId of ['r', 's', 'u']) await rig.ask({ type: 'cluster.joinRegion', regionId })
  await rig.end()
  t.strictSame(await rig.ask({ type: 'cluster.delete', isBegun: true }), { deleted: true })
  t.strictSame(
    [rig.askedOf('membership.remove'), rig.askedOf('region.dropCluster')],
    [
      ['a', 'b', 'c'],
      ['r', 's', 'u']
    ]
  )
})

t.test('a cluster whose id is a session already: refused, unless its own making was cut short and nobody has used that', async (t) => {
  let isUsed = true
  const rig = await createClusterRig({
    intercept(_, command) {
      if (isUsed && command.type === 'session.delete' && command.isLeft === true) throw new DomainError('already_exists', 'Used')
    }
  })
  t.equal(await codeOf(rig.initiate('another')), 'already_exists')
  isUsed = false
  t.match(await rig.initiate('another'), { changes: { head: { modelName: 'model-1' } } })
})

t.test('a cluster whose making was cut short after its session is made by the same request again', async (t) => {
  const rig = await createClusterRig()
  t.match(await rig.initiate('request-0'), { changes: { head: { modelName: 'model-1' } } })
})

t.test('members are asked once for all who want to know at the same time, and again for those who ask meanwhile', async (t) => {
  const late = { sessionId: 'late', weight: 1, seq: 9 }
  const rig = await createClusterRig({
    intercept(id, { type }) {
      if (id === 'b' && type === 'state.read') rig.state.members.set('late', late)
    }
  })
  await rig.add('a', 'b')
  const looks = [rig.prepare({ type: 'cluster.read' })]
  for (let n = 0; n < 100; n++) looks.push(rig.prepare({ type: 'cluster.sample' }))
  const gathered = (await Promise.all(looks)).map((prepared) => (prepared as Gathered).present.length)
  t.equal(rig.askedOf('state.read').length, 7, 'the session behind it and two members, then three')
  t.strictSame([gathered[0], new Set(gathered.slice(1))], [2, new Set([3])], 'nothing that anybody is told is older than the question')
  await rig.ask({ type: 'cluster.read' })
  t.equal(rig.askedOf('state.read').length, 11)
})

t.test('a look at members that do not answer has an end, also for those who share it', async (t) => {
  const rig = await createClusterRig({ intercept: (_, { type }) => (type === 'state.read' ? rig.clock.advance(16_000) : undefined) })
  await rig.add(...Array.from({ length: 40 }, (_, n) => `s${String(n)}`))
  const codes = [1, 2].map(() => codeOf(rig.prepare({ type: 'cluster.read' })))
  t.strictSame(await Promise.all(codes), ['deadline_passed', 'deadline_passed'])
})
