/** What sessions of a cluster retract, and whom else they tell. */
import { join } from 'node:path'
import t from 'tap'
import { hashText } from '../../../../actors/session/record/hash.js'
import { OUTBOX_MESSAGES_MAX } from '../../../../src/domain/limits.js'
import { startService } from '../../../support/real-service.js'
import { createSessionRig, RIG_DIMENSION } from '../../../support/session-rig.js'
import { ANSWER, exchange, match, QUESTION, team, texts } from '../../../support/session-team.js'

t.test('the same outbox message or the same exchanges again leave the same state', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  const messages = [...rig.messages]
  await rig.deliver()
  const before = shared.exported()
  await rig.deliver(messages)
  t.equal(shared.exported(), before)
  t.same(await shared.ask({ type: 'exchange.learn', exchanges: [exchange()] }), { stored: 1 })
  const told = shared.exported()
  t.not(told, before, 'what only a member had found out, the session is now about')
  t.same(await shared.ask({ type: 'exchange.learn', exchanges: [exchange()] }), { stored: 1 })
  t.equal(shared.exported(), told)
  t.equal(await shared.changes({ type: 'exchange.learn', exchanges: [exchange()] }), null)
})

t.test('an outbox message that comes again does not bring back what its shared session has removed since', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  const messages = [...rig.messages]
  await rig.deliver()
  await shared.ask({ type: 'memory.delete', hash: hashText(ANSWER) })
  await rig.deliver(messages)
  t.same(await texts(shared), [QUESTION])
})

t.test('a memory that its member deletes is gone from the cluster, links and short circuit included', async (t) => {
  const rig = createSessionRig()
  const { shared, a, b } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  await rig.deliver()
  await a.ask({ type: 'memory.delete', hash: hashText(ANSWER) })
  await rig.deliver()
  t.same(await texts(shared), [QUESTION])
  t.notOk((await b.run(QUESTION)).shortCircuit)
})

t.test('a memory that is deleted before its outbox message arrives is never shared', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  await a.ask({ type: 'memory.delete', hash: hashText(ANSWER) })
  const [learned, unlearned] = [rig.messages.slice(0, 1), rig.messages.slice(1)]
  await rig.deliver(unlearned)
  await rig.deliver(learned)
  t.same(await texts(shared), [])
})

t.test('what the shared session was told in turns of its own stays when a member deletes its copy', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  await shared.run(QUESTION)
  await shared.store(ANSWER)
  await a.run(QUESTION)
  await a.store(ANSWER)
  await rig.deliver()
  await a.ask({ type: 'memory.delete', hash: hashText(ANSWER) })
  await rig.deliver()
  t.same(await texts(shared), [QUESTION, ANSWER])
})

t.test('a reworded memory is shared in its new words only', async (t) => {
  // A cosine of 0.57.
  const rig = createSessionRig({ updateThreshold: 0.76 })
  const { shared, a } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  await rig.deliver()
  const again = `${ANSWER} Done.`
  await a.run('How do I enable two-factor sign-in, please?')
  t.ok((await a.store(again)).dedupSignal.isUpdate)
  await rig.deliver()
  t.same((await texts(a)).sort(), (await texts(shared)).sort())
  t.ok((await texts(shared)).includes(again))
  t.ok((await shared.ask(match('How do I enable two-factor sign-in, please?'))).isAnswered)
})

t.test('an erased data subject leaves nothing in the shared session, whatever is on its way', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  await a.run(QUESTION, { userId: 'ann' })
  await a.store(ANSWER)
  const held = [...rig.messages]
  await rig.deliver()
  await shared.ask({ type: 'user.erase', userId: 'ann' })
  t.same(await texts(shared), [ANSWER])
  await a.ask({ type: 'user.erase', userId: 'ann' })
  await rig.deliver(held)
  t.same(await texts(shared), [ANSWER])
  t.notMatch(JSON.stringify((await shared.record()).rows), QUESTION)
})

t.test('findings that were read before an erasure are refused after it, and read again', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  await a.run(QUESTION, { userId: 'ann' })
  await a.store(ANSWER, { userId: 'ann' })
  const [message] = rig.messages
  if (message?.command.type !== 'exchange.collect') throw new Error('no outbox message')
  const collecting = shared.ask(message.command, message.id)
  shared.state.removals += 1
  await t.rejects(collecting, { code: 'busy' })
  t.same(await texts(shared), [])
  await shared.ask(message.command, message.id)
  t.same(await texts(shared), [QUESTION, ANSWER])
})

t.test('an erasure, copies that are taken back, and both at once count as removals', async (t) => {
  const erasing = { type: 'user.erase', userId: 'nobody' } as const
  const unlearning = { type: 'exchange.unlearn', hashes: [] } as const
  for (const removals of [[erasing], [unlearning], [erasing, unlearning]]) {
    const rig = createSessionRig()
    const { shared, a } = await team(rig)
    await a.run(QUESTION)
    await a.store(ANSWER)
    const [message] = rig.messages
    if (message?.command.type !== 'exchange.collect') throw new Error('no outbox message')
    const collecting = shared.ask(message.command, message.id)
    await Promise.all([t.rejects(collecting, { code: 'busy' }), ...removals.map((command) => shared.ask(command))])
  }
})

t.test('findings of a session that is not a member are refused, and its membership is taken back', async (t) => {
  const rig = createSessionRig()
  const { shared, a } = await team(rig)
  rig.clusters.get('c')?.delete('a')
  await a.run(QUESTION)
  await a.store(ANSWER)
  t.same(await rig.deliver(), ['member_missing'])
  t.same(a.state.ties.memberships, [])
  t.same(await texts(shared), [])
})

t.test('a member of a cluster that is gone forgets it at its next run', async (t) => {
  const rig = createSessionRig()
  const plain = await rig.create('c')
  rig.clusters.set('c', new Set())
  const a = await rig.create('a')
  await rig.join('c', a)
  t.equal(plain.state.ties.backing, null)
  await a.run(QUESTION)
  t.same(a.state.ties.memberships, [])
  t.same((await a.restored()).ties.memberships, [])
})

t.test('memories that were given outside of turns are not shared', async (t) => {
  const rig = createSessionRig()
  const { a } = await team(rig)
  await a.ask({ type: 'memory.inject', text: ANSWER, tier: 'long_term', importance: 1, accessCount: 0 })
  await a.ask({ type: 'memory.ingest', memories: [{ text: ANSWER, role: 'assistant' }] })
  await a.run(QUESTION)
  t.same(rig.messages, [])
})

t.test('a session with dimension and model of the cluster may belong to sixteen of them', async (t) => {
  const rig = createSessionRig()
  const a = await rig.create('a')
  const add = (clusterId: string, own: object = {}) =>
    a.refusal({ type: 'membership.add', clusterId, dimension: RIG_DIMENSION, modelName: rig.embedder.modelName, ...own })
  t.equal(await add('c', { dimension: 8 }), 'invalid_input')
  t.equal(await add('c', { modelName: 'another' }), 'invalid_input')
  t.equal(await add('a'), 'invalid_input', 'its own')
  for (let n = 0; n < 16; n++) t.equal(await add(`c${n}`), 'accepted')
  t.equal(await add('c16'), 'limit_reached')
  t.equal(await add('c3'), 'accepted', 'again')
  await a.ask({ type: 'membership.remove', clusterId: 'c3' })
  await a.ask({ type: 'membership.remove', clusterId: 'unknown' })
  t.equal(await add('c16'), 'accepted')
  t.same((await a.restored()).ties, a.state.ties)
  t.notMatch(a.exported(), 'c16', 'an export tells nothing of it')
})

t.test('a run of the shared session that drifts tells its cluster, and one of another session tells nobody', async (t) => {
  const rig = createSessionRig()
  const { shared } = await team(rig)
  const others = [await rig.create('plain'), await rig.create('meta', { backing: 'region' })]
  for (const session of [shared, ...others]) {
    for (let n = 0; n < 6; n++) await session.run(`prune the roses in March, said gardener ${n}`)
  }
  t.same(rig.messages, [])
  for (const other of others) {
    const reply = await other.run('quarterly earnings of Belgian banks')
    t.ok(reply.driftDetected)
    t.same(rig.messages, [])
  }
  const { driftScore, driftPhase } = await shared.run('quarterly earnings of Belgian banks')
  const [message, ...rest] = rig.messages
  t.same(rest, [])
  t.match(message, {
    to: { kind: 'cluster', subject: 'tester', id: 'c' },
    isAwaited: true,
    command: { type: 'cluster.noteDrift', driftScore, driftPhase, timestamp: rig.now }
  })
  t.equal(message?.command.type === 'cluster.noteDrift' && message.command.eventId, message?.id)
})

t.test('a member with too many outbox messages undelivered is refused what would post more, and nothing else', async (t) => {
  const rig = createSessionRig()
  const { a } = await team(rig)
  await a.run(QUESTION)
  const full = { outboxPending: OUTBOX_MESSAGES_MAX }
  await t.rejects(a.ask({ type: 'session.store', response: ANSWER }, 'r', full), { code: 'busy' })
  await a.ask({ type: 'session.metrics' }, 'r', full)
  await a.ask({ type: 'user.erase', userId: 'ann' }, 'r', full)
  const plain = await rig.create('plain')
  await plain.ask({ type: 'session.store', response: ANSWER }, 'r', full)
})

t.test('an erasure through a whole service takes the copies that others found, and what a vector held of them', async (t) => {
  const env = { SERVICE_COMPLIANCE: '1', SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(t.testdir(), 'sessions.db')}` }
  const { as } = await startService(t, { env })
  const alice = await as('alice')
  await alice.post('/v1/cluster/', { cluster_id: 'team', coupling_factor: 1 })
  for (const id of ['a', 'b']) {
    await alice.post('/v1/session/create', { session_id: id })
    await alice.post('/v1/cluster/team/members', { session_id: id })
  }
  await alice.post('/v1/run', { session_id: 'a', message: QUESTION, user_id: 'ann' })
  await alice.post('/v1/store', { session_id: 'a', response: ANSWER, user_id: 'ann' })
  t.equal((await alice.post('/v1/cluster/team/feedback', {})).body['sessions_updated'], 2)
  t.ok(((await alice.get('/v1/cluster/team')).body['aggregate_vector'] as number[]).length > 0)
  t.equal((await alice.delete('/v1/compliance/users/ann/memory')).body['erased_memories'], 4)
  t.equal((await alice.get('/v1/cluster/team')).body['aggregate_vector'], null)
  t.equal((await alice.get('/v1/cluster/team')).body['total_memories'], 0)
  const { body } = await alice.post('/v1/run', { session_id: 'b', message: QUESTION })
  t.same([body['short_circuit'], String(body['context']).includes('Security')], [false, false])
})
