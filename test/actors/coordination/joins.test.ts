import t from 'tap'
import { createClusterBehaviour } from '../../../actors/cluster/behaviour.js'
import { DomainError } from '../../../src/domain/errors.js'
import { createClusterRig } from '../../support/cluster-rig.js'
import { createManualClock } from '../../support/manual-clock.js'
import { createRegionRig } from '../../support/region-rig.js'
import { codeOf } from '../../support/runtime.js'
import { unbounded } from '../../support/unbounded.js'

const ADD = { type: 'cluster.addMember', sessionId: 'a', weight: 1 } as const
const ATTACH = { type: 'region.attach', clusterId: 'a' } as const
const CHECK = { type: 'cluster.checkRegion', regionId: 'r' } as const

/** A cluster that `a` joins, with what its deletion and others do to that. */
async function clusterThatAdds(options: Parameters<typeof createClusterRig>[0] = {}) {
  const rig = await createClusterRig(options)
  return {
    rig,
    prepareToAdd: (signal?: AbortSignal) => rig.prepare(ADD, signal),
    add: (prepared: Awaited<ReturnType<typeof rig.prepare>>) => rig.step(ADD, prepared),
    dropped: () => rig.ask({ type: 'cluster.dropMember', sessionId: 'a' }),
    removed: () => rig.ask({ type: 'cluster.removeMember', sessionId: 'a' }),
    isThere: async () => (await rig.ask({ type: 'cluster.checkMember', sessionId: 'a' })).isMember,
    delete: () => rig.ask({ type: 'cluster.delete' }),
    goOn: () => rig.ask({ type: 'cluster.delete', isBegun: true }),
    toldToLeave: () => rig.askedOf('membership.remove')
  }
}

/** A region that `a` joins, likewise. */
async function regionThatAdds() {
  const rig = await createRegionRig()
  return {
    rig,
    prepareToAdd: (signal?: AbortSignal) => rig.prepare(ATTACH, signal),
    add: (prepared: Awaited<ReturnType<typeof rig.prepare>>) => rig.step(ATTACH, prepared),
    dropped: () => rig.ask({ type: 'region.dropCluster', clusterId: 'a' }),
    removed: () => rig.ask({ type: 'region.detach', clusterId: 'a' }),
    isThere: async () => (await rig.ask({ type: 'region.checkCluster', clusterId: 'a' })).isAttached,
    delete: () => rig.ask({ type: 'region.delete' }),
    goOn: () => rig.ask({ type: 'region.delete', isBegun: true }),
    toldToLeave: () => rig.asked.filter(({ command }) => command.type === 'cluster.leaveRegion').map(({ id }) => id)
  }
}

for (const [kind, start] of [
  ['cluster', clusterThatAdds],
  ['region', regionThatAdds]
] as const) {
  t.test(`${kind}: one who joins while its deletion begins is told to leave`, async (t) => {
    const joined = await start()
    const prepared = await joined.prepareToAdd()
    await joined.delete()
    t.equal(await codeOf(joined.add(prepared as never)), `${kind}_missing`)
    await joined.goOn()
    t.strictSame(joined.toldToLeave(), ['a'])
  })

  t.test(`${kind}: one who was deleted while it was being added does not belong to it, and may come again`, async (t) => {
    const joined = await start()
    const prepared = await joined.prepareToAdd()
    await joined.dropped()
    t.equal(await codeOf(joined.add(prepared as never)), 'busy')
    t.equal(await joined.isThere(), false)
    await joined.add(await joined.prepareToAdd())
    t.equal(await joined.isThere(), true)
  })

  t.test(`${kind}: one who is removed while it is added again belongs to it, as the last step says`, async (t) => {
    const joined = await start()
    await joined.add(await joined.prepareToAdd())
    const again = await joined.prepareToAdd()
    await joined.removed()
    t.equal(await codeOf(joined.isThere()), 'busy', 'those who ask are told later')
    await joined.add(again)
    t.equal(await joined.isThere(), true)
    await joined.removed()
    t.equal(await joined.isThere(), false)
    t.strictSame(joined.toldToLeave(), [], 'it is told by messages')
    t.match(joined.rig.messages.at(-1), { to: { id: 'a' }, isAwaited: true })
  })

  t.test(`${kind}: one whose adding is given up does not count as being added`, async (t) => {
    const joined = await start()
    const late = new AbortController()
    await joined.prepareToAdd(late.signal)
    t.equal(await codeOf(joined.isThere()), 'busy')
    late.abort()
    t.equal(await joined.isThere(), false)
    t.equal(await codeOf(joined.prepareToAdd(late.signal)), 'deadline_passed')
    t.equal(await joined.isThere(), false)
  })
}

t.test('a deletion waits for those that are still asked to join', async (t) => {
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const { rig, prepareToAdd, goOn, ...joined } = await clusterThatAdds({
    intercept: (_, { type }) => (type === 'membership.add' ? answered : undefined)
  })
  const preparing = prepareToAdd()
  await joined.delete()
  const ends = goOn()
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(rig.askedOf('session.delete'), [], 'the session behind it is still there')
  answer()
  await preparing
  await ends
  t.strictSame([rig.askedOf('membership.remove'), rig.askedOf('session.delete')], [['a'], ['c']])
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

t.test('a cluster that has joined a region leaves it unless that has attached it', async (t) => {
  let answer: boolean | DomainError = new DomainError('busy', 'It is being added at the moment')
  const isAttached = () => {
    if (answer instanceof DomainError) throw answer
    return answer
  }
  const rig = await createClusterRig({ isAttached })
  await rig.ask({ type: 'cluster.joinRegion', regionId: 'r' })
  t.strictSame(rig.messages.splice(0)[0]?.command, CHECK)
  t.equal(await codeOf(rig.ask(CHECK)), 'busy', 'the message comes again')
  answer = true
  for (const type of ['cluster.checkRegion', 'cluster.leaveRegion'] as const) await rig.ask({ type, regionId: 'r' })
  t.equal(rig.state.regions.size, 1)
  for (const code of ['region_missing', 'malformed_payload'] as const) {
    answer = new DomainError(code, 'Gone, or a node of an earlier version')
    await rig.ask({ type: 'cluster.joinRegion', regionId: 'r' })
    await rig.ask(CHECK)
    t.equal(rig.state.regions.size, 0, code)
  }
  await rig.restart()
  t.equal(rig.state.regions.size, 0)
})

t.test('a cluster that joins a region again while it asks whether to leave stays, and asks once more', async (t) => {
  const rig = await createClusterRig()
  await rig.ask({ type: 'cluster.joinRegion', regionId: 'r' })
  const prepared = await rig.prepare(CHECK)
  await rig.ask({ type: 'cluster.joinRegion', regionId: 'r' })
  t.equal(await codeOf(rig.step(CHECK, prepared)), 'busy')
  t.equal(rig.state.regions.size, 1)
})

t.test('who is asked to join is asked anew when the request is done again: it may have left since', async (t) => {
  const asked: unknown[] = []
  const behaviour = createClusterBehaviour({
    ask: async (_, { type }, { requestId, triedMs, isRepeated, trace }) => {
      asked.push({ type, requestId, triedMs, isRepeated, trace })
      return { modelName: 'm' } as never
    },
    clock: createManualClock(),
    storage: { list: async () => [] },
    tracer: { isEnabled: false, emit: () => undefined },
    counters: { count: () => undefined }
  })
  const { state } = await createClusterRig()
  const request = { requestId: 'first', now: 0, triedS: 1, isRepeated: true, trace: 'span' }
  await behaviour.prepare(state, ADD, unbounded(request))
  t.strictSame(asked, [{ type: 'membership.add', requestId: undefined, triedMs: undefined, isRepeated: undefined, trace: 'span' }])
})
