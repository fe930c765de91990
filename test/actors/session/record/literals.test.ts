/** What the debugger and the metrics show of a session's literal cache. */
import t from 'tap'
import type { SessionCommand } from '../../../../src/domain/commands/session-commands.js'
import { ENTITY_BYTES_MAX, ENTITY_VALUE_BYTES_MAX } from '../../../../src/domain/limits.js'
import { createSessionRig, type RigSession, type SessionRig } from '../../../support/session-rig.js'

const put = (session: RigSession, key: string, value = key) =>
  session.ask({ type: 'entity.put', key, kind: 'constant', value, importance: 1 })

/** Debug events and metrics of literal caches since the last call. */
function heardOf({ events, counted }: SessionRig) {
  const told = events
    .splice(0)
    .flatMap(({ kind, data }) => (kind === 'literals.loaded' || kind === 'literals.evicted' ? [[kind, data]] : []))
  return { told, counted: counted.splice(0).filter((name) => name.startsWith('literals_')) }
}

t.test('entities that come back with their session are told of, and so are those that leave with it or by their key', async (t) => {
  const rig = createSessionRig({ isTraced: true })
  const session = await rig.create()
  await put(session, 'a', 'äé')
  await put(session, 'b')
  t.same(heardOf(rig), { told: [], counted: [] })
  const restored = await session.restored()
  t.same(heardOf(rig), { told: [['literals.loaded', { entities: 2, bytes: 7 }]], counted: ['literals_loaded'] })
  rig.behaviour.dispose?.(restored)
  t.same(heardOf(rig), { told: [['literals.evicted', { entities: 2, bytes: 7, reason: 'put_away' }]], counted: ['literals_evicted'] })
  await session.ask({ type: 'entity.remove', key: 'b' })
  t.same(heardOf(rig).told, [['literals.evicted', { entities: 1, bytes: 2, reason: 'removed' }]])
})

t.test('an import replaces the entities that were there by its own', async (t) => {
  const rig = createSessionRig({ isTraced: true })
  const source = await rig.create('source')
  await put(source, 'a')
  const target = await rig.create('target')
  await put(target, 'b')
  await put(target, 'c')
  heardOf(rig)
  await target.ask({ type: 'session.import', stateDict: JSON.parse(source.exported()) as unknown })
  t.same(heardOf(rig).told, [
    ['literals.evicted', { entities: 2, bytes: 4, reason: 'replaced' }],
    ['literals.loaded', { entities: 1, bytes: 2 }]
  ])
  await target.ask({ type: 'entity.remove', key: 'a' })
  t.same(heardOf(rig).told, [['literals.evicted', { entities: 1, bytes: 2, reason: 'removed' }]])
})

t.test('a session without entities says nothing of them', async (t) => {
  const rig = createSessionRig({ isTraced: true })
  const session = await rig.create()
  rig.behaviour.dispose?.(await session.restored())
  t.same(heardOf(rig), { told: [], counted: [] })
})

t.test('keys count: a session takes no more of them than of values, and what it has may still become less', async (t) => {
  const session = await createSessionRig().create()
  const value = 'v'.repeat(ENTITY_VALUE_BYTES_MAX)
  const rooms = ENTITY_BYTES_MAX / ENTITY_VALUE_BYTES_MAX
  // Like a session that was filled when keys did not count.
  for (let at = 0; at < rooms; at++) {
    const entity = { key: `k${String(at)}`, kind: 'type' as const, value, context: null, importance: 1, accessCount: 0, timestamp: 0 }
    session.state.literals.put(entity)
  }
  const entityPut = (key: string, own: string): SessionCommand => ({ type: 'entity.put', key, kind: 'type', value: own, importance: 1 })
  t.equal(await session.refusal(entityPut('x'.repeat(4_096), '')), 'limit_reached')
  t.equal(await session.refusal(entityPut('k0', value)), 'accepted', 'no more than before')
  t.equal(await session.refusal(entityPut('k0', value.slice(0, -8_192))), 'accepted')
  t.equal(await session.refusal(entityPut('x'.repeat(4_096), 'v')), 'accepted')
  t.equal(await session.refusal(entityPut('y'.repeat(4_096), 'v')), 'limit_reached')
})
